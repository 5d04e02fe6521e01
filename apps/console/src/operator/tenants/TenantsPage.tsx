import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { Link, useNavigate } from "react-router";
import { formatCount } from "../../format";
import { Button, CopyButton } from "../../ui/Button";
import { Badge, EmptyState, Skeleton } from "../../ui/feedback";
import { Select } from "../../ui/fields";
import type { MenuItem } from "../../ui/Menu";
import type { Column } from "../../ui/Table";
import { useApi } from "../api/context";
import type { TenantCounts } from "../api/service";
import { TENANT_SORTS, TENANTS_KEY, type Tenant, type TenantFilters } from "../api/tenants";
import { TenantLogo } from "../current-tenant/TenantLogo";
import { Id, Time } from "../details";
import type { BulkAction } from "../lists/BulkBar";
import { DataList } from "../lists/DataList";
import { type ListState, useListState } from "../lists/list-state";
import { ServicePageHeader } from "../ServicePageHeader";
import { useMay } from "../session/operator";
import { DeleteTenantDialog, SuspendTenantDialog, useResumeTenant } from "./DangerZone";
import { ExportTenants } from "./ExportTenants";

const COLUMNS: Column<Tenant>[] = [
	{
		title: "Name",
		heading: true,
		sortBy: "name",
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
		sortBy: "slug",
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
	{
		title: "Created",
		sorted: true,
		cell: ({ createdAt }) => <Time timestamp={createdAt} dateOnly />,
	},
	{ title: "Updated", hidden: true, cell: ({ updatedAt }) => <Time timestamp={updatedAt} /> },
	{ title: "Tenant ID", hidden: true, cell: ({ id }) => <Id>{id}</Id> },
];

/** With what the service counts for the tenants that are shown. */
function useTenantColumns(tenants: Tenant[] = []): Column<Tenant>[] {
	const { tenantCountsQuery } = useApi();
	const may = useMay();
	const maySee = may("service:overview");
	const { data, error } = useQuery({
		...tenantCountsQuery(maySee ? tenants.map(({ id }) => id) : []),
		placeholderData: keepPreviousData,
	});
	if (!maySee) return COLUMNS;
	const counted = (show: (counts: TenantCounts) => ReactNode) => (tenant: Tenant) => {
		const counts = data?.get(tenant.id);
		if (counts) return show(counts);
		return data || error ? <span className="muted">–</span> : <Skeleton />;
	};
	const added: Column<Tenant>[] = [
		{
			title: "Users",
			align: "end",
			cell: counted(({ users, hasMoreUsers }) => `${formatCount(users)}${hasMoreUsers ? "+" : ""}`),
		},
		{
			title: "Last activity",
			cell: counted(({ lastActivityAt }) =>
				lastActivityAt ? (
					<Time timestamp={lastActivityAt} dateOnly />
				) : (
					<span className="muted">None</span>
				),
			),
		},
	];
	return COLUMNS.flatMap((column) => (column.sorted ? [...added, column] : [column]));
}

const readFilters = ({ filter }: ListState): TenantFilters => {
	const status = filter("status");
	return status === "open" || status === "suspended" ? { status } : {};
};

function StatusFilter({ state }: { state: ListState }) {
	return (
		<div className="filters filters-few">
			<Select
				label="Status"
				options={[
					{ value: "", label: "All tenants" },
					{ value: "open", label: "Open" },
					{ value: "suspended", label: "Suspended" },
				]}
				value={readFilters(state).status ?? ""}
				onValueChange={(status) => state.setFilter("status", status)}
			/>
		</div>
	);
}

const NoMatches = ({ state }: { state: ListState }) => (
	<EmptyState
		title="No tenants have this status"
		action={<Button onClick={() => state.clearFilters(["status"])}>Show all tenants</Button>}
	/>
);

const newTenantLink = (
	<Link to="/tenants/new" className="button button-primary">
		New tenant
	</Link>
);

const importTenantLink = (
	<Link to="/tenants/import" className="button button-secondary">
		Import tenant
	</Link>
);

export function TenantsPage() {
	const { tenantsQuery } = useApi();
	const state = useListState(TENANT_SORTS);
	const filters = readFilters(state);
	const query = useQuery(tenantsQuery({ ...state.pageParams, ...filters }));
	const totalQuery = useQuery(tenantsQuery({ ...state.totalParams, ...filters }));
	const { rowActions, dialogs } = useRowActions();
	const may = useMay();
	const createLink = may("tenant:create") && newTenantLink;
	const actions = (
		<>
			{may("tenant:import") && importTenantLink}
			{createLink}
		</>
	);
	return (
		<div className="stack">
			<ServicePageHeader title="Tenants" actions={actions} />
			<DataList
				what="tenants"
				caption="Tenants"
				query={query}
				totalQuery={totalQuery}
				state={state}
				columns={useTenantColumns(query.data?.items)}
				rowKey={({ id }) => id}
				rowName={({ name }) => name}
				rowActions={rowActions}
				bulkActions={useBulkActions()}
				search="Search by name or slug"
				filters={<StatusFilter state={state} />}
				actions={
					<ExportTenants search={state.search} filters={filters} order={state.orderParams} />
				}
				noMatches={filters.status && <NoMatches state={state} />}
				empty={
					<EmptyState title="No tenants yet" action={createLink}>
						Each tenant has its own users, providers and sign-in pages.
					</EmptyState>
				}
			/>
			{dialogs}
		</div>
	);
}

function useRowActions() {
	const navigate = useNavigate();
	const resume = useResumeTenant();
	const [open, setOpen] = useState<{ dialog: "suspend" | "delete"; tenant: Tenant }>();
	const close = () => setOpen(undefined);
	const may = useMay();
	const rowActions = (tenant: Tenant): MenuItem[] => {
		const goTo = (page: string) => () => void navigate(`/tenants/${tenant.id}/${page}`);
		const suspend = { label: "Suspend", onSelect: () => setOpen({ dialog: "suspend", tenant }) };
		const resumeItem = { label: "Resume", onSelect: () => resume.mutate(tenant) };
		const remove = {
			label: "Delete",
			danger: true,
			onSelect: () => setOpen({ dialog: "delete", tenant }),
		};
		return [
			...(may("user:list") ? [{ label: "Users", onSelect: goTo("users") }] : []),
			...(may("tenant:get") ? [{ label: "Settings", onSelect: goTo("settings") }] : []),
			...(may("tenant:suspend") && !tenant.suspendedAt ? [suspend] : []),
			...(may("tenant:resume") && tenant.suspendedAt ? [resumeItem] : []),
			...(may("tenant:delete") ? [remove] : []),
		];
	};
	const dialogs = open && (
		<>
			<SuspendTenantDialog tenant={open.tenant} open={open.dialog === "suspend"} onClose={close} />
			<DeleteTenantDialog tenant={open.tenant} open={open.dialog === "delete"} onClose={close} />
		</>
	);
	return { rowActions, dialogs };
}

function useBulkActions(): BulkAction<Tenant>[] {
	const { suspendTenant, resumeTenant } = useApi();
	const may = useMay();
	const invalidate = [TENANTS_KEY, ["tenant"]];
	const actions: (BulkAction<Tenant> & { action: string })[] = [
		{
			action: "tenant:suspend",
			label: "Suspend",
			done: "suspended",
			explanation:
				"All users of these tenants lose access at once, until you resume the tenants. No data is deleted.",
			danger: true,
			isFor: ({ suspendedAt }) => !suspendedAt,
			run: ({ id }) => suspendTenant(id),
			invalidate,
		},
		{
			action: "tenant:resume",
			label: "Resume",
			done: "resumed",
			explanation: "Users of these tenants can sign in again, and their sessions work again.",
			isFor: ({ suspendedAt }) => Boolean(suspendedAt),
			run: ({ id }) => resumeTenant(id),
			invalidate,
		},
	];
	return actions.filter(({ action }) => may(action));
}
