import { type FormEvent, useState } from "react";
import { Link, useLocation, useSearchParams } from "react-router";
import { unwrap } from "../api/unwrap";
import { Button } from "../ui/Button";
import { Notice } from "../ui/Notice";
import { AuthPage } from "./AuthPage";
import { EmailField } from "./EmailField";
import { messageOf } from "./messages";
import { useReturnTo } from "./return-to";
import { useTenant } from "./tenant-context";
import { useCall } from "./use-call";

type Arrival = { email?: string; reason?: "sign-up" | "sign-in" } | null;

/** A mail was sent, or is to be sent once more. */
export function VerifyPage() {
	const arrival = useLocation().state as Arrival;
	const { search } = useReturnTo();
	return (
		<AuthPage
			title="Confirm your address"
			hint={arrival?.reason === "sign-in" ? "One step is left before you can sign in." : undefined}
			footer={<Link to={`/sign-in${search}`}>Back to sign-in</Link>}
		>
			{arrival?.reason === "sign-up" && (
				<p>
					We have sent a link to <strong className="break">{arrival.email}</strong>. Open it to
					finish.
				</p>
			)}
			<ResendForm email={arrival?.email ?? ""} />
		</AuthPage>
	);
}

/** Where the links of the mails lead. */
export function VerifiedPage({ what }: { what: "done" | "changed" }) {
	const [query] = useSearchParams();
	const error = query.get("error");
	if (error) {
		return (
			<AuthPage
				title={
					error.toUpperCase() === "TOKEN_EXPIRED"
						? "This link has expired"
						: "This link does not work"
				}
				hint="It may be old, or already used. We can send you a new one."
				footer={<Link to="/sign-in">Back to sign-in</Link>}
			>
				<ResendForm email="" />
			</AuthPage>
		);
	}
	return (
		<AuthPage title="Thank you">
			<p>
				{what === "done"
					? "Your address is confirmed."
					: "That is confirmed. If the mail was sent to your old address, there is now another one in the new mailbox; open its link to finish."}
			</p>
			<Link className="button button-primary button-wide" to="/account">
				Go to your account
			</Link>
		</AuthPage>
	);
}

function ResendForm({ email: known }: { email: string }) {
	const { client, pageUrl } = useTenant();
	const [email, setEmail] = useState(known);
	const resend = useCall(() =>
		unwrap(client.sendVerificationEmail({ email, callbackURL: pageUrl("verify/done") })),
	);
	const submit = (event: FormEvent) => {
		event.preventDefault();
		resend.mutate();
	};
	return (
		<form className="stack" onSubmit={submit}>
			{resend.error && <Notice kind="danger">{messageOf(resend.error)}</Notice>}
			{resend.isSuccess && (
				<Notice kind="success">
					If this address still has to be confirmed, a mail is on its way.
				</Notice>
			)}
			<EmailField value={email} onValue={setEmail} />
			<Button kind={known ? "secondary" : "primary"} type="submit" wide busy={resend.isPending}>
				{known ? "Send the link again" : "Send a new link"}
			</Button>
		</form>
	);
}
