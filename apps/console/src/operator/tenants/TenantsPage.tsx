import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { CopyButton } from "../../ui/Button";
import { Badge, EmptyState } from "../../ui/feedback";
import { PageHeader } from "../../ui/layout";
import type { Column } from "../../ui/lists";
import { type Tenant, tenantsQuery } from "../api/tenants";
import { Time } from "../details";
import { ListSearch, ListTable, NoMatches, useListState } from "../lists";
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
		title: "Status",
		cell: ({ suspendedAt }) =>
			suspendedAt ? <Badge kind="warning">Suspended</Badge> : <Badge kind="success">Open</Badge>,
	},
	{ title: "Created", cell: ({ createdAt }) => <Time timestamp={createdAt} dateOnly /> },
];

const newTenantLink = (
	<Link to="/tenants/new" className="button button-primary">
		New tenant
	</Link>
);

export function TenantsPage() {
	const state = useListState();
	const query = useQuery(tenantsQuery(state.pageParams));
	const totalQuery = useQuery(tenantsQuery(state.totalParams));
	return (
		<div className="stack">
			<title>Tenants · Console</title>
			<PageHeader title="Tenants" focus={false} actions={newTenantLink} />
			<ListSearch label="Search by name or slug" state={state} />
			<ListTable
				what="tenants"
				caption="Tenants"
				query={query}
				totalQuery={totalQuery}
				state={state}
				columns={COLUMNS}
				rowKey={({ id }) => id}
				empty={
					state.search ? (
						<NoMatches what="tenants" state={state} />
					) : (
						<EmptyState title="No tenants yet" action={newTenantLink}>
							Each tenant has its own users, providers and sign-in pages.
						</EmptyState>
					)
				}
			/>
		</div>
	);
}
