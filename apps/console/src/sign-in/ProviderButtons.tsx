import { providerOf } from "../providers";
import { Button } from "../ui/Button";
import { Notice } from "../ui/feedback";
import { ProviderIcon } from "../ui/logos";
import { useErrorMessage } from "./error-messages";
import { useProviderSignIn } from "./provider-sign-in";
import { useTenant } from "./tenant-context";
import { Filled, useTexts } from "./texts/texts";

/** So many that the form below them needs no scrolling. */
const MAX_UNFOLDED = 4;

/** What the button of a provider says. */
export function ContinueWith({ provider }: { provider: string }) {
	const { providerNames } = useTenant().options;
	const { signIn } = useTexts();
	return (
		<span>
			<Filled text={signIn.continueWith}>
				{providerNames?.[provider] ?? providerOf(provider).name}
			</Filled>
		</span>
	);
}

/** One button for each provider that works for the tenant. */
export function ProviderButtons() {
	const { providers } = useTenant().options;
	const { signIn } = useTexts();
	const errorMessage = useErrorMessage();
	const { error, started, start } = useProviderSignIn();
	const button = (id: string) => (
		<li key={id}>
			<Button
				wide
				icon={<ProviderIcon providerId={id} />}
				busy={started === id}
				onClick={() => start(id)}
			>
				<ContinueWith provider={id} />
			</Button>
		</li>
	);
	return (
		<div className="stack stack-tight">
			{error && <Notice kind="danger">{errorMessage(error)}</Notice>}
			<ul className="providers">{providers.slice(0, MAX_UNFOLDED).map(button)}</ul>
			{providers.length > MAX_UNFOLDED && (
				<details className="providers-more">
					<summary>{signIn.moreProviders}</summary>
					<ul className="providers">{providers.slice(MAX_UNFOLDED).map(button)}</ul>
				</details>
			)}
		</div>
	);
}
