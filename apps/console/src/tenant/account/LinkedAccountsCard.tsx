import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { callApi } from "../../api/client";
import { useApiMutation } from "../../api/query-client";
import { providerOf } from "../../providers";
import { useErrorMessage } from "../../sign-in/error-messages";
import { useReturnUrl, useTenant } from "../../sign-in/tenant-context";
import { useTexts } from "../../sign-in/texts/texts";
import { Button } from "../../ui/Button";
import { ErrorState, Skeleton } from "../../ui/feedback";
import { Card } from "../../ui/layout";
import { ProviderIcon } from "../../ui/logos";
import { useToast } from "../../ui/Toast";
import { linkedAccountsQuery } from "../queries";

/** The providers that the user can sign in with, and those that the user could link. */
export function LinkedAccountsCard() {
	const tenant = useTenant();
	const { client, options } = tenant;
	const { account, errors } = useTexts();
	const errorMessage = useErrorMessage();
	const { pageUrl } = useReturnUrl();
	const nameOf = (id: string) => options.providerNames?.[id] ?? providerOf(id).name;
	const toast = useToast();
	const { data: accounts, error, refetch } = useQuery(linkedAccountsQuery(tenant));
	const onError = (failure: Error) => toast(errorMessage(failure), "danger");

	// The client opens the URL of the response.
	const link = useApiMutation({
		mutationFn: (provider: string) =>
			callApi(
				client.linkSocial({
					provider,
					callbackURL: pageUrl("account"),
					errorCallbackURL: pageUrl("error"),
				}),
			),
		onError,
	});
	const unlink = useApiMutation({
		mutationFn: (accountId: string) => callApi(client.unlinkAccount({ accountId })),
		invalidate: [linkedAccountsQuery(tenant).queryKey],
		onError,
	});

	const linked = accounts?.filter(({ providerId }) => providerId !== "credential") ?? [];
	const available = options.providers.filter(
		(id) => !linked.some(({ providerId }) => providerId === id),
	);
	if (accounts && linked.length === 0 && available.length === 0) return null;
	return (
		<Card title={account.linked} hint={account.linkedHint}>
			{error && (
				<ErrorState error={error} message={errorMessage(error)} onRetry={() => refetch()} />
			)}
			{!accounts && !error && (
				<div aria-busy="true">
					<Skeleton kind="control" />
				</div>
			)}
			<ul className="items">
				{linked.map(({ id, providerId, accountId }) => (
					<ProviderItem
						key={id}
						providerId={providerId}
						name={nameOf(providerId)}
						accountId={accountId}
					>
						<Button
							size="small"
							aria-label={account.unlinkWhat(nameOf(providerId))}
							busy={unlink.isPending && unlink.variables === id}
							// The server rejects it too.
							unavailable={accounts?.length === 1 ? errors.FAILED_TO_UNLINK_LAST_ACCOUNT : null}
							onClick={() => unlink.mutate(id)}
						>
							{account.unlink}
						</Button>
					</ProviderItem>
				))}
				{accounts &&
					available.map((id) => (
						<ProviderItem key={id} providerId={id} name={nameOf(id)}>
							<Button
								size="small"
								aria-label={account.linkWhat(nameOf(id))}
								busy={(link.isPending || link.isSuccess) && link.variables === id}
								onClick={() => link.mutate(id)}
							>
								{account.link}
							</Button>
						</ProviderItem>
					))}
			</ul>
		</Card>
	);
}

type ProviderItemProps = {
	providerId: string;
	name: string;
	accountId?: string;
	children: ReactNode;
};

function ProviderItem({ providerId, name, accountId, children }: ProviderItemProps) {
	return (
		<li>
			<ProviderIcon providerId={providerId} />
			<div className="item-text">
				<p className="item-title">{name}</p>
				{accountId && <p className="muted small break">{accountId}</p>}
			</div>
			{children}
		</li>
	);
}
