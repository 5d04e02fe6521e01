import { useState } from "react";
import { useApiMutation } from "../../api/query-client";
import { formatTime } from "../../format";
import { Button, CopyButton } from "../../ui/Button";
import { Dialog } from "../../ui/Dialog";
import { Notice } from "../../ui/feedback";
import { Form, TextField } from "../../ui/fields";
import { useApi } from "../api/context";
import type { Tenant } from "../api/tenants";
import { sessionsKey, type User, userKey } from "../api/users";
import { useIsOperator } from "../current-tenant/tenant-context";
import { useTenantUrls } from "../current-tenant/tenant-urls";

type AccessProps = { tenant: Tenant; user: User; onClose: () => void };
type DialogProps = AccessProps & { open: boolean };

const MAX_REASON_LENGTH = 500;

type ReasonFieldProps = { value: string; onValueChange: (reason: string) => void };

function ReasonField(props: ReasonFieldProps) {
	return (
		<TextField
			label="Reason"
			hint="For the audit log, for example a ticket number."
			maxLength={MAX_REASON_LENGTH}
			autoComplete="off"
			required
			{...props}
		/>
	);
}

/** Signs the operator's browser in as the user, for at most an hour. */
export function ImpersonateDialog({ open, ...props }: DialogProps) {
	return (
		<Dialog title="Impersonate the user" open={open} onClose={props.onClose}>
			<ImpersonateForm {...props} />
		</Dialog>
	);
}

function ImpersonateForm({ tenant, user, onClose }: AccessProps) {
	const [reason, setReason] = useState("");
	const { impersonateUser } = useApi();
	const isOperator = useIsOperator();
	const urls = useTenantUrls(tenant.slug);
	const impersonate = useApiMutation({
		mutationFn: () => impersonateUser(tenant.id, user.id, reason.trim()),
		invalidate: [userKey(tenant.id, user.id), sessionsKey(tenant.id)],
	});
	// The operator is at the host of the service. The tenant's own people are at the right one.
	if (isOperator && urls?.tenantOrigin) {
		return (
			<p>
				This tenant has a host of its own, and a session belongs to one host. Use the API in your
				app to impersonate this user.
			</p>
		);
	}
	const accountPage = urls?.tenantOrigin
		? `${urls.tenantOrigin}/account`
		: `/t/${tenant.slug}/account`;
	if (impersonate.isSuccess) {
		return (
			<>
				<p>This browser is signed in as {user.email} for an hour. Sign out there to end it.</p>
				<footer className="dialog-foot">
					<Button onClick={onClose}>Close</Button>
					<a
						className="button button-primary"
						href={accountPage}
						{...(isOperator ? { target: "_blank", rel: "noreferrer", onClick: onClose } : {})}
					>
						Open the account page
					</a>
				</footer>
			</>
		);
	}
	return (
		<Form autoComplete="off" onSubmit={() => !impersonate.isPending && impersonate.mutate()}>
			{impersonate.error && <Notice kind="danger">{impersonate.error.message}</Notice>}
			<p>
				You act as {user.email} in this browser, for at most an hour. The audit log shows who you
				are and why.
			</p>
			{!isOperator && (
				<Notice kind="warning">
					This ends your own session in this browser. To come back, sign out there and sign in
					again.
				</Notice>
			)}
			<ReasonField value={reason} onValueChange={setReason} />
			<footer className="dialog-foot">
				<Button onClick={onClose}>Cancel</Button>
				<Button kind="primary" type="submit" busy={impersonate.isPending}>
					Impersonate
				</Button>
			</footer>
		</Form>
	);
}

/** A link with which an owner gets in, whatever the tenant's policy says. */
export function SignInLinkDialog({ open, ...props }: DialogProps) {
	return (
		<Dialog title="Create a sign-in link" open={open} onClose={props.onClose}>
			<SignInLinkForm {...props} />
		</Dialog>
	);
}

function SignInLinkForm({ tenant, user, onClose }: AccessProps) {
	const [reason, setReason] = useState("");
	const { createSignInLink } = useApi();
	const create = useApiMutation({
		mutationFn: () =>
			createSignInLink(tenant.id, user.id, {
				reason: reason.trim(),
				callbackURL: `/t/${tenant.slug}/account`,
			}),
	});
	if (create.data) {
		return (
			<>
				<ShownOnce value={create.data.url} what="link" />
				<p className="muted small">
					It works once, until {formatTime(create.data.expiresAt)}. Send it over a channel that you
					trust: whoever opens it is {user.email}.
				</p>
				<footer className="dialog-foot">
					<Button kind="primary" onClick={onClose}>
						Done
					</Button>
				</footer>
			</>
		);
	}
	return (
		<Form autoComplete="off" onSubmit={() => !create.isPending && create.mutate()}>
			{create.error && <Notice kind="danger">{create.error.message}</Notice>}
			<p>
				For an owner who is locked out. Whoever opens the link is signed in as {user.email}, without
				a password and whatever the tenant's policy says.
			</p>
			<ReasonField value={reason} onValueChange={setReason} />
			<footer className="dialog-foot">
				<Button onClick={onClose}>Cancel</Button>
				<Button kind="primary" type="submit" busy={create.isPending}>
					Create link
				</Button>
			</footer>
		</Form>
	);
}

type ShownOnceProps = { value: string; what: string };

/** A value that the service does not show again. */
export function ShownOnce({ value, what }: ShownOnceProps) {
	return (
		<div className="stack stack-tight">
			<Notice kind="warning">This {what} is shown only once. Copy it now.</Notice>
			<p className="with-button shown-once">
				<code className="break">{value}</code>
				<CopyButton value={value} what={what} labeled />
			</p>
		</div>
	);
}
