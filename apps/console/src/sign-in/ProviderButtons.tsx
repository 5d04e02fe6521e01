import { callApi } from "../api/client";
import { useApiMutation } from "../api/query-client";
import { providerOf } from "../providers";
import { Button } from "../ui/Button";
import { Notice } from "../ui/feedback";
import { ProviderIcon } from "../ui/logos";
import { useErrorMessage } from "./error-messages";
import { useReturnUrl, useTenant } from "./tenant-context";
import { useTexts } from "./texts/texts";

/** One button for each provider that works for the tenant. */
export function ProviderButtons() {
	const { client, options } = useTenant();
	const { signIn } = useTexts();
	const errorMessage = useErrorMessage();
	const { url, pageUrl } = useReturnUrl();
	// The client opens the URL of the response.
	const start = useApiMutation({
		mutationFn: (provider: string) =>
			callApi(
				client.tenant.signIn.social({
					provider,
					callbackURL: url,
					errorCallbackURL: pageUrl("error"),
				}),
			),
	});
	const started = start.isPending || start.isSuccess ? start.variables : null;
	const { providers, providerNames } = options;
	const isMany = providers.length > 4;
	const [before, after] = signIn.continueWith.split("{}");
	return (
		<div className="stack stack-tight">
			{start.error && <Notice kind="danger">{errorMessage(start.error)}</Notice>}
			<ul className={isMany ? "providers providers-many" : "providers"}>
				{providers.map((id) => {
					const name = providerNames?.[id] ?? providerOf(id).name;
					return (
						<li key={id}>
							<Button
								wide
								icon={<ProviderIcon providerId={id} />}
								busy={started === id}
								onClick={() => start.mutate(id)}
							>
								<span>
									<span className="provider-verb">{before}</span>
									{name}
									<span className="provider-verb">{after}</span>
								</span>
							</Button>
						</li>
					);
				})}
			</ul>
		</div>
	);
}
