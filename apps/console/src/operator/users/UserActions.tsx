import { useState } from "react";
import { useNavigate } from "react-router";
import { useApiMutation } from "../../api/query-client";
import { Button } from "../../ui/Button";
import { Confirm, ConfirmByTyping } from "../../ui/Dialog";
import { Card } from "../../ui/layout";
import { useApi } from "../api/context";
import { OVERVIEW_KEY } from "../api/service";
import { sessionsKey, type User, userKey, usersKey } from "../api/users";
import { useMayInTenant, useTenant, useTenantHome } from "../current-tenant/tenant-context";
import { ActionItem } from "../layout";
import { ImpersonateDialog, SignInLinkDialog } from "./access-dialogs";

type UserProps = { tenantId: string; user: User };

/** Everything that the caller may do to this user. */
export function UserActions({ hasSessions, ...props }: UserProps & { hasSessions: boolean }) {
	const may = useMayInTenant();
	const { tenantRole, disabledAt, twoFactorEnabled } = props.user;
	const items = [
		may("user:send-password-reset") && <SendPasswordReset key="reset" {...props} />,
		may("user:remove-second-factor") && twoFactorEnabled && (
			<RemoveSecondFactor key="second-factor" {...props} />
		),
		may("user:sign-in-link") && tenantRole === "owner" && (
			<CreateSignInLink key="link" {...props} />
		),
		may("user:impersonate") && <Impersonate key="impersonate" {...props} />,
		may("user:revoke-sessions") && (
			<SignOutUser key="sign-out" {...props} hasSessions={hasSessions} />
		),
		may("user:enable") && disabledAt && <EnableUser key="enable" {...props} />,
		may("user:disable") && !disabledAt && <DisableUser key="disable" {...props} />,
		may("user:delete") && <DeleteUser key="delete" {...props} />,
	].filter(Boolean);
	if (items.length === 0) return null;
	return (
		<Card title="Actions">
			<ul className="items">{items}</ul>
		</Card>
	);
}

function SendPasswordReset({ tenantId, user: { id, email } }: UserProps) {
	const { sendPasswordReset } = useApi();
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

function RemoveSecondFactor({ tenantId, user: { id, email } }: UserProps) {
	const { removeSecondFactor } = useApi();
	const [isOpen, setOpen] = useState(false);
	const remove = useApiMutation({
		mutationFn: () => removeSecondFactor(tenantId, id),
		successMessage: `${email} has no second factor any more.`,
		invalidate: [userKey(tenantId, id), usersKey(tenantId), sessionsKey(tenantId)],
		onSuccess: () => setOpen(false),
	});
	return (
		<ActionItem
			title="Remove the second factor"
			hint="For a user who lost the authenticator app and the recovery codes."
		>
			<Button onClick={() => setOpen(true)}>Remove</Button>
			<Confirm
				title="Remove the second factor?"
				action="Remove second factor"
				open={isOpen}
				mutation={remove}
				onClose={() => setOpen(false)}
			>
				<p>
					Make sure that it is really {email} who asks for it. The user is signed out everywhere,
					and can then sign in with the password alone.
				</p>
			</Confirm>
		</ActionItem>
	);
}

function CreateSignInLink({ user }: UserProps) {
	const tenant = useTenant();
	const [isOpen, setOpen] = useState(false);
	return (
		<ActionItem
			title="Create a sign-in link"
			hint="Lets an owner in who is locked out, once and without a password."
		>
			<Button onClick={() => setOpen(true)}>Create link</Button>
			<SignInLinkDialog tenant={tenant} user={user} open={isOpen} onClose={() => setOpen(false)} />
		</ActionItem>
	);
}

function Impersonate({ user }: UserProps) {
	const tenant = useTenant();
	const [isOpen, setOpen] = useState(false);
	return (
		<ActionItem
			title="Impersonate"
			hint="Shows you what the user sees, for at most an hour. The audit log has your reason."
		>
			<Button
				unavailable={user.disabledAt ? "The user is disabled." : null}
				onClick={() => setOpen(true)}
			>
				Impersonate
			</Button>
			<ImpersonateDialog tenant={tenant} user={user} open={isOpen} onClose={() => setOpen(false)} />
		</ActionItem>
	);
}

function SignOutUser({
	tenantId,
	user: { id, email },
	hasSessions,
}: UserProps & { hasSessions: boolean }) {
	const { revokeUserSessions } = useApi();
	const [isOpen, setOpen] = useState(false);
	const signOut = useApiMutation({
		mutationFn: () => revokeUserSessions(tenantId, id),
		successMessage: `${email} was signed out.`,
		invalidate: [userKey(tenantId, id), sessionsKey(tenantId)],
		onSuccess: () => setOpen(false),
	});
	return (
		<ActionItem
			title="Sign out of all devices"
			hint="Revokes all sessions of the user. The user can sign in again."
		>
			<Button
				unavailable={hasSessions ? null : "The user has no sessions."}
				onClick={() => setOpen(true)}
			>
				Sign out
			</Button>
			<Confirm
				title="Sign out of all devices?"
				action="Sign out"
				open={isOpen}
				mutation={signOut}
				onClose={() => setOpen(false)}
			>
				<p>This revokes all sessions of {email}.</p>
			</Confirm>
		</ActionItem>
	);
}

function DisableUser({ tenantId, user: { id, email } }: UserProps) {
	const { disableUser } = useApi();
	const [isOpen, setOpen] = useState(false);
	const disable = useApiMutation({
		mutationFn: () => disableUser(tenantId, id),
		successMessage: `${email} was disabled.`,
		invalidate: [userKey(tenantId, id), usersKey(tenantId), sessionsKey(tenantId)],
		onSuccess: () => setOpen(false),
	});
	return (
		<ActionItem
			title="Disable user"
			hint="Ends all sessions. The user cannot sign in until you enable the user again."
		>
			<Button onClick={() => setOpen(true)}>Disable</Button>
			<Confirm
				title="Disable this user?"
				action="Disable user"
				open={isOpen}
				mutation={disable}
				onClose={() => setOpen(false)}
			>
				<p>
					{email} is signed out everywhere and cannot sign in, until you enable the user again. No
					data is deleted.
				</p>
			</Confirm>
		</ActionItem>
	);
}

function EnableUser({ tenantId, user: { id, email } }: UserProps) {
	const { enableUser } = useApi();
	const enable = useApiMutation({
		mutationFn: () => enableUser(tenantId, id),
		successMessage: `${email} was enabled.`,
		invalidate: [userKey(tenantId, id), usersKey(tenantId)],
	});
	return (
		<ActionItem title="Enable user" hint="The user can sign in again." error={enable.error}>
			<Button busy={enable.isPending} onClick={() => enable.mutate()}>
				Enable
			</Button>
		</ActionItem>
	);
}

function DeleteUser({ tenantId, user: { id, email } }: UserProps) {
	const { deleteUser } = useApi();
	const home = useTenantHome();
	const [isOpen, setOpen] = useState(false);
	const navigate = useNavigate();
	const remove = useApiMutation({
		mutationFn: () => deleteUser(tenantId, id),
		successMessage: `${email} was deleted.`,
		invalidate: [usersKey(tenantId), sessionsKey(tenantId), OVERVIEW_KEY],
		onSuccess: () => navigate(`${home}/users`, { replace: true }),
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
				mutation={remove}
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
