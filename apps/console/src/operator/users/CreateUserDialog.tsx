import { useState } from "react";
import { useApiMutation } from "../../api/query-client";
import { Button } from "../../ui/Button";
import { Dialog } from "../../ui/Dialog";
import { Notice } from "../../ui/feedback";
import { EmailField, Form, Select, TextField } from "../../ui/fields";
import { Checkbox } from "../../ui/Switch";
import { useToast } from "../../ui/Toast";
import { useApi } from "../api/context";
import { OVERVIEW_KEY } from "../api/service";
import { usersKey } from "../api/users";
import { useIsOperator, useMayInTenant } from "../current-tenant/tenant-context";
import { RoleField } from "./roles";
import { UserPasswordField } from "./UserPasswordField";

type CreateUserProps = { tenantId: string; onClose: () => void };

export function CreateUserDialog({ open, ...props }: CreateUserProps & { open: boolean }) {
	return (
		<Dialog title="Create a user" open={open} onClose={props.onClose}>
			<CreateUserForm {...props} />
		</Dialog>
	);
}

const PASSWORDS = [
	{ value: "email", label: "Send an email to choose one" },
	{ value: "now", label: "Set one now" },
	{ value: "none", label: "No password" },
];

const EMPTY = {
	name: "",
	email: "",
	role: "member",
	password: "",
	passwordBy: "email",
	isVerified: false,
};

function CreateUserForm({ tenantId, onClose }: CreateUserProps) {
	const maySendReset = useMayInTenant()("user:send-password-reset");
	const isOperator = useIsOperator();
	const [values, setValues] = useState({ ...EMPTY, passwordBy: maySendReset ? "email" : "now" });
	const set = (changes: Partial<typeof EMPTY>) =>
		setValues((current) => ({ ...current, ...changes }));
	const { createUser, sendPasswordReset } = useApi();
	const toast = useToast();
	const create = useApiMutation({
		mutationFn: async () => {
			const { name, email, role, password, passwordBy, isVerified } = values;
			const user = await createUser(tenantId, {
				name: name.trim(),
				email: email.trim(),
				role,
				emailVerified: isVerified,
				...(passwordBy === "now" ? { password } : {}),
			});
			if (passwordBy !== "email") return null;
			// The user exists, whether the email can be sent or not.
			return sendPasswordReset(tenantId, user.id).then(
				() => null,
				(error: Error) => error,
			);
		},
		invalidate: [usersKey(tenantId), OVERVIEW_KEY],
		onSuccess: (emailError) => {
			if (emailError) toast(`User created, but no email sent: ${emailError.message}`, "danger");
			else toast("User created.");
			onClose();
		},
	});
	return (
		<Form autoComplete="off" onSubmit={() => !create.isPending && create.mutate()}>
			{create.error && <Notice kind="danger">{create.error.message}</Notice>}
			<TextField
				label="Name"
				value={values.name}
				onValueChange={(name) => set({ name })}
				autoComplete="off"
				required
			/>
			<EmailField
				value={values.email}
				onValueChange={(email) => set({ email })}
				autoComplete="email"
			/>
			{isOperator && (
				<Checkbox
					label="The email is verified"
					checked={values.isVerified}
					onCheckedChange={(isVerified) => set({ isVerified })}
				/>
			)}
			<RoleField value={values.role} onValueChange={(role) => set({ role })} />
			<Select
				label="Password"
				options={PASSWORDS.filter(({ value }) => value !== "email" || maySendReset)}
				value={values.passwordBy}
				onValueChange={(passwordBy) => set({ passwordBy })}
				hint={
					values.passwordBy === "none"
						? "The user signs in with a provider that knows the same verified email."
						: undefined
				}
			/>
			{values.passwordBy === "now" && (
				<UserPasswordField
					value={values.password}
					onValueChange={(password) => set({ password })}
					personal={[values.name, values.email]}
				/>
			)}
			<footer className="dialog-foot">
				<Button onClick={onClose}>Cancel</Button>
				<Button kind="primary" type="submit" busy={create.isPending}>
					Create user
				</Button>
			</footer>
		</Form>
	);
}
