import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { Badge } from "../../ui/Badge";
import { CopyButton } from "../../ui/CopyButton";
import { EmptyState } from "../../ui/EmptyState";
import { PageHeader } from "../../ui/PageHeader";
import type { Column } from "../../ui/Table";
import { listTenants, type Tenant } from "../api/tenants";
import { Time } from "../format/Time";
import { ListTable } from "../lists/ListTable";
import { useListState } from "../lists/list-state";
import { NothingFound } from "../lists/NothingFound";
import { Toolbar } from "../lists/Toolbar";
import { TenantLogo } from "./TenantLogo";

const COLUMNS: Column<Tenant>[] = [
	{
		title: "Name",
		heading: true,
		cell: (tenant) => (
			<span className="with-logo">
				<TenantLogo tenant={tenant} size="small" />
				<Link to={`/tenants/${tenant.id}`} className="break">
					{tenant.name}
				</Link>
			</span>
		),
	},
	{
		title: "Slug",
		cell: ({ slug }) => (
			<span className="with-button">
				<code className="break">{slug}</code>
				<CopyButton value={slug} what={`slug ${slug}`} />
			</span>
		),
	},
	{
		title: "State",
		cell: ({ suspendedAt }) =>
			suspendedAt ? <Badge kind="warning">Suspended</Badge> : <Badge kind="success">Active</Badge>,
	},
	{ title: "Created", cell: ({ createdAt }) => <Time moment={createdAt} withHour={false} /> },
];

const newTenant = (
	<Link to="/tenants/new" className="button button-primary">
		New tenant
	</Link>
);

export function TenantsPage() {
	const state = useListState();
	const query = useQuery({
		queryKey: ["tenants", state.window],
		queryFn: () => listTenants(state.window),
		placeholderData: keepPreviousData,
	});
	return (
		<div className="stack">
			<title>Tenants · Console</title>
			<PageHeader title="Tenants" focus={false} actions={newTenant} />
			<Toolbar label="Search by name or slug" state={state} />
			<ListTable
				what="tenants"
				caption="Tenants"
				query={query}
				state={state}
				columns={COLUMNS}
				rowKey={({ id }) => id}
				empty={
					state.search ? (
						<NothingFound what="tenants" state={state} />
					) : (
						<EmptyState title="There are no tenants yet" action={newTenant}>
							A tenant has users, providers and sign-in pages of its own.
						</EmptyState>
					)
				}
			/>
		</div>
	);
}
