import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useNavigate } from "react-router";
import { useApiMutation } from "../../api/query-client";
import { formatTime } from "../../format";
import { Button } from "../../ui/Button";
import { Confirm, ConfirmByTyping, Dialog } from "../../ui/Dialog";
import { Select } from "../../ui/fields";
import { Card } from "../../ui/layout";
import { type Application, applicationsKey } from "../api/applications";
import { useApi } from "../api/context";
import { DetailList } from "../details";
import { ActionItem } from "../layout";
import { ShownOnce } from "../users/access-dialogs";
import { useApplicationOwner } from "./application-owner";
import { TYPES } from "./application-types";

type ApplicationProps = { application: Application };

export function ApplicationActions({ application }: ApplicationProps) {
	const { may } = useApplicationOwner();
	const hasKeys = application.jwks !== null || application.jwksUri !== null;
	const hasSecret =
		TYPES[application.type].hasSecret && !hasKeys && may("application:rotate-secret");
	return (
		<Card title="Secret, disable, delete">
			<ul className="items">
				{hasSecret && <RotateSecret application={application} />}
				<SetDisabled application={application} />
				{may("application:delete") && <DeleteApplication application={application} />}
			</ul>
		</Card>
	);
}

const OVERLAPS = [
	{ value: "0", label: "Not at all" },
	{ value: "1", label: "1 hour" },
	{ value: "24", label: "24 hours" },
];

function RotateSecret({ application: { clientId, name, previousSecretUntil } }: ApplicationProps) {
	const { tenantId } = useApplicationOwner();
	const { rotateApplicationSecret } = useApi();
	const [isOpen, setOpen] = useState(false);
	const [overlap, setOverlap] = useState("0");
	const rotate = useApiMutation({
		mutationFn: () => rotateApplicationSecret(tenantId, clientId, Number(overlap)),
		invalidate: [applicationsKey(tenantId)],
	});
	const secret = rotate.data?.clientSecret;
	const close = () => {
		setOpen(false);
		// The secret must not stay in the page.
		rotate.reset();
	};
	return (
		<ActionItem
			title="Rotate the secret"
			hint={
				previousSecretUntil
					? `The secret before the last rotation works until ${formatTime(previousSecretUntil)}. To end it now, rotate again.`
					: "Creates a new secret. The old one stops at once, or works for some hours too."
			}
		>
			<Button onClick={() => setOpen(true)}>Rotate secret</Button>
			<Confirm
				title="Rotate the secret?"
				action="Rotate secret"
				open={isOpen && !secret}
				mutation={rotate}
				onClose={close}
			>
				<Select
					label="The old secret works too for"
					options={OVERLAPS}
					value={overlap}
					onValueChange={setOverlap}
					hint="If somebody else knows it, it must not work any more."
				/>
				<p>
					<strong className="break">{name}</strong>{" "}
					{overlap === "0"
						? "cannot sign users in until it has the new secret."
						: "must get the new secret in this time."}{" "}
					Users who are signed in stay signed in.
				</p>
			</Confirm>
			<Dialog title="New secret" open={isOpen && Boolean(secret)} onClose={close}>
				{secret && <NewSecret clientId={clientId} secret={secret} onClose={close} />}
			</Dialog>
		</ActionItem>
	);
}

function SetDisabled({ application: { clientId, name, disabled } }: ApplicationProps) {
	const { tenantId } = useApplicationOwner();
	const { applicationQuery, updateApplication } = useApi();
	const queryClient = useQueryClient();
	const [isOpen, setOpen] = useState(false);
	const change = useApiMutation({
		mutationFn: () => updateApplication(tenantId, clientId, { disabled: !disabled }),
		successMessage: disabled ? "Application enabled." : "Application disabled.",
		invalidate: [applicationsKey(tenantId)],
		onSuccess: (saved) => {
			setOpen(false);
			queryClient.setQueryData(applicationQuery(tenantId, clientId).queryKey, saved);
		},
	});
	if (disabled) {
		return (
			<ActionItem
				title="Enable the application"
				hint="It can sign users in again, and its tokens work again."
				error={change.error}
			>
				<Button busy={change.isPending} onClick={() => change.mutate()}>
					Enable
				</Button>
			</ActionItem>
		);
	}
	return (
		<ActionItem
			title="Disable the application"
			hint="It is refused, with all its tokens, until you enable it again. Nothing is deleted."
		>
			<Button onClick={() => setOpen(true)}>Disable</Button>
			<Confirm
				title="Disable this application?"
				action="Disable application"
				open={isOpen}
				mutation={change}
				onClose={() => setOpen(false)}
			>
				<p>
					<strong className="break">{name}</strong> cannot sign anybody in, and its tokens are
					refused.
				</p>
			</Confirm>
		</ActionItem>
	);
}

function DeleteApplication({ application: { clientId, name } }: ApplicationProps) {
	const { tenantId, home } = useApplicationOwner();
	const { applicationsQuery, deleteApplication } = useApi();
	const navigate = useNavigate();
	const [isOpen, setOpen] = useState(false);
	const remove = useApiMutation({
		mutationFn: () => deleteApplication(tenantId, clientId),
		successMessage: `${name} was deleted.`,
		// Only the list: this page would load the application again, which is gone.
		invalidate: [applicationsQuery(tenantId).queryKey],
		onSuccess: () => void navigate(home, { replace: true }),
	});
	return (
		<ActionItem
			title="Delete the application"
			hint="Deletes it with its tokens and the consents of its users. You cannot undo this."
		>
			<Button kind="danger" onClick={() => setOpen(true)}>
				Delete
			</Button>
			<ConfirmByTyping
				title="Delete this application?"
				expected={name}
				expectedName="the name"
				action="Delete application"
				open={isOpen}
				mutation={remove}
				onClose={() => setOpen(false)}
			>
				<p>
					Users cannot sign in to it any more, and its tokens are refused. A new application gets
					another client ID.
				</p>
			</ConfirmByTyping>
		</ActionItem>
	);
}

type NewSecretProps = { clientId: string; secret: string; onClose: () => void };

/** The only place that shows a secret. */
export function NewSecret({ clientId, secret, onClose }: NewSecretProps) {
	return (
		<>
			<DetailList
				details={[{ title: "Client ID", value: <code>{clientId}</code>, copy: clientId }]}
			/>
			<ShownOnce value={secret} what="client secret" />
			<footer className="dialog-foot">
				<Button kind="primary" onClick={onClose}>
					Done
				</Button>
			</footer>
		</>
	);
}
