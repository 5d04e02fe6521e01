import { unwrap } from "../api/unwrap";
import { providerOf } from "../providers";
import { Button } from "../ui/Button";
import { Notice } from "../ui/Notice";
import { ProviderMark } from "../ui/ProviderMark";
import { messageOf } from "./messages";
import { useReturnTo } from "./return-to";
import { useTenant } from "./tenant-context";
import { useCall } from "./use-call";

/** A way in for each provider that works for the tenant. */
export function ProviderButtons() {
	const { client, options, pageUrl } = useTenant();
	const { url } = useReturnTo();
	// The client itself follows the answer's address.
	const start = useCall((provider: string) =>
		unwrap(
			client.tenant.signIn.social({
				provider,
				callbackURL: url,
				errorCallbackURL: pageUrl("error"),
			}),
		),
	);
	const leavingFor = start.isPending || start.isSuccess ? start.variables : null;
	return (
		<div className="stack stack-tight">
			{start.error && <Notice kind="danger">{messageOf(start.error)}</Notice>}
			<ul className={options.providers.length > 4 ? "providers providers-many" : "providers"}>
				{options.providers.map((id) => (
					<li key={id}>
						<Button
							wide
							icon={<ProviderMark providerId={id} />}
							busy={leavingFor === id}
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
