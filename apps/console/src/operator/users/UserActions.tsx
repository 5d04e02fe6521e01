import { useState } from "react";
import { useNavigate } from "react-router";
import { Button } from "../../ui/Button";
import { Card } from "../../ui/Card";
import { ConfirmBySlug } from "../../ui/ConfirmBySlug";
import { deleteUser, sendPasswordReset, signUserOut, type User } from "../api/users";
import { useChange } from "../change";
import { Described } from "../tenant/Described";
import { userKey } from "./user-key";

type UserActionsProps = { tenantId: string; user: User; hasSessions: boolean };

export function UserActions({ tenantId, user, hasSessions }: UserActionsProps) {
	const { id, email } = user;
	const [asking, setAsking] = useState<"sign-out" | "delete">();
	const navigate = useNavigate();
	const close = () => setAsking(undefined);
	const reset = useChange({
		change: () => sendPasswordReset(tenantId, id),
		said: `The mail to ${email} is on its way.`,
		refresh: [],
	});
	const signOut = useChange({
		change: () => signUserOut(tenantId, id),
		said: `${email} is signed out everywhere.`,
		refresh: [userKey(tenantId, id), ["sessions", tenantId]],
		after: close,
	});
	const remove = useChange({
		change: () => deleteUser(tenantId, id),
		said: `${email} is deleted.`,
		refresh: [["users", tenantId], ["sessions", tenantId], ["overview"]],
		after: () => navigate(`/tenants/${tenantId}/users`, { replace: true }),
	});
	return (
		<Card title="Actions">
			<ul className="items">
				<li>
					<Described title="Send a password reset" error={reset.error}>
						A mail with a link to choose a new password. The old one works until then.
					</Described>
					<Button busy={reset.isPending} onClick={() => reset.mutate()}>
						Send mail
					</Button>
				</li>
				<li>
					<Described title="Sign out everywhere">
						Ends every session. The user can sign in again.
					</Described>
					<Button disabled={!hasSessions} onClick={() => setAsking("sign-out")}>
						Sign out
					</Button>
				</li>
				<li>
					<Described title="Delete the user">
						With accounts and sessions. This cannot be undone.
					</Described>
					<Button kind="danger" onClick={() => setAsking("delete")}>
						Delete
					</Button>
				</li>
			</ul>
			<ConfirmBySlug
				title="Sign out everywhere?"
				slug={email}
				what="the address"
				action="Sign out"
				open={asking === "sign-out"}
				busy={signOut.isPending}
				error={signOut.error?.message}
				onConfirm={() => signOut.mutate()}
				onClose={close}
			>
				<p>Every session of {email} ends now.</p>
			</ConfirmBySlug>
			<ConfirmBySlug
				title="Delete this user?"
				slug={email}
				what="the address"
				action="Delete user"
				open={asking === "delete"}
				busy={remove.isPending}
				error={remove.error?.message}
				onConfirm={() => remove.mutate()}
				onClose={close}
			>
				<p>
					{email} is gone from this tenant for good, with accounts and sessions. A user with the
					same address in another tenant is somebody else and stays.
				</p>
			</ConfirmBySlug>
		</Card>
	);
}
