import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { ManagementAction } from "better-auth-tenant";
import { useState } from "react";
import { Link, useNavigate } from "react-router";
import { useApiMutation } from "../../api/query-client";
import { Button } from "../../ui/Button";
import { Badge, EmptyState, Skeleton } from "../../ui/feedback";
import { Select } from "../../ui/fields";
import type { MenuItem } from "../../ui/Menu";
import type { Column } from "../../ui/Table";
import { useToast } from "../../ui/Toast";
import { useApi } from "../api/context";
import {
	sessionsKey,
	USER_SORTS,
	type User,
	type UserFilters,
	type UserStatus,
	usersKey,
} from "../api/users";
import {
	useMayInTenant,
	useReaches,
	useTenant,
	useTenantCaller,
	useTenantHome,
} from "../current-tenant/tenant-context";
import { Email, Id, Time } from "../details";
import type { BulkAction } from "../lists/BulkBar";
import { DataList } from "../lists/DataList";
import { type ListState, useListState } from "../lists/list-state";
import { titleOf } from "../product";
import { CreateUserDialog } from "./CreateUserDialog";
import { EditUserDialog } from "./EditUserDialog";
import { ExportUsers } from "./ExportUsers";
import { InviteDialog } from "./InviteDialog";
import { BUILT_IN_ROLES, describeRole, roleOf } from "./roles";
import { UsersTabs } from "./UsersTabs";

const COLUMNS: Column<User>[] = [
	{
		title: "Name",
		heading: true,
		sortBy: "name",
		cell: ({ id, name, email }) => <UserLink id={id}>{name || email}</UserLink>,
	},
	{ title: "Email", sortBy: "email", cell: ({ email }) => <Email>{email}</Email> },
	{ title: "Role", cell: (user) => describeRole(roleOf(user)) },
	{ title: "Status", cell: (user) => <UserBadges user={user} /> },
	{
		title: "Created",
		sorted: true,
		cell: ({ createdAt }) => <Time timestamp={createdAt} dateOnly />,
	},
	{ title: "User ID", hidden: true, cell: ({ id }) => <Id>{id}</Id> },
];

/** With the last sign-ins of the users who are shown. There is no index to sort by them. */
function useUserColumns(tenantId: string, users: User[] = []): Column<User>[] {
	const { lastSignInsQuery } = useApi();
	const may = useMayInTenant();
	const maySee = may("sign-in:list");
	const { data, error } = useQuery({
		...lastSignInsQuery(tenantId, maySee ? users.map(({ id }) => id) : []),
		placeholderData: keepPreviousData,
	});
	if (!maySee) return COLUMNS;
	const lastSignIn: Column<User> = {
		title: "Last sign-in",
		cell: ({ id }) => {
			const time = data?.get(id);
			if (time) return <Time timestamp={time} dateOnly />;
			return data || error ? <span className="muted">–</span> : <Skeleton />;
		},
	};
	return COLUMNS.flatMap((column) => (column.sorted ? [lastSignIn, column] : [column]));
}

function UserLink({ id, children }: { id: string; children: string }) {
	const may = useMayInTenant();
	if (!may("user:get")) return <span className="break">{children}</span>;
	return (
		<Link to={id} className="break">
			{children}
		</Link>
	);
}

export function UserBadges({ user: { emailVerified, disabledAt } }: { user: User }) {
	return (
		<span className="badges">
			{disabledAt && <Badge kind="warning">Disabled</Badge>}
			{emailVerified ? <Badge kind="success">Verified</Badge> : <Badge>Not verified</Badge>}
		</span>
	);
}

export function UsersTab() {
	const { usersQuery } = useApi();
	const tenant = useTenant();
	const state = useListState(USER_SORTS);
	const filters = readFilters(state);
	const isFiltered = Object.keys(filters).length > 0;
	const query = useQuery(usersQuery(tenant.id, { ...state.pageParams, ...filters }));
	const totalQuery = useQuery(usersQuery(tenant.id, { ...state.totalParams, ...filters }));
	const [openDialog, setOpenDialog] = useState<"create" | "invite">();
	const close = () => setOpenDialog(undefined);
	const may = useMayInTenant();
	const { rowActions, dialogs } = useRowActions();
	const actions = (
		<>
			{may("invitation:create") && <Button onClick={() => setOpenDialog("invite")}>Invite</Button>}
			{may("user:create") && (
				<Button kind="primary" onClick={() => setOpenDialog("create")}>
					Create user
				</Button>
			)}
		</>
	);
	return (
		<div className="stack">
			<title>{titleOf("Users", tenant.name)}</title>
			<UsersTabs />
			<DataList
				what="users"
				caption={`Users of ${tenant.name}`}
				query={query}
				totalQuery={totalQuery}
				state={state}
				columns={useUserColumns(tenant.id, query.data?.items)}
				rowKey={({ id }) => id}
				rowName={({ email }) => email}
				rowActions={rowActions}
				bulkActions={useBulkActions(tenant.id)}
				search="Search by name or email"
				filters={<Filters state={state} />}
				actions={
					<>
						{isFiltered && (
							<Button onClick={() => state.clearFilters(FILTERS)}>Clear filters</Button>
						)}
						<ExportUsers search={state.search} filters={filters} order={state.orderParams} />
						{actions}
					</>
				}
				noMatches={isFiltered && <EmptyState title="No users match these filters" />}
				empty={
					<EmptyState title="No users yet">
						Users appear here after they sign up or sign in with a provider.
						{may("user:create") && " You can also create, invite and import them."}
					</EmptyState>
				}
			/>
			<CreateUserDialog tenantId={tenant.id} open={openDialog === "create"} onClose={close} />
			<InviteDialog tenant={tenant} open={openDialog === "invite"} onClose={close} />
			{dialogs}
		</div>
	);
}

