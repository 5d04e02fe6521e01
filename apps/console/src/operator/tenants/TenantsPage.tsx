import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useNavigate } from "react-router";
import { CopyButton } from "../../ui/Button";
import { Badge, EmptyState } from "../../ui/feedback";
import { PageHeader } from "../../ui/layout";
import type { MenuItem } from "../../ui/Menu";
import type { Column } from "../../ui/Table";
import { useApi } from "../api/context";
import { TENANTS_KEY, type Tenant } from "../api/tenants";
import { TenantLogo } from "../current-tenant/TenantLogo";
import { Id, Time } from "../details";
import type { BulkAction } from "../lists/BulkBar";
import { DataList } from "../lists/DataList";
import { useListState } from "../lists/list-state";
import { titleOf } from "../product";
import { useMay } from "../session/operator";
import { DeleteTenantDialog, SuspendTenantDialog, useResumeTenant } from "./DangerZone";

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
	{
		title: "Created",
		sorted: true,
		cell: ({ createdAt }) => <Time timestamp={createdAt} dateOnly />,
	},
	{ title: "Updated", hidden: true, cell: ({ updatedAt }) => <Time timestamp={updatedAt} /> },
	{ title: "Tenant ID", hidden: true, cell: ({ id }) => <Id>{id}</Id> },
];

const newTenantLink = (
	<Link to="/tenants/new" className="button button-primary">
		New tenant
	</Link>
);

export function TenantsPage() {
	const { tenantsQuery } = useApi();
	const state = useListState();
	const query = useQuery(tenantsQuery(state.pageParams));
	const totalQuery = useQuery(tenantsQuery(state.totalParams));
	const { rowActions, dialogs } = useRowActions();
	const createLink = useMay()("tenant:create") && newTenantLink;
	return (
		<div className="stack">
			<title>{titleOf("Tenants")}</title>
			<PageHeader title="Tenants" focus={false} actions={createLink} />
			<DataList
				what="tenants"
				caption="Tenants"
				query={query}
				totalQuery={totalQuery}
				state={state}
				columns={COLUMNS}
				rowKey={({ id }) => id}
				rowName={({ name }) => name}
				rowActions={rowActions}
				bulkActions={useBulkActions()}
				search="Search by name or slug"
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
