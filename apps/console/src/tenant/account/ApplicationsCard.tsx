import { useQuery } from "@tanstack/react-query";
import { callApi } from "../../api/client";
import { useApiMutation } from "../../api/query-client";
import { useErrorMessage } from "../../sign-in/error-messages";
import { useTenant } from "../../sign-in/tenant-context";
import { useTexts } from "../../sign-in/texts/texts";
import { Button } from "../../ui/Button";
import { ErrorState, Skeleton } from "../../ui/feedback";
import { Card } from "../../ui/layout";
import { Logo } from "../../ui/logos";
import { useToast } from "../../ui/Toast";
import { type Grant, grantsQuery } from "../queries";

const TIME = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });

/** The applications that the user has granted access. Most users have none. */
export function ApplicationsCard() {
	const tenant = useTenant();
	const { account } = useTexts();
	const errorMessage = useErrorMessage();
	const toast = useToast();
	const { data: grants, error, refetch } = useQuery(grantsQuery(tenant));
	const remove = useApiMutation({
		mutationFn: async (grant: Grant) => {
			const body = { clientId: grant.clientId };
			await callApi(tenant.client.$fetch("/grant/remove", { method: "POST", body }));
			return grant;
		},
		invalidate: [grantsQuery(tenant).queryKey],
		onSuccess: ({ name }) => toast(account.accessRemoved(name)),
		onError: (failure) => toast(errorMessage(failure), "danger"),
	});
	if (grants?.length === 0) return null;
	return (
		<Card title={account.applications} hint={account.applicationsHint}>
			{error && (
				<ErrorState error={error} message={errorMessage(error)} onRetry={() => refetch()} />
			)}
			{!grants && !error && (
				<div aria-busy="true">
					<Skeleton kind="control" />
				</div>
			)}
			<ul className="items">
				{grants?.map((grant) => (
					<GrantItem
						key={grant.clientId}
						grant={grant}
						busy={remove.isPending && remove.variables.clientId === grant.clientId}
						onRemove={() => remove.mutate(grant)}
					/>
				))}
			</ul>
		</Card>
	);
}

type GrantItemProps = { grant: Grant; busy: boolean; onRemove: () => void };

function GrantItem({ grant: { name, logoUrl, scopes, usedAt }, busy, onRemove }: GrantItemProps) {
	const { account, consent } = useTexts();
	const scopeTexts: Record<string, string> = consent.scopes;
	const shown = scopes.map((scope) => scopeTexts[scope] ?? consent.api(scope));
	return (
		<li>
			<Logo name={name} url={logoUrl ?? undefined} size="small" />
			<div className="item-text">
				<p className="item-title">{name}</p>
				<p className="muted small break">{shown.join(" · ")}</p>
				<p className="muted small">{account.lastUsed(TIME.format(new Date(usedAt)))}</p>
			</div>
			<Button size="small" aria-label={account.removeAccessOf(name)} busy={busy} onClick={onRemove}>
				{account.removeAccess}
			</Button>
		</li>
	);
}
