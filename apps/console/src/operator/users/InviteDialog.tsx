import { useState } from "react";
import { useApiMutation } from "../../api/query-client";
import { Button } from "../../ui/Button";
import { Dialog } from "../../ui/Dialog";
import { Notice } from "../../ui/feedback";
import { EmailField, Form, Select } from "../../ui/fields";
import { useToast } from "../../ui/Toast";
import { useApi } from "../api/context";
import { invitationsKey, type SentInvitation } from "../api/invitations";
import type { Tenant } from "../api/tenants";
import { ShownOnce } from "./access-dialogs";
import { RoleField } from "./roles";

/** The page of the tenant that accepts an invitation. On the tenant's own host, it redirects there. */
export const invitationPage = (slug: string): string => `/t/${slug}/invitation`;

type InviteProps = { tenant: Tenant; onClose: () => void };

export function InviteDialog({ open, ...props }: InviteProps & { open: boolean }) {
	return (
		<Dialog title="Invite somebody" open={open} onClose={props.onClose}>
			<InviteForm {...props} />
		</Dialog>
	);
}

const DAY = 24 * 60 * 60;

const EXPIRIES = [
	{ value: String(DAY), label: "1 day" },
	{ value: String(7 * DAY), label: "7 days" },
	{ value: String(30 * DAY), label: "30 days" },
];

function InviteForm({ tenant, onClose }: InviteProps) {
	const [email, setEmail] = useState("");
	const [role, setRole] = useState("member");
	const [expiresIn, setExpiresIn] = useState(String(7 * DAY));
	const { createInvitation } = useApi();
	const toast = useToast();
	const invite = useApiMutation({
		mutationFn: () =>
			createInvitation(tenant.id, {
				email: email.trim(),
				role,
				expiresIn: Number(expiresIn),
				callbackURL: invitationPage(tenant.slug),
			}),
		invalidate: [invitationsKey(tenant.id)],
		onSuccess: (invitation) => {
			if (invitation.url) return;
			toast(`Invitation sent to ${invitation.email}.`);
			onClose();
		},
	});
	if (invite.data?.url) return <InvitationLink invitation={invite.data} onClose={onClose} />;
	return (
		<Form autoComplete="off" onSubmit={() => !invite.isPending && invite.mutate()}>
			{invite.error && <Notice kind="danger">{invite.error.message}</Notice>}
			<EmailField value={email} onValueChange={setEmail} autoComplete="email" />
			<RoleField value={role} onValueChange={setRole} />
			<Select
				label="Valid for"
				options={EXPIRIES}
				value={expiresIn}
				onValueChange={setExpiresIn}
				hint="A new invitation replaces an older one to the same email."
			/>
			<footer className="dialog-foot">
				<Button onClick={onClose}>Cancel</Button>
				<Button kind="primary" type="submit" busy={invite.isPending}>
					Send invitation
				</Button>
			</footer>
		</Form>
	);
}

type LinkProps = { invitation: SentInvitation; onClose: () => void };

/** Shown if the service does not send invitations itself. */
export function InvitationLinkDialog(props: {
	invitation: SentInvitation | undefined;
	onClose: () => void;
}) {
	const { invitation, onClose } = props;
	return (
		<Dialog title="Invitation" open={invitation !== undefined} onClose={onClose}>
			{invitation && <InvitationLink invitation={invitation} onClose={onClose} />}
		</Dialog>
	);
}

function InvitationLink({ invitation: { email, url = "" }, onClose }: LinkProps) {
	return (
		<>
			<p>The service does not send invitations. Send this link to {email} yourself.</p>
			<ShownOnce value={url} what="link" />
			<footer className="dialog-foot">
				<Button kind="primary" onClick={onClose}>
					Done
				</Button>
			</footer>
		</>
	);
}
