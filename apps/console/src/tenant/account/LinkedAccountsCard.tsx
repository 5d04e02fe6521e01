import { useQueryClient } from "@tanstack/react-query";
import { unwrap } from "../../api/unwrap";
import { providerOf } from "../../providers";
import { Button } from "../../ui/Button";
import { Card } from "../../ui/Card";
import { ErrorState } from "../../ui/ErrorState";
import { ProviderMark } from "../../ui/ProviderMark";
import { Skeleton } from "../../ui/Skeleton";
import { useToast } from "../../ui/Toast";
import { messageOf } from "../messages";
import { useTenant } from "../tenant-context";
import { useCall } from "../use-call";
import { linkedAccountsKey, useLinkedAccounts } from "./account-queries";

/** The providers that the user can sign in through, and those that could be added. */
export function LinkedAccountsCard() {
	const { client, options, pageUrl } = useTenant();
	const toast = useToast();
	const queryClient = useQueryClient();
	const { data: accounts, error, refetch } = useLinkedAccounts();
	const failed = (problem: Error) => toast(messageOf(problem), "danger");

	// The client itself follows the answer's address.
	const link = useCall((provider: string) =>
		unwrap(
			client.linkSocial({
				provider,
				callbackURL: pageUrl("account"),
				errorCallbackURL: pageUrl("error"),
			}),
		),
	);
	const unlink = useCall(
		(accountId: string) => unwrap(client.unlinkAccount({ accountId })),
		() => queryClient.invalidateQueries({ queryKey: linkedAccountsKey(options.tenant.id) }),
	);

	const linked = accounts?.filter(({ providerId }) => providerId !== "credential") ?? [];
	const open = options.providers.filter(
		(id) => !linked.some(({ providerId }) => providerId === id),
	);
	if (accounts && linked.length === 0 && open.length === 0) return null;
	return (
		<Card title="Linked accounts" hint="Sign in through these as well.">
			{error && <ErrorState error={error} onRetry={() => refetch()} />}
			{!accounts && !error && <Skeleton kind="control" />}
			<ul className="items">
				{linked.map((account) => (
					<li key={account.id}>
						<ProviderMark providerId={account.providerId} />
						<div className="item-text">
							<p className="item-title">{providerOf(account.providerId).name}</p>
							<p className="muted small break">{account.accountId}</p>
						</div>
						<Button
							size="small"
							aria-label={`Unlink ${providerOf(account.providerId).name}`}
							busy={unlink.isPending && unlink.variables === account.id}
							// The last way to sign in has to stay; the server would refuse as well.
							disabled={accounts?.length === 1}
							onClick={() => unlink.mutate(account.id, { onError: failed })}
						>
							Unlink
						</Button>
					</li>
				))}
				{accounts &&
					open.map((id) => (
						<li key={id}>
							<ProviderMark providerId={id} />
							<div className="item-text">
								<p className="item-title">{providerOf(id).name}</p>
							</div>
							<Button
								size="small"
								aria-label={`Link ${providerOf(id).name}`}
								busy={(link.isPending || link.isSuccess) && link.variables === id}
								onClick={() => link.mutate(id, { onError: failed })}
							>
								Link
							</Button>
						</li>
					))}
			</ul>
		</Card>
	);
}
