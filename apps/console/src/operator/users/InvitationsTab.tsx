import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useApiMutation } from "../../api/query-client";
import { Button } from "../../ui/Button";
import { Confirm } from "../../ui/Dialog";
import { Badge, EmptyState } from "../../ui/feedback";
import type { MenuItem } from "../../ui/Menu";
import type { Column } from "../../ui/Table";
import { useToast } from "../../ui/Toast";
import { useApi } from "../api/context";
import { type Invitation, invitationsKey, type SentInvitation } from "../api/invitations";
import { useMayInTenant, useReaches, useTenant } from "../current-tenant/tenant-context";
import { Email, Time } from "../details";
import { DataList } from "../lists/DataList";
import { useListState } from "../lists/list-state";
import { titleOf } from "../product";
import { InvitationLinkDialog, InviteDialog, invitationPage } from "./InviteDialog";
import { describeRole } from "./roles";
import { UsersTabs } from "./UsersTabs";

const STATUSES: Record<string, { label: string; kind: "info" | "success" | "neutral" }> = {
	pending: { label: "Pending", kind: "info" },
	accepted: { label: "Accepted", kind: "success" },
	revoked: { label: "Revoked", kind: "neutral" },
	expired: { label: "Expired", kind: "neutral" },
};

const COLUMNS: Column<Invitation>[] = [
	{
		title: "Email",
		heading: true,
		cell: ({ email }) => <Email>{email}</Email>,
	},
	{ title: "Role", cell: ({ role }) => describeRole(role) },
	{
		title: "Status",
		cell: ({ status }) => {
			const { label, kind } = STATUSES[status] ?? { label: status, kind: "neutral" };
			return <Badge kind={kind}>{label}</Badge>;
		},
	},
	{
		title: "Created",
		sorted: true,
		cell: ({ createdAt }) => <Time timestamp={createdAt} dateOnly />,
	},
	{ title: "Expires", cell: ({ expiresAt }) => <Time timestamp={expiresAt} /> },
];

export function InvitationsTab() {
	const { invitationsQuery } = useApi();
	const tenant = useTenant();
	const state = useListState();
	const query = useQuery(invitationsQuery(tenant.id, state.pageParams));
	const totalQuery = useQuery(invitationsQuery(tenant.id, state.totalParams));
	const [isInviting, setInviting] = useState(false);
	const { rowActions, dialogs } = useRowActions();
	const may = useMayInTenant();
	const invite = may("invitation:create") && (
		<Button kind="primary" onClick={() => setInviting(true)}>
			Invite
		</Button>
	);
	return (
		<div className="stack">
			<title>{titleOf("Invitations", tenant.name)}</title>
			<UsersTabs />
			<DataList
				what="invitations"
				caption={`Invitations of ${tenant.name}`}
				query={query}
				totalQuery={totalQuery}
				state={state}
				columns={COLUMNS}
				rowKey={({ id }) => id}
				rowName={({ email }) => email}
				rowActions={rowActions}
				actions={invite}
				empty={
					<EmptyState title="No invitations yet" action={invite}>
						Whoever opens the link of an invitation signs up or signs in, and has the role.
					</EmptyState>
				}
			/>
			<InviteDialog tenant={tenant} open={isInviting} onClose={() => setInviting(false)} />
			{dialogs}
		</div>
	);
}

function useRowActions() {
	const tenant = useTenant();
	const { resendInvitation, revokeInvitation } = useApi();
	const toast = useToast();
	const may = useMayInTenant();
	const reaches = useReaches();
	const [revoking, setRevoking] = useState<Invitation>();
	const [resent, setResent] = useState<SentInvitation>();
	const resend = useApiMutation({
		mutationFn: ({ id }: Invitation) =>
			resendInvitation(tenant.id, id, invitationPage(tenant.slug)),
		invalidate: [invitationsKey(tenant.id)],
		onSuccess: (invitation) => {
			if (invitation.url) setResent(invitation);
			else toast(`Invitation sent to ${invitation.email}.`);
		},
		onError: ({ message }) => toast(message, "danger"),
	});
	const revoke = useApiMutation({
		mutationFn: (id: string) => revokeInvitation(tenant.id, id),
		successMessage: "Invitation revoked.",
		invalidate: [invitationsKey(tenant.id)],
		onSuccess: () => setRevoking(undefined),
	});
	const rowActions = (invitation: Invitation): MenuItem[] => [
		...(may("invitation:resend") && reaches(invitation.role)
			? [
					{
						label: "Send again",
						unavailable: invitation.status === "accepted" ? "It was accepted." : null,
						onSelect: () => resend.mutate(invitation),
					},
				]
			: []),
		...(may("invitation:revoke")
			? [
					{
						label: "Revoke",
						danger: true,
						unavailable: invitation.status === "pending" ? null : `It is ${invitation.status}.`,
						onSelect: () => setRevoking(invitation),
					},
				]
			: []),
	];
	const dialogs = (
		<>
			<Confirm
				title="Revoke this invitation?"
				action="Revoke invitation"
				open={revoking !== undefined}
				mutation={{ ...revoke, mutate: () => revoking && revoke.mutate(revoking.id) }}
				onClose={() => setRevoking(undefined)}
			>
				<p>The link that was sent to {revoking?.email} stops working.</p>
			</Confirm>
			<InvitationLinkDialog invitation={resent} onClose={() => setResent(undefined)} />
		</>
	);
	return { rowActions, dialogs };
}
