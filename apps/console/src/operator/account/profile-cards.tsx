import { useState } from "react";
import { hasCode } from "../../api/client";
import { useApiMutation } from "../../api/query-client";
import { Button } from "../../ui/Button";
import { Notice } from "../../ui/feedback";
import { Form, PasswordField, TextField } from "../../ui/fields";
import { Card } from "../../ui/layout";
import { NewPasswordField } from "../../ui/NewPasswordField";
import { accountQuery, changePassword, type OwnAccount, updateAccount } from "../api/account";
import { operatorsQuery, ROLE_HINTS, ROLE_LABELS } from "../api/operators";
import { DetailList } from "../details";
import { NOTHING_CHANGED } from "../save-reasons";
import { operatorQuery } from "../session/operator";
import { MIN_LENGTH } from "../session/password-pages";

export function NameCard({ account: { name: saved, email, role } }: { account: OwnAccount }) {
	const [name, setName] = useState(saved);
	const save = useApiMutation({
		mutationFn: () => updateAccount(name.trim()),
		successMessage: "Name saved.",
		invalidate: [accountQuery.queryKey, operatorQuery.queryKey, operatorsQuery.queryKey],
	});
	return (
		<Card title="Profile" hint="Only an owner can change your role.">
			<DetailList
				details={[
					{ title: "Email", value: email },
					{ title: "Role", value: `${ROLE_LABELS[role]}: ${ROLE_HINTS[role].toLowerCase()}` },
				]}
			/>
			<Form className="account-form" onSubmit={() => !save.isPending && save.mutate()}>
				<TextField
					label="Name"
					hint="Shown in the audit log."
					name="name"
					autoComplete="name"
					value={name}
					onValueChange={setName}
					error={save.error?.message}
					maxLength={100}
					required
					// Not only spaces.
					pattern=".*\S.*"
				/>
				<Button
					type="submit"
					busy={save.isPending}
					unavailable={name.trim() === saved ? NOTHING_CHANGED : null}
				>
					Save name
				</Button>
			</Form>
		</Card>
	);
}

export function PasswordCard({ name, email }: Pick<OwnAccount, "name" | "email">) {
	const [currentPassword, setCurrentPassword] = useState("");
	const [newPassword, setNewPassword] = useState("");
	const change = useApiMutation({
		mutationFn: () => changePassword(currentPassword, newPassword),
		successMessage: "Password changed.",
		invalidate: [accountQuery.queryKey],
		onSuccess: () => {
			setCurrentPassword("");
			setNewPassword("");
		},
	});
	const message = change.error?.message;
	const isCurrentWrong = hasCode(change.error, "INVALID_PASSWORD");
	const isNewWrong = hasCode(
		change.error,
		"PASSWORD_TOO_SHORT",
		"PASSWORD_TOO_LONG",
		"PASSWORD_COMPROMISED",
	);
	return (
		<Card title="Password" hint="A new password signs you out everywhere else.">
			<Form className="account-form" onSubmit={() => !change.isPending && change.mutate()}>
				{message && !isCurrentWrong && !isNewWrong && <Notice kind="danger">{message}</Notice>}
				{/* Tells password managers which user this password belongs to. */}
				<input type="hidden" name="username" autoComplete="username" value={email} />
				<PasswordField
					label="Current password"
					name="current-password"
					autoComplete="current-password"
					value={currentPassword}
					onValueChange={setCurrentPassword}
					error={isCurrentWrong && message}
					required
				/>
				<NewPasswordField
					label="New password"
					hint={`At least ${MIN_LENGTH} characters.`}
					minLength={MIN_LENGTH}
					value={newPassword}
					onValueChange={setNewPassword}
					error={isNewWrong && message}
					personal={[name, email]}
				/>
				<Button type="submit" busy={change.isPending}>
					Change password
				</Button>
			</Form>
		</Card>
	);
}
