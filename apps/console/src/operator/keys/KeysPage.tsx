import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-router";
import { useApiMutation } from "../../api/query-client";
import { Button } from "../../ui/Button";
import { ConfirmByTyping } from "../../ui/Dialog";
import { Badge, EmptyState } from "../../ui/feedback";
import { PageHeader } from "../../ui/layout";
import type { Column } from "../../ui/Table";
import { useApi } from "../api/context";
import { keysQuery, labelOfScope, type OperatorKey, revokeKey } from "../api/operators";
import { Time } from "../details";
import { LoadedTable } from "../lists/Loaded";
import { titleOf } from "../product";
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
						cell: (key) => <RevokeButton operatorKey={key} />,
					} satisfies Column<OperatorKey>,
				]
			: []),
	];
	return (
		<div className="stack">
			<title>{titleOf("Keys")}</title>
			<PageHeader
				title="Keys"
				focus={false}
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

function Expiry({ expiresAt }: Pick<OperatorKey, "expiresAt">) {
	if (!expiresAt) return <span className="muted">Never</span>;
	if (new Date(expiresAt) <= new Date()) return <Badge kind="danger">Expired</Badge>;
	return <Time timestamp={expiresAt} dateOnly />;
}

function RevokeButton({ operatorKey: { id, name } }: { operatorKey: OperatorKey }) {
	const [isOpen, setOpen] = useState(false);
	const revoke = useApiMutation({
		mutationFn: () => revokeKey(id),
		successMessage: `${name} was revoked.`,
		invalidate: [keysQuery.queryKey],
		onSuccess: () => setOpen(false),
	});
	return (
		<>
			<Button size="small" aria-label={`Revoke ${name}`} onClick={() => setOpen(true)}>
				Revoke
			</Button>
			<ConfirmByTyping
				title="Revoke this key?"
				expected={name}
				expectedName="the name"
				action="Revoke key"
				open={isOpen}
				mutation={revoke}
				onClose={() => setOpen(false)}
			>
				<p>Programs that use it are refused at once. You cannot undo this.</p>
			</ConfirmByTyping>
		</>
	);
}
