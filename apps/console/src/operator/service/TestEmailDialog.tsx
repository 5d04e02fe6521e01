import { useState } from "react";
import { hasCode } from "../../api/client";
import { useApiMutation } from "../../api/query-client";
import { Button } from "../../ui/Button";
import { Dialog } from "../../ui/Dialog";
import { Notice } from "../../ui/feedback";
import { EmailField, Form } from "../../ui/fields";
import { useApi } from "../api/context";
import { useConsoleOperator } from "../session/operator";

type TestEmailDialogProps = { open: boolean; onClose: () => void };

export function TestEmailDialog({ open, onClose }: TestEmailDialogProps) {
	return (
		<Dialog title="Send a test email" open={open} onClose={onClose}>
			<TestEmailForm onClose={onClose} />
		</Dialog>
	);
}

/** Stays open after the response, so that another address can be tried. */
function TestEmailForm({ onClose }: Pick<TestEmailDialogProps, "onClose">) {
	const { sendTestEmail } = useApi();
	const operator = useConsoleOperator();
	const [to, setTo] = useState(operator?.kind === "admin" ? operator.email : "");
	const send = useApiMutation({ mutationFn: () => sendTestEmail(to) });
	return (
		<Form onSubmit={() => !send.isPending && send.mutate()}>
			<p>The mail server gets a short email, and this page shows its response.</p>
			{send.error && (
				<Notice kind="danger">
					The email was not sent. {hasCode(send.error, "MAIL_NOT_SENT") && "The mail server says: "}
					<span className="break">{send.error.message}</span>
				</Notice>
			)}
			{send.data && (
				<Notice kind="success">
					{send.data.sent
						? "The mail server has accepted the email. Look whether it arrives, and not as spam."
						: "The email is in the outbox. This service has no mail server."}
				</Notice>
			)}
			<EmailField
				value={to}
				autoComplete="email"
				onValueChange={(value) => {
					setTo(value);
					send.reset();
				}}
			/>
			<footer className="dialog-foot">
				<Button onClick={onClose}>Close</Button>
				<Button kind="primary" type="submit" busy={send.isPending}>
					Send
				</Button>
			</footer>
		</Form>
	);
}