/** The names in the URL. */
const FILTERS = ["status", "role"] as const;

const STATUSES: Record<UserStatus, string> = {
	active: "Active",
	disabled: "Disabled",
	unverified: "Not verified",
};

function readFilters({ filter }: ListState): UserFilters {
	const [status, role] = [filter("status"), filter("role")];
	return { ...(isStatus(status) ? { status } : {}), ...(role ? { role } : {}) };
}

const isStatus = (text: string): text is UserStatus => Object.hasOwn(STATUSES, text);

function Filters({ state }: { state: ListState }) {
	const { roles } = useTenantCaller();
	const chosen = state.filter("role");
	const all = [...new Set([...BUILT_IN_ROLES, ...roles, ...(chosen ? [chosen] : [])])];
	return (
		<div className="filters filters-few">
			<Select
				label="Status"
				options={[
					{ value: "", label: "All users" },
					...Object.entries(STATUSES).map(([value, label]) => ({ value, label })),
				]}
				value={state.filter("status")}
				onValueChange={(status) => state.setFilter("status", status)}
			/>
			<Select
				label="Role"
				options={[
					{ value: "", label: "All roles" },
					...all.map((role) => ({ value: role, label: describeRole(role) })),
				]}
				value={chosen}
				onValueChange={(role) => state.setFilter("role", role)}
			/>
		</div>
	);
}

function useRowActions() {
	const { id: tenantId } = useTenant();
	const home = useTenantHome();
	const navigate = useNavigate();
	const toast = useToast();
	const { disableUser, enableUser, sendPasswordReset } = useApi();
	const [edited, setEdited] = useState<User>();
	const may = useMayInTenant();
	const reaches = useReaches();
	const onError = ({ message }: Error) => toast(message, "danger");
	const setDisabled = useApiMutation({
		mutationFn: ({ id, disabledAt }: User) =>
			disabledAt ? enableUser(tenantId, id) : disableUser(tenantId, id),
		invalidate: [usersKey(tenantId), sessionsKey(tenantId), ["user", tenantId]],
		onSuccess: ({ email, disabledAt }) =>
			toast(disabledAt ? `${email} was disabled.` : `${email} was enabled.`),
		onError,
	});
	const reset = useApiMutation({
		mutationFn: ({ id }: User) => sendPasswordReset(tenantId, id),
		successMessage: "Password reset sent.",
		onError,
	});
	const rowActions = (user: User): MenuItem[] => {
		const mayChange = (action: ManagementAction) => may(action) && reaches(roleOf(user));
		return [
			...(may("user:get")
				? [{ label: "Open", onSelect: () => void navigate(`${home}/users/${user.id}`) }]
				: []),
			...(mayChange("user:update") ? [{ label: "Edit", onSelect: () => setEdited(user) }] : []),
			...(mayChange("user:send-password-reset")
				? [{ label: "Send password reset", onSelect: () => reset.mutate(user) }]
				: []),
			...(mayChange(user.disabledAt ? "user:enable" : "user:disable")
				? [
						{
							label: user.disabledAt ? "Enable" : "Disable",
							danger: !user.disabledAt,
							onSelect: () => setDisabled.mutate(user),
						},
					]
				: []),
		];
	};
	const dialogs = edited && (
		<EditUserDialog tenantId={tenantId} user={edited} open onClose={() => setEdited(undefined)} />
	);
	return { rowActions, dialogs };
}

function useBulkActions(tenantId: string): BulkAction<User>[] {
	const { disableUser, enableUser, revokeUserSessions } = useApi();
	const may = useMayInTenant();
	const reaches = useReaches();
	const invalidate = [usersKey(tenantId), sessionsKey(tenantId), ["user", tenantId]];
	const actions: (BulkAction<User> & { action: ManagementAction })[] = [
		{
			action: "user:disable",
			label: "Disable",
			done: "disabled",
			explanation:
				"These users are signed out and cannot sign in, until you enable them. No data is deleted.",
			danger: true,
			isFor: (user) => !user.disabledAt && reaches(roleOf(user)),
			run: ({ id }) => disableUser(tenantId, id),
			invalidate,
		},
		{
			action: "user:enable",
			label: "Enable",
			done: "enabled",
			explanation: "These users can sign in again.",
			isFor: (user) => Boolean(user.disabledAt) && reaches(roleOf(user)),
			run: ({ id }) => enableUser(tenantId, id),
			invalidate,
		},
		{
			action: "user:revoke-sessions",
			label: "Sign out",
			done: "signed out",
			explanation: "This revokes all sessions of these users. They can sign in again.",
			danger: true,
			isFor: (user) => reaches(roleOf(user)),
			run: ({ id }) => revokeUserSessions(tenantId, id),
			invalidate,
		},
	];
	return actions.filter(({ action }) => may(action));
}
