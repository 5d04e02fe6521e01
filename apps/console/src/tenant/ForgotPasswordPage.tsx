import { type FormEvent, useState } from "react";
import { Link, Navigate } from "react-router";
import { unwrap } from "../api/unwrap";
import { Button } from "../ui/Button";
import { Notice } from "../ui/Notice";
import { AuthPage } from "./AuthPage";
import { EmailField } from "./EmailField";
import { messageOf } from "./messages";
import { useReturnTo } from "./return-to";
import { useTenant } from "./tenant-context";
import { useCall } from "./use-call";

export function ForgotPasswordPage() {
	const { client, options, pageUrl } = useTenant();
	const { search } = useReturnTo();
	const [email, setEmail] = useState("");
	const ask = useCall(() =>
		unwrap(client.requestPasswordReset({ email, redirectTo: pageUrl("new-password") })),
	);
	if (!options.email.reset) return <Navigate to={`/sign-in${search}`} replace />;

	const back = <Link to={`/sign-in${search}`}>Back to sign-in</Link>;
	if (ask.isSuccess) {
		return (
			<AuthPage title="Look into your mail" footer={back}>
				<p>
					If there is an account for <strong className="break">{email}</strong>, a mail with a link
					is on its way. The link works for an hour.
				</p>
				<p className="muted small">
					Nothing there? Look among the unwanted mails, or{" "}
					<button type="button" className="link-button" onClick={() => ask.reset()}>
						try another address
					</button>
					.
				</p>
			</AuthPage>
		);
	}
	const submit = (event: FormEvent) => {
		event.preventDefault();
		ask.mutate();
	};
	return (
		<AuthPage
			title="Forgot your password?"
			hint="We send you a link with which you can choose a new one."
			footer={back}
		>
			<form className="stack" onSubmit={submit}>
				{ask.error && <Notice kind="danger">{messageOf(ask.error)}</Notice>}
				<EmailField value={email} onValue={setEmail} />
				<Button kind="primary" type="submit" wide busy={ask.isPending}>
					Send the link
				</Button>
			</form>
		</AuthPage>
	);
}
