import { useState } from "react";
import { useApiMutation } from "../../api/query-client";
import { Button } from "../../ui/Button";
import { Dialog } from "../../ui/Dialog";
import { Notice } from "../../ui/feedback";
import { EmailField, Form, TextField } from "../../ui/fields";
import { Checkbox } from "../../ui/Switch";
import { useApi } from "../api/context";
import { type User, userKey, usersKey } from "../api/users";
import { useIsOperator } from "../current-tenant/tenant-context";
import { RoleField, roleOf } from "./roles";

type EditUserProps = { tenantId: string; user: User; onClose: () => void };

export function EditUserDialog({ open, ...props }: EditUserProps & { open: boolean }) {
	return (
		<Dialog title="Edit the user" open={open} onClose={props.onClose}>
			<EditUserForm {...props} />
		</Dialog>
	);
}

function EditUserForm({ tenantId, user, onClose }: EditUserProps) {
	const [name, setName] = useState(user.name);
	const [email, setEmail] = useState(user.email);
	const [isVerified, setVerified] = useState(user.emailVerified);
	const [role, setRole] = useState(roleOf(user));
	const isOperator = useIsOperator();
	const { updateUser } = useApi();
	const save = useApiMutation({
		mutationFn: () =>
			updateUser(tenantId, user.id, {
				...(name === user.name ? {} : { name: name.trim() }),
				// A new email is not verified, unless the call says otherwise.
				...(email === user.email ? {} : { email: email.trim() }),
				...(email === user.email && isVerified === user.emailVerified
					? {}
					: { emailVerified: isVerified }),
				...(role === roleOf(user) ? {} : { role }),
			}),
		successMessage: "Saved.",
		invalidate: [userKey(tenantId, user.id), usersKey(tenantId)],
		onSuccess: onClose,
	});
	return (
		<Form autoComplete="off" onSubmit={() => !save.isPending && save.mutate()}>
			{save.error && <Notice kind="danger">{save.error.message}</Notice>}
			<TextField label="Name" value={name} onValueChange={setName} autoComplete="off" />
			<EmailField
				value={email}
				onValueChange={(typed) => {
					setEmail(typed);
					setVerified(typed === user.email && user.emailVerified);
				}}
				autoComplete="email"
			/>
			{isOperator && (
				<Checkbox
					label="The email is verified"
					checked={isVerified}
					onCheckedChange={setVerified}
				/>
			)}
			<RoleField value={role} onValueChange={setRole} />
			<footer className="dialog-foot">
				<Button onClick={onClose}>Cancel</Button>
				<Button kind="primary" type="submit" busy={save.isPending}>
					Save
				</Button>
			</footer>
		</Form>
	);
}
