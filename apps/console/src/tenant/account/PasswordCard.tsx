import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { unwrap } from "../../api/unwrap";
import { Button } from "../../ui/Button";
import { Card } from "../../ui/Card";
import { Notice } from "../../ui/Notice";
import { PasswordField } from "../../ui/PasswordField";
import { useToast } from "../../ui/Toast";
import { hasCode, messageOf } from "../messages";
import { NewPasswordField } from "../NewPasswordField";
import { sessionKey } from "../session";
import { useTenant } from "../tenant-context";
import { useCall } from "../use-call";
import { sessionsKey, useLinkedAccounts } from "./account-queries";

type PasswordCardProps = { user: { email: string } };

export function PasswordCard({ user }: PasswordCardProps) {
	const { email } = useTenant().options;
	const { data: accounts } = useLinkedAccounts();
	if (!accounts || !email.signIn) return null;
	if (accounts.some(({ providerId }) => providerId === "credential")) {
		return <ChangePassword email={user.email} />;
	}
	return email.reset ? <FirstPassword email={user.email} /> : null;
}

function ChangePassword({ email }: { email: string }) {
	const { client, options } = useTenant();
	const toast = useToast();
	const queryClient = useQueryClient();
	const [currentPassword, setCurrent] = useState("");
	const [newPassword, setNew] = useState("");
	const [revokeOtherSessions, setRevoke] = useState(true);
	const change = useCall(
		() => unwrap(client.changePassword({ currentPassword, newPassword, revokeOtherSessions })),
		() => {
			setCurrent("");
			setNew("");
			toast("Your password is changed.");
			queryClient.invalidateQueries({ queryKey: sessionKey(options.tenant.id) });
			queryClient.invalidateQueries({ queryKey: sessionsKey(options.tenant.id) });
		},
	);
	const submit = (event: FormEvent) => {
		event.preventDefault();
		change.mutate();
	};
	const { error } = change;
	const isCurrent = hasCode(error, "INVALID_PASSWORD");
	const isNew = hasCode(error, "PASSWORD_TOO_SHORT", "PASSWORD_TOO_LONG");
	return (
		<Card title="Password">
			<form className="account-form" onSubmit={submit}>
				{error && !isCurrent && !isNew && <Notice kind="danger">{messageOf(error)}</Notice>}
				{/* Tells a password manager whose password this is. */}
				<input type="hidden" name="username" autoComplete="username" value={email} />
				<PasswordField
					label="Present password"
					name="current-password"
					autoComplete="current-password"
					required
					value={currentPassword}
					onChange={(event) => setCurrent(event.target.value)}
					error={isCurrent && messageOf(error)}
				/>
				<NewPasswordField
					label="New password"
					value={newPassword}
					onValue={setNew}
					error={isNew && messageOf(error)}
				/>
				<label className="check">
					<input
						type="checkbox"
						checked={revokeOtherSessions}
						onChange={(event) => setRevoke(event.target.checked)}
					/>
					Sign out everywhere else
				</label>
				<Button type="submit" busy={change.isPending}>
					Change password
				</Button>
			</form>
		</Card>
	);
}

/** Somebody who came through a provider may have a password as well, by way of a mail. */
function FirstPassword({ email }: { email: string }) {
	const { client, pageUrl } = useTenant();
	const ask = useCall(() =>
		unwrap(client.requestPasswordReset({ email, redirectTo: pageUrl("new-password") })),
	);
	return (
		<Card title="Password" hint="You sign in through a provider and have no password here.">
			{ask.error && <Notice kind="danger">{messageOf(ask.error)}</Notice>}
			{ask.isSuccess ? (
				<Notice kind="success">A mail with a link is on its way.</Notice>
			) : (
				<div>
					<Button busy={ask.isPending} onClick={() => ask.mutate()}>
						Send me a link to choose one
					</Button>
				</div>
			)}
		</Card>
	);
}
