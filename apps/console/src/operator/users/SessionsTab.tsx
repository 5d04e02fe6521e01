import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-router";
import { useApiMutation } from "../../api/query-client";
import { describeDevice } from "../../device";
import { Button } from "../../ui/Button";
import { ConfirmByTyping } from "../../ui/Dialog";
import { EmptyState } from "../../ui/feedback";
import type { Column } from "../../ui/lists";
import { revokeSession, type Session, sessionsKey, sessionsQuery, userQuery } from "../api/users";
import { Time } from "../details";
import { ListSearch, ListTable, NoMatches, useListState } from "../lists";
import { useTenant } from "../tenants/TenantPage";

export function SessionsTab() {
	const tenant = useTenant();
	const state = useListState();
	const query = useQuery(sessionsQuery(tenant.id, state.pageParams));
	const totalQuery = useQuery(sessionsQuery(tenant.id, state.totalParams));
	return (
		<div className="stack">
			<h2 className="visually-hidden">Sessions</h2>
			<ListSearch label="Search by user name or email" state={state} />
			<ListTable
				what="sessions"
				caption={`Sessions of ${tenant.name}`}
				query={query}
				totalQuery={totalQuery}
				state={state}
				columns={sessionColumns(tenant.id, { withUser: true })}
				rowKey={({ id }) => id}
				empty={
					state.search ? (
						<NoMatches what="sessions" state={state} />
					) : (
						<EmptyState title="No active sessions">
							Sessions appear here until they expire.
						</EmptyState>
					)
				}
			/>
		</div>
	);
}

export function sessionColumns(
	tenantId: string,
	{ withUser }: { withUser: boolean },
): Column<Session>[] {
	const userColumn: Column<Session> = {
		title: "User",
		heading: true,
		cell: ({ user }) => (
			<Link to={`/tenants/${tenantId}/users/${user.id}`} className="break">
				{user.email}
			</Link>
		),
	};
	return [
		...(withUser ? [userColumn] : []),
		{
			title: "Device",
			heading: !withUser,
			cell: ({ userAgent }) => (
				<span title={userAgent ?? undefined}>{describeDevice(userAgent)}</span>
			),
		},
		{ title: "IP address", cell: ({ ipAddress }) => <code>{ipAddress || "–"}</code> },
		{ title: "Created", cell: ({ createdAt }) => <Time timestamp={createdAt} /> },
		{ title: "Expires", cell: ({ expiresAt }) => <Time timestamp={expiresAt} /> },
		{
			title: "Actions",
			hideTitle: true,
			align: "end",
			cell: (session) => <RevokeSession tenantId={tenantId} session={session} />,
		},
	];
}

function RevokeSession({ tenantId, session }: { tenantId: string; session: Session }) {
	const { id, user, userAgent } = session;
	const device = describeDevice(userAgent);
	const [isOpen, setOpen] = useState(false);
	const revoke = useApiMutation({
		mutationFn: () => revokeSession(tenantId, user.id, id),
		successMessage: "Session revoked.",
		invalidate: [sessionsKey(tenantId), userQuery(tenantId, user.id).queryKey],
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
			<ConfirmByTyping
				title="Revoke this session?"
				expected={user.email}
				expectedName="the email"
				action="Revoke session"
				open={isOpen}
				busy={revoke.isPending}
				error={revoke.error?.message}
				onConfirm={() => revoke.mutate()}
				onClose={() => setOpen(false)}
			>
				<p>
					This signs {user.name || user.email} out of {device}. The user can sign in again.
				</p>
			</ConfirmByTyping>
		</>
	);
}
