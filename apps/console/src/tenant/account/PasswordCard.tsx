import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { callApi, hasCode } from "../../api/client";
import { useApiMutation } from "../../api/query-client";
import { isNewPasswordRejected, useErrorMessage } from "../../sign-in/error-messages";
import { sessionQuery } from "../../sign-in/session-queries";
import { useTenant } from "../../sign-in/tenant-context";
import { useTexts } from "../../sign-in/texts/texts";
import { Button } from "../../ui/Button";
import { Notice } from "../../ui/feedback";
import { Form, PasswordField } from "../../ui/fields";
import { Card } from "../../ui/layout";
import { Checkbox } from "../../ui/Switch";
import { OwnPasswordField, useRequestPasswordReset } from "../password-pages";
import { linkedAccountsQuery, sessionsQuery } from "../queries";

type PasswordCardProps = { user: { name: string; email: string } };

export function PasswordCard({ user }: PasswordCardProps) {
	const tenant = useTenant();
	const { signIn, reset } = tenant.options.email;
	const { data: accounts } = useQuery(linkedAccountsQuery(tenant));
	if (!accounts || !signIn) return null;
	if (accounts.some(({ providerId }) => providerId === "credential")) {
		return <ChangePassword user={user} />;
	}
	return reset ? <FirstPassword email={user.email} /> : null;
}

function ChangePassword({ user }: PasswordCardProps) {
	const tenant = useTenant();
	const { account } = useTexts();
	const errorMessage = useErrorMessage();
	const [currentPassword, setCurrentPassword] = useState("");
	const [newPassword, setNewPassword] = useState("");
	const [revokeOtherSessions, setRevokeOtherSessions] = useState(true);
	const change = useApiMutation({
		mutationFn: () =>
			callApi(tenant.client.changePassword({ currentPassword, newPassword, revokeOtherSessions })),
		successMessage: account.passwordChanged,
		invalidate: [sessionQuery(tenant).queryKey, sessionsQuery(tenant).queryKey],
		onSuccess: () => {
			setCurrentPassword("");
			setNewPassword("");
		},
	});
	const message = change.error && errorMessage(change.error);
	const currentRejected = hasCode(change.error, "INVALID_PASSWORD");
	const newRejected = isNewPasswordRejected(change.error);
	return (
		<Card title={account.password}>
			<Form className="account-form" onSubmit={() => change.mutate()}>
				{message && !currentRejected && !newRejected && <Notice kind="danger">{message}</Notice>}
				{/* Tells password managers which user this password belongs to. */}
				<input type="hidden" name="username" autoComplete="username" value={user.email} />
				<PasswordField
					label={account.currentPassword}
					name="current-password"
					autoComplete="current-password"
					required
					value={currentPassword}
					onValueChange={setCurrentPassword}
					error={currentRejected && message}
				/>
				<OwnPasswordField
					label={account.newPassword}
					personal={[user.name, user.email]}
					value={newPassword}
					onValueChange={setNewPassword}
					error={newRejected && message}
				/>
				<Checkbox
					label={account.signOutOthers}
					checked={revokeOtherSessions}
					onCheckedChange={setRevokeOtherSessions}
				/>
				<Button type="submit" busy={change.isPending}>
					{account.changePassword}
				</Button>
			</Form>
		</Card>
	);
}

/** A user who signed up with a provider can set a password with a link from an email. */
function FirstPassword({ email }: { email: string }) {
	const { account } = useTexts();
	const errorMessage = useErrorMessage();
	const request = useRequestPasswordReset(email);
	return (
		<Card title={account.password} hint={account.noPassword}>
			{request.error && <Notice kind="danger">{errorMessage(request.error)}</Notice>}
			{request.isSuccess ? (
				<Notice kind="success">{account.passwordLinkSent}</Notice>
			) : (
				<div>
					<Button busy={request.isPending} onClick={() => request.mutate()}>
						{account.sendPasswordLink}
					</Button>
				</div>
			)}
		</Card>
	);
}
