import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-router";
import { useApiMutation } from "../../api/query-client";
import { describeDevice } from "../../device";
import { Button } from "../../ui/Button";
import { Confirm } from "../../ui/Dialog";
import { EmptyState } from "../../ui/feedback";
import type { Column } from "../../ui/Table";
import { useApi } from "../api/context";
import { type Session, sessionsKey, userKey } from "../api/users";
import { TenantPageHeader } from "../current-tenant/TenantPageHeader";
import {
	useMayInTenant,
	useReaches,
	useTenant,
	useTenantHome,
} from "../current-tenant/tenant-context";
import { Email, Id, Time } from "../details";
import type { BulkAction } from "../lists/BulkBar";
import { DataList } from "../lists/DataList";
import { useListState } from "../lists/list-state";

export function SessionsTab() {
	const { sessionsQuery } = useApi();
	const tenant = useTenant();
	const home = useTenantHome();
	const state = useListState();
	const query = useQuery(sessionsQuery(tenant.id, state.pageParams));
	const totalQuery = useQuery(sessionsQuery(tenant.id, state.totalParams));
	const may = useMayInTenant();
	const reaches = useReaches();
	const canRevoke = ({ user }: Session) => may("session:revoke") && reaches(user.role);
	const userColumn: Column<Session> = {
		title: "User",
		heading: true,
		cell: ({ user }) =>
			may("user:get") ? (
				<Link to={`${home}/users/${user.id}`}>
					<Email>{user.email}</Email>
				</Link>
			) : (
				<Email>{user.email}</Email>
			),
	};
	return (
		<div className="stack">
			<TenantPageHeader title="Sessions" />
			<DataList
				what="sessions"
				caption={`Sessions of ${tenant.name}`}
				query={query}
				totalQuery={totalQuery}
				state={state}
				columns={[userColumn, ...sessionColumns(tenant.id, { withUser: true, canRevoke })]}
				rowKey={({ id }) => id}
				rowName={({ user, userAgent }) => `${user.email}, ${describeDevice(userAgent)}`}
				bulkActions={useBulkActions(tenant.id).filter(() => may("session:revoke"))}
				search="Search by user name or email"
				empty={
					<EmptyState title="No active sessions">
						Sessions appear here until they expire.
					</EmptyState>
				}
			/>
		</div>
	);
}

function useBulkActions(tenantId: string): BulkAction<Session>[] {
	const { revokeSession } = useApi();
	const reaches = useReaches();
	return [
		{
			label: "Revoke",
			done: "revoked",
			explanation: "This signs the users out on these devices. They can sign in again.",
			danger: true,
			isFor: ({ user }) => reaches(user.role),
			run: ({ id, user }) => revokeSession(tenantId, user.id, id),
			invalidate: [sessionsKey(tenantId), ["user", tenantId]],
		},
	];
}

export function sessionColumns(
	tenantId: string,
	{ withUser, canRevoke }: { withUser: boolean; canRevoke: (session: Session) => boolean },
): Column<Session>[] {
	return [
		{
			title: "Device",
			heading: !withUser,
			cell: ({ userAgent, ipAddress }) => (
				<span className="time" title={userAgent ?? undefined}>
					{describeDevice(userAgent)}
					<span className="muted small subtext">{ipAddress}</span>
				</span>
			),
		},
		{ title: "Created", sorted: true, cell: ({ createdAt }) => <Time timestamp={createdAt} /> },
		{ title: "Expires", cell: ({ expiresAt }) => <Time timestamp={expiresAt} /> },
		{ title: "Session ID", hidden: true, cell: ({ id }) => <Id>{id}</Id> },
		{
			title: "Actions",
			hideTitle: true,
			align: "end",
			cell: (session) =>
				canRevoke(session) && <RevokeSession tenantId={tenantId} session={session} />,
		},
	];
}

function RevokeSession({ tenantId, session }: { tenantId: string; session: Session }) {
	const { revokeSession } = useApi();
	const { id, user, userAgent } = session;
	const device = describeDevice(userAgent);
	const [isOpen, setOpen] = useState(false);
	const revoke = useApiMutation({
		mutationFn: () => revokeSession(tenantId, user.id, id),
		successMessage: "Session revoked.",
		invalidate: [sessionsKey(tenantId), userKey(tenantId, user.id)],
		onSuccess: () => setOpen(false),
	});
	return (
		<>
			<Button
				size="small"
				aria-label={`Revoke the session of ${user.email} on ${device}`}
				onClick={() => setOpen(true)}
			>
				Revoke
			</Button>
			<Confirm
				title="Revoke this session?"
				action="Revoke session"
				open={isOpen}
				mutation={revoke}
				onClose={() => setOpen(false)}
			>
				<p>
					This signs {user.name || user.email} out of {device}. The user can sign in again.
				</p>
			</Confirm>
		</>
	);
}
