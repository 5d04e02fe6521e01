import { useState } from "react";
import { useNavigate } from "react-router";
import { useApiMutation } from "../../api/query-client";
import { Button } from "../../ui/Button";
import { ConfirmByTyping } from "../../ui/Dialog";
import { Card } from "../../ui/layout";
import { overviewQuery } from "../api/service";
import {
	deleteUser,
	revokeUserSessions,
	sendPasswordReset,
	sessionsKey,
	type User,
	userQuery,
	usersKey,
} from "../api/users";
import { ActionItem } from "../layout";

type UserProps = { tenantId: string; user: User };

export function UserActions({ hasSessions, ...props }: UserProps & { hasSessions: boolean }) {
	return (
		<Card title="Actions">
			<ul className="items">
				<SendPasswordReset {...props} />
				<SignOutUser {...props} hasSessions={hasSessions} />
				<DeleteUser {...props} />
			</ul>
		</Card>
	);
}

function SendPasswordReset({ tenantId, user: { id, email } }: UserProps) {
	const send = useApiMutation({
		mutationFn: () => sendPasswordReset(tenantId, id),
		successMessage: `Password reset sent to ${email}.`,
	});
	return (
		<ActionItem
			title="Send password reset"
			hint="Sends an email with a link to set a new password. The current password works until then."
			error={send.error}
		>
			<Button busy={send.isPending} onClick={() => send.mutate()}>
				Send email
			</Button>
		</ActionItem>
	);
}

function SignOutUser({
	tenantId,
	user: { id, email },
	hasSessions,
}: UserProps & { hasSessions: boolean }) {
	const [isOpen, setOpen] = useState(false);
	const signOut = useApiMutation({
		mutationFn: () => revokeUserSessions(tenantId, id),
		successMessage: `${email} was signed out.`,
		invalidate: [userQuery(tenantId, id).queryKey, sessionsKey(tenantId)],
		onSuccess: () => setOpen(false),
	});
	return (
		<ActionItem
			title="Sign out of all devices"
			hint="Revokes all sessions of the user. The user can sign in again."
		>
			<Button disabled={!hasSessions} onClick={() => setOpen(true)}>
				Sign out
			</Button>
			<ConfirmByTyping
				title="Sign out of all devices?"
				expected={email}
				expectedName="the email"
				action="Sign out"
				open={isOpen}
				busy={signOut.isPending}
				error={signOut.error?.message}
				onConfirm={() => signOut.mutate()}
				onClose={() => setOpen(false)}
			>
				<p>This revokes all sessions of {email}.</p>
			</ConfirmByTyping>
		</ActionItem>
	);
}

function DeleteUser({ tenantId, user: { id, email } }: UserProps) {
	const [isOpen, setOpen] = useState(false);
	const navigate = useNavigate();
	const remove = useApiMutation({
		mutationFn: () => deleteUser(tenantId, id),
		successMessage: `${email} was deleted.`,
		invalidate: [usersKey(tenantId), sessionsKey(tenantId), overviewQuery.queryKey],
		onSuccess: () => navigate(`/tenants/${tenantId}/users`, { replace: true }),
	});
	return (
		<ActionItem
			title="Delete user"
			hint="Deletes the user with all accounts and sessions. You cannot undo this."
		>
			<Button kind="danger" onClick={() => setOpen(true)}>
				Delete
			</Button>
			<ConfirmByTyping
				title="Delete this user?"
				expected={email}
				expectedName="the email"
				action="Delete user"
				open={isOpen}
				busy={remove.isPending}
				error={remove.error?.message}
				onConfirm={() => remove.mutate()}
				onClose={() => setOpen(false)}
			>
				<p>
					This permanently deletes {email} from this tenant, with all accounts and sessions. Users
					with the same email in other tenants stay.
				</p>
			</ConfirmByTyping>
		</ActionItem>
	);
}
