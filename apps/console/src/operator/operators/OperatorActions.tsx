import { useState } from "react";
import { useApiMutation } from "../../api/query-client";
import { Button } from "../../ui/Button";
import { ConfirmByTyping, Dialog } from "../../ui/Dialog";
import { Notice } from "../../ui/feedback";
import { Form } from "../../ui/fields";
import {
	changeRole,
	type OperatorAccount,
	operatorsQuery,
	type PasswordLink,
	ROLE_LABELS,
	removeOperator,
	resetOperator,
} from "../api/operators";
import { operatorQuery } from "../session/operator";
import { RoleSelect } from "./InviteDialog";

type OperatorActionsProps = {
	operator: OperatorAccount;
	onLink: (link: PasswordLink) => void;
};

type Open = "role" | "reset" | "remove" | null;

/** The buttons of one operator. */
export function OperatorActions({ operator, onLink }: OperatorActionsProps) {
	const [open, setOpen] = useState<Open>(null);
	const close = () => setOpen(null);
	const { email, fromSettings } = operator;
	return (
		<div className="row-actions">
			{!fromSettings && (
				<Button size="small" aria-label={`Change role of ${email}`} onClick={() => setOpen("role")}>
					Change role
				</Button>
			)}
			<Button size="small" aria-label={`New link for ${email}`} onClick={() => setOpen("reset")}>
				New link
			</Button>
			{!fromSettings && (
				<Button size="small" aria-label={`Remove ${email}`} onClick={() => setOpen("remove")}>
					Remove
				</Button>
			)}
			<Dialog title="Change role" open={open === "role"} onClose={close}>
				<RoleForm operator={operator} onClose={close} />
			</Dialog>
			<Dialog title="Create a new link?" open={open === "reset"} onClose={close}>
				<ResetForm
					operator={operator}
					onClose={close}
					onLink={(link) => {
						close();
						onLink(link);
					}}
				/>
			</Dialog>
			<RemoveDialog operator={operator} open={open === "remove"} onClose={close} />
		</div>
	);
}

type FormProps = { operator: OperatorAccount; onClose: () => void };

function RoleForm({ operator, onClose }: FormProps) {
	const [role, setRole] = useState(operator.role);
	const save = useApiMutation({
		mutationFn: () => changeRole(operator.id, role),
		successMessage: `The role of ${operator.email} is now ${ROLE_LABELS[role]}.`,
		// It may be the role of the caller.
		invalidate: [operatorsQuery.queryKey, operatorQuery.queryKey],
		onSuccess: onClose,
	});
	return (
		<Form onSubmit={() => !save.isPending && save.mutate()}>
			<p className="break">{operator.email}</p>
			{save.error && <Notice kind="danger">{save.error.message}</Notice>}
			<RoleSelect value={role} onValueChange={setRole} />
			<footer className="dialog-foot">
				<Button onClick={onClose}>Cancel</Button>
				<Button kind="primary" type="submit" busy={save.isPending}>
					Save role
				</Button>
			</footer>
		</Form>
	);
}

function ResetForm({
	operator,
	onClose,
	onLink,
}: FormProps & { onLink: (link: PasswordLink) => void }) {
	const reset = useApiMutation({
		mutationFn: () => resetOperator(operator.id),
		invalidate: [operatorsQuery.queryKey, operatorQuery.queryKey],
		onSuccess: onLink,
	});
	return (
		<Form onSubmit={() => !reset.isPending && reset.mutate()}>
			{reset.error && <Notice kind="danger">{reset.error.message}</Notice>}
			<p>
				For an operator who lost the password or the authenticator app.{" "}
				<strong className="break">{operator.email}</strong> is signed out, and chooses a new
				password and a new second factor.
			</p>
			<footer className="dialog-foot">
				<Button onClick={onClose}>Cancel</Button>
				<Button kind="danger" type="submit" busy={reset.isPending}>
					Create link
				</Button>
			</footer>
		</Form>
	);
}

function RemoveDialog({ operator, open, onClose }: FormProps & { open: boolean }) {
	const { id, email } = operator;
	const remove = useApiMutation({
		mutationFn: () => removeOperator(id),
		successMessage: `${email} was removed.`,
		invalidate: [operatorsQuery.queryKey, operatorQuery.queryKey],
		onSuccess: onClose,
	});
	return (
		<ConfirmByTyping
			title="Remove this operator?"
			expected={email}
			expectedName="the email"
			action="Remove operator"
			open={open}
			mutation={remove}
			onClose={onClose}
		>
			<p>
				This deletes the account of {email} and ends its sessions. The audit log keeps what they
				did.
			</p>
		</ConfirmByTyping>
	);
}
