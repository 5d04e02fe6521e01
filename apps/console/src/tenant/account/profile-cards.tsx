import { useState } from "react";
import { callApi } from "../../api/client";
import { useApiMutation } from "../../api/query-client";
import { useErrorMessage } from "../../sign-in/error-messages";
import { sessionQuery } from "../../sign-in/session-queries";
import { useTenant } from "../../sign-in/tenant-context";
import { Filled, useTexts } from "../../sign-in/texts/texts";
import { Button } from "../../ui/Button";
import { ConfirmByTyping } from "../../ui/Dialog";
import { Badge, Notice } from "../../ui/feedback";
import { EmailField, Form, TextField } from "../../ui/fields";
import { Card } from "../../ui/layout";
import { useSendVerification } from "../VerifyPage";

export function ProfileCard({ user }: { user: { name: string } }) {
	const tenant = useTenant();
	const { account } = useTexts();
	const errorMessage = useErrorMessage();
	const [name, setName] = useState(user.name);
	const save = useApiMutation({
		mutationFn: () => callApi(tenant.client.updateUser({ name: name.trim() })),
		successMessage: account.nameSaved,
		invalidate: [sessionQuery(tenant).queryKey],
	});
	return (
		<Card title={account.profile}>
			<Form className="account-form" onSubmit={() => save.mutate()}>
				<TextField
					label={account.name}
					name="name"
					autoComplete="name"
					required
					// Not only spaces.
					pattern=".*\S.*"
					maxLength={200}
					value={name}
					onValueChange={setName}
					error={save.error && errorMessage(save.error)}
				/>
				<Button
					type="submit"
					busy={save.isPending}
					unavailable={name.trim() === user.name ? account.notChanged : null}
				>
					{account.save}
				</Button>
			</Form>
		</Card>
	);
}

export function EmailCard({ user }: { user: { email: string; emailVerified: boolean } }) {
	const { client, pageUrl } = useTenant();
	const { account } = useTexts();
	const errorMessage = useErrorMessage();
	const [email, setEmail] = useState(user.email);
	const change = useApiMutation({
		mutationFn: () =>
			callApi(client.changeEmail({ newEmail: email, callbackURL: pageUrl("verify/changed") })),
	});
	const verify = useSendVerification(user.email);
	return (
		<Card
			title={account.email}
			actions={
				user.emailVerified ? (
					<Badge kind="success">{account.verified}</Badge>
				) : (
					<Badge kind="warning">{account.notVerified}</Badge>
				)
			}
		>
			{change.isSuccess && (
				<Notice kind="success">
					{user.emailVerified ? account.changeSentOld : account.changeSentNew}
				</Notice>
			)}
			{verify.isSuccess && <Notice kind="success">{account.verifySent}</Notice>}
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
						unavailable={email.toLowerCase() === user.email ? account.notChanged : null}
					>
						{account.changeEmail}
					</Button>
					{!user.emailVerified && (
						<Button busy={verify.isPending} onClick={() => verify.mutate()}>
							{account.verifyEmail}
						</Button>
					)}
				</div>
			</Form>
		</Card>
	);
}

/** The link in the email leads to `DeleteAccountPage`. */
export function DeleteCard({ user }: { user: { email: string } }) {
	const { client, options, pageUrl } = useTenant();
	const { account, deletion } = useTexts();
	const errorMessage = useErrorMessage();
	const [isOpen, setOpen] = useState(false);
	const remove = useApiMutation({
		mutationFn: () => callApi(client.deleteUser({ callbackURL: pageUrl("delete-account") })),
		onSuccess: () => setOpen(false),
	});
	return (
		<Card title={account.delete}>
			{remove.isSuccess ? (
				<Notice kind="info">
					<Filled text={account.deleteSent}>
						<strong>{user.email}</strong>
					</Filled>
				</Notice>
			) : (
				<>
					<p className="muted">{account.deleteHint(options.tenant.name)}</p>
					<div>
						<Button kind="danger" onClick={() => setOpen(true)}>
							{account.delete}
						</Button>
					</div>
				</>
			)}
			<ConfirmByTyping
				title={account.deleteTitle}
				expected={user.email}
				expectedName={account.yourEmail}
				action={account.sendConfirmation}
				open={isOpen}
				mutation={{ ...remove, error: remove.error && { message: errorMessage(remove.error) } }}
				onClose={() => setOpen(false)}
			>
				<p>{deletion.noUndo}</p>
			</ConfirmByTyping>
		</Card>
	);
}
