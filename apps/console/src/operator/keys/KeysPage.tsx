import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-router";
import { Button } from "../../ui/Button";
import { Badge, EmptyState } from "../../ui/feedback";
import type { Column } from "../../ui/Table";
import { useApi } from "../api/context";
import { keysQuery, labelOfScope, type OperatorKey, revokeKey } from "../api/operators";
import { Expiry, Time } from "../details";
import { LoadedTable } from "../lists/Loaded";
import { RevokeButton } from "../RevokeButton";
import { ServicePageHeader } from "../ServicePageHeader";
import { useMay } from "../session/operator";
import { NewKeyDialog } from "./NewKeyDialog";

export function KeysPage() {
	const may = useMay();
	const [isOpen, setOpen] = useState(false);
	const columns: Column<OperatorKey>[] = [
		{
			title: "Key",
			heading: true,
			cell: ({ name, start, createdBy }) => (
				<span>
					{name}
					<span className="muted small subtext">
						<code>{start}…</code>
						{createdBy && ` · made by ${createdBy}`}
					</span>
				</span>
			),
		},
		{
			title: "Scopes",
			cell: ({ scopes }) => (
				<span className="badges">
					{scopes.map((scope) => (
						<Badge key={scope}>{labelOfScope(scope)}</Badge>
					))}
				</span>
			),
		},
		{
			title: "Tenant",
			cell: ({ tenantId }) =>
				tenantId ? <TenantName tenantId={tenantId} /> : <span className="muted">All</span>,
		},
		{ title: "Expires", cell: ({ expiresAt }) => <Expiry expiresAt={expiresAt} /> },
		{
			title: "Last used",
			cell: ({ lastUsedAt }) =>
				lastUsedAt ? <Time timestamp={lastUsedAt} /> : <span className="muted">Never</span>,
		},
		...(may("key:revoke")
			? [
					{
						title: "Actions",
						hideTitle: true,
						align: "end",
						cell: ({ id, name }) => (
							<RevokeButton
								what="key"
								name={name}
								revoke={() => revokeKey(id)}
								queryKey={keysQuery.queryKey}
							>
								Programs that use it are refused at once. You cannot undo this.
							</RevokeButton>
						),
					} satisfies Column<OperatorKey>,
				]
			: []),
	];
	return (
		<div className="stack">
			<ServicePageHeader
				title="Keys"
				hint="For programs that call the management API. A program sends its key as a bearer token."
				actions={
					may("key:create") && (
						<Button kind="primary" onClick={() => setOpen(true)}>
							New key
						</Button>
					)
				}
			/>
			<LoadedTable
				caption="Keys"
				columns={columns}
				query={useQuery(keysQuery)}
				rowKey={({ id }) => id}
				empty={
					<EmptyState title="No keys yet">
						A key can do only what its scopes say. It can be limited to one tenant, and revoked at
						any time.
					</EmptyState>
				}
			/>
			<NewKeyDialog open={isOpen} onClose={() => setOpen(false)} />
		</div>
	);
}

/** A link with the tenant's name. */
function TenantName({ tenantId }: { tenantId: string }) {
	const { tenantQuery } = useApi();
	const { data } = useQuery(tenantQuery(tenantId));
	return <Link to={`/tenants/${tenantId}`}>{data?.name ?? tenantId}</Link>;
}
