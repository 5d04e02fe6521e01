import { useState } from "react";
import { hasCode } from "../../api/client";
import { useApiMutation } from "../../api/query-client";
import { Button } from "../../ui/Button";
import { Dialog } from "../../ui/Dialog";
import { Notice } from "../../ui/feedback";
import { EmailField, Form, Select, TextField } from "../../ui/fields";
import {
	inviteOperator,
	operatorsQuery,
	type PasswordLink,
	ROLE_HINTS,
	ROLE_LABELS,
	ROLES,
	type Role,
} from "../api/operators";

type InviteDialogProps = {
	open: boolean;
	onClose: () => void;
	onInvited: (link: PasswordLink) => void;
};

export function InviteDialog({ open, onClose, onInvited }: InviteDialogProps) {
	return (
		<Dialog title="Invite an operator" open={open} onClose={onClose}>
			<InviteForm onClose={onClose} onInvited={onInvited} />
		</Dialog>
	);
}

function InviteForm({ onClose, onInvited }: Omit<InviteDialogProps, "open">) {
	const [email, setEmail] = useState("");
	const [name, setName] = useState("");
	const [role, setRole] = useState<Role>("operator");
	const invite = useApiMutation({
		mutationFn: ({ replace }: { replace: boolean }) =>
			inviteOperator({ email, role, replace, ...(name.trim() ? { name: name.trim() } : {}) }),
		invalidate: [operatorsQuery.queryKey],
		onSuccess: onInvited,
	});
	const userExists = hasCode(invite.error, "PLATFORM_USER_EXISTS");
	return (
		<Form onSubmit={() => !invite.isPending && invite.mutate({ replace: userExists })}>
			{userExists ? (
				<Notice kind="warning">
					A user of no tenant has this email. Nobody knows who chose that password, so the user is
					deleted first if you continue.
				</Notice>
			) : (
				invite.error && <Notice kind="danger">{invite.error.message}</Notice>
			)}
			<EmailField
				value={email}
				autoComplete="email"
				onValueChange={(value) => {
					setEmail(value);
					invite.reset();
				}}
			/>
			<TextField
				label="Name"
				hint="Shown in the audit log."
				value={name}
				onValueChange={setName}
				maxLength={100}
				autoComplete="off"
			/>
			<RoleSelect value={role} onValueChange={setRole} />
			<footer className="dialog-foot">
				<Button onClick={onClose}>Cancel</Button>
				<Button kind={userExists ? "danger" : "primary"} type="submit" busy={invite.isPending}>
					{userExists ? "Delete user and invite" : "Invite"}
				</Button>
			</footer>
		</Form>
	);
}

const ROLE_OPTIONS = ROLES.map((role) => ({ value: role, label: ROLE_LABELS[role] }));

type RoleSelectProps = { value: Role; onValueChange: (role: Role) => void };

export function RoleSelect({ value, onValueChange }: RoleSelectProps) {
	return (
		<Select
			label="Role"
			hint={`${ROLE_HINTS[value]}.`}
			options={ROLE_OPTIONS}
			value={value}
			onValueChange={(role) => onValueChange(role as Role)}
		/>
	);
}
