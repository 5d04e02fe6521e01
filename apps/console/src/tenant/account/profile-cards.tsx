import { useState } from "react";
import { callApi } from "../../api/client";
import { useApiMutation } from "../../api/query-client";
import { Button } from "../../ui/Button";
import { ConfirmByTyping } from "../../ui/Dialog";
import { Badge, Notice } from "../../ui/feedback";
import { EmailField, Form, TextField } from "../../ui/fields";
import { Card } from "../../ui/layout";
import { errorMessage } from "../error-messages";
import { sessionQuery } from "../queries";
import { useTenant } from "../tenant-context";
import { useSendVerification } from "../VerifyPage";

export function ProfileCard({ user }: { user: { name: string } }) {
	const tenant = useTenant();
	const [name, setName] = useState(user.name);
	const save = useApiMutation({
		mutationFn: () => callApi(tenant.client.updateUser({ name: name.trim() })),
		successMessage: "Name saved.",
		invalidate: [sessionQuery(tenant).queryKey],
	});
	return (
		<Card title="Profile">
			<Form className="account-form" onSubmit={() => save.mutate()}>
				<TextField
					label="Name"
					name="name"
					autoComplete="name"
					required
					maxLength={200}
					value={name}
					onValueChange={setName}
					error={save.error && errorMessage(save.error)}
				/>
				<Button type="submit" busy={save.isPending} disabled={name.trim() === user.name}>
					Save
				</Button>
			</Form>
		</Card>
	);
}

export function EmailCard({ user }: { user: { email: string; emailVerified: boolean } }) {
	const { client, pageUrl } = useTenant();
	const [email, setEmail] = useState(user.email);
	const change = useApiMutation({
		mutationFn: () =>
			callApi(client.changeEmail({ newEmail: email, callbackURL: pageUrl("verify/changed") })),
	});
	const verify = useSendVerification(user.email);
	return (
		<Card
			title="Email"
			actions={
				user.emailVerified ? (
					<Badge kind="success">Verified</Badge>
				) : (
					<Badge kind="warning">Not verified</Badge>
				)
			}
		>
			{change.isSuccess && (
				<Notice kind="success">
					{user.emailVerified
						? "We sent a link to your current email. Open it, then open the link that we send to your new email."
						: "We sent a link to your new email. Open it to finish the change."}
				</Notice>
			)}
			{verify.isSuccess && (
				<Notice kind="success">We sent you a link. Open it to verify your email.</Notice>
			)}
			{verify.error && <Notice kind="danger">{errorMessage(verify.error)}</Notice>}
			<Form className="account-form" onSubmit={() => change.mutate()}>
				<EmailField
					autoComplete="email"
					value={email}
					onValueChange={setEmail}
					error={change.error && errorMessage(change.error)}
				/>
				<div className="row">
					<Button
						type="submit"
						busy={change.isPending}
						disabled={email.toLowerCase() === user.email}
					>
						Change email
					</Button>
					{!user.emailVerified && (
						<Button busy={verify.isPending} onClick={() => verify.mutate()}>
							Verify email
						</Button>
					)}
				</div>
			</Form>
		</Card>
	);
}

/** The server deletes the account when the user opens the link in the email while signed in. */
export function DeleteCard({ user }: { user: { email: string } }) {
	const { client, options, pageUrl } = useTenant();
	const [isOpen, setOpen] = useState(false);
	const remove = useApiMutation({
		mutationFn: () => callApi(client.deleteUser({ callbackURL: pageUrl("deleted") })),
		onSuccess: () => setOpen(false),
	});
	return (
		<Card title="Delete account">
			{remove.isSuccess ? (
				<Notice kind="info">
					We sent a link to <strong>{user.email}</strong>. Open it in this browser to delete your
					account.
				</Notice>
			) : (
				<>
					<p className="muted">
						This deletes your account at {options.tenant.name} and all of its data. We will send you
						a link to confirm.
					</p>
					<div>
						<Button kind="danger" onClick={() => setOpen(true)}>
							Delete account
						</Button>
					</div>
				</>
			)}
			<ConfirmByTyping
				title="Delete your account?"
				expected={user.email}
				expectedName="your email"
				action="Send confirmation link"
				open={isOpen}
				busy={remove.isPending}
				error={remove.error ? errorMessage(remove.error) : undefined}
				onConfirm={() => remove.mutate()}
				onClose={() => setOpen(false)}
			>
				<p>You cannot undo this.</p>
			</ConfirmByTyping>
		</Card>
	);
}
