import { callApi } from "../api/client";
import { useApiMutation } from "../api/query-client";
import { providerOf } from "../providers";
import { Button } from "../ui/Button";
import { Notice } from "../ui/feedback";
import { ProviderIcon } from "../ui/logos";
import { errorMessage } from "./error-messages";
import { useReturnUrl, useTenant } from "./tenant-context";

/** One button for each provider that works for the tenant. */
export function ProviderButtons() {
	const { client, options, pageUrl } = useTenant();
	const { url } = useReturnUrl();
	// The client opens the URL of the answer.
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
	return (
		<div className="stack stack-tight">
			{start.error && <Notice kind="danger">{errorMessage(start.error)}</Notice>}
			<ul className={options.providers.length > 4 ? "providers providers-many" : "providers"}>
				{options.providers.map((id) => (
					<li key={id}>
						<Button
							wide
							icon={<ProviderIcon providerId={id} />}
							busy={started === id}
							onClick={() => start.mutate(id)}
						>
							<span>
								<span className="provider-verb">Continue with </span>
								{providerOf(id).name}
							</span>
						</Button>
					</li>
				))}
			</ul>
		</div>
	);
}
