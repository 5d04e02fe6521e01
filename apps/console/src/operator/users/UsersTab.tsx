import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useNavigate } from "react-router";
import { useApiMutation } from "../../api/query-client";
import { Button } from "../../ui/Button";
import { Badge, EmptyState } from "../../ui/feedback";
import type { MenuItem } from "../../ui/Menu";
import type { Column } from "../../ui/Table";
import { useToast } from "../../ui/Toast";
import { useApi } from "../api/context";
import { sessionsKey, type User, usersKey } from "../api/users";
import { Email, Id, Time } from "../details";
import type { BulkAction } from "../lists/BulkBar";
import { DataList } from "../lists/DataList";
import { useListState } from "../lists/list-state";
import { titleOf } from "../product";
import { useTenant, useTenantHome } from "../tenants/tenant-context";
import { CreateUserDialog } from "./CreateUserDialog";
import { EditUserDialog } from "./EditUserDialog";
import { InviteDialog } from "./InviteDialog";
import { describeRole, roleOf } from "./roles";
import { UsersTabs } from "./UsersTabs";

const COLUMNS: Column<User>[] = [
	{
		title: "Name",
		heading: true,
		cell: ({ id, name, email }) => (
			<Link to={id} className="break">
				{name || email}
			</Link>
		),
	},
	{ title: "Email", cell: ({ email }) => <Email>{email}</Email> },
	{ title: "Role", cell: (user) => describeRole(roleOf(user)) },
	{ title: "Status", cell: (user) => <UserStatus user={user} /> },
	{
		title: "Created",
		sorted: true,
		cell: ({ createdAt }) => <Time timestamp={createdAt} dateOnly />,
	},
	{ title: "User ID", hidden: true, cell: ({ id }) => <Id>{id}</Id> },
];

export function UserStatus({ user: { emailVerified, disabledAt } }: { user: User }) {
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
	const state = useListState();
	const query = useQuery(usersQuery(tenant.id, state.pageParams));
	const totalQuery = useQuery(usersQuery(tenant.id, state.totalParams));
	const [openDialog, setOpenDialog] = useState<"create" | "invite">();
	const close = () => setOpenDialog(undefined);
	const { rowActions, dialogs } = useRowActions();
	const actions = (
		<>
			<Button onClick={() => setOpenDialog("invite")}>Invite</Button>
			<Button kind="primary" onClick={() => setOpenDialog("create")}>
				Create user
			</Button>
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
				columns={COLUMNS}
				rowKey={({ id }) => id}
				rowName={({ email }) => email}
				rowActions={rowActions}
				bulkActions={useBulkActions(tenant.id)}
				search="Search by name or email"
				actions={actions}
				empty={
					<EmptyState title="No users yet">
						Users appear here after they sign up or sign in with a provider. You can also create,
						invite and import them.
					</EmptyState>
				}
			/>
			<CreateUserDialog tenantId={tenant.id} open={openDialog === "create"} onClose={close} />
			<InviteDialog tenant={tenant} open={openDialog === "invite"} onClose={close} />
			{dialogs}
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
	const rowActions = (user: User): MenuItem[] => [
		{ label: "Open", onSelect: () => void navigate(`${home}/users/${user.id}`) },
		{ label: "Edit", onSelect: () => setEdited(user) },
		{ label: "Send password reset", onSelect: () => reset.mutate(user) },
		{
			label: user.disabledAt ? "Enable" : "Disable",
			danger: !user.disabledAt,
			onSelect: () => setDisabled.mutate(user),
		},
	];
	const dialogs = edited && (
		<EditUserDialog tenantId={tenantId} user={edited} open onClose={() => setEdited(undefined)} />
	);
	return { rowActions, dialogs };
}

function useBulkActions(tenantId: string): BulkAction<User>[] {
	const { disableUser, enableUser, revokeUserSessions } = useApi();
	const invalidate = [usersKey(tenantId), sessionsKey(tenantId), ["user", tenantId]];
	return [
		{
			label: "Disable",
			done: "disabled",
			explanation:
				"These users are signed out and cannot sign in, until you enable them. No data is deleted.",
			danger: true,
			isFor: ({ disabledAt }) => !disabledAt,
			run: ({ id }) => disableUser(tenantId, id),
			invalidate,
		},
		{
			label: "Enable",
			done: "enabled",
			explanation: "These users can sign in again.",
			isFor: ({ disabledAt }) => Boolean(disabledAt),
			run: ({ id }) => enableUser(tenantId, id),
			invalidate,
		},
		{
			label: "Sign out",
			done: "signed out",
			explanation: "This revokes all sessions of these users. They can sign in again.",
			danger: true,
			run: ({ id }) => revokeUserSessions(tenantId, id),
			invalidate,
		},
	];
}
