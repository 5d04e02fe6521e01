import { useState } from "react";
import { Link, useLocation, useSearchParams } from "react-router";
import { callApi } from "../api/client";
import { useApiMutation } from "../api/query-client";
import { Button } from "../ui/Button";
import { Notice } from "../ui/feedback";
import { EmailField, Form } from "../ui/fields";
import { errorMessage } from "./error-messages";
import { AuthPage } from "./layout";
import { useReturnUrl, useTenant } from "./tenant-context";

type State = { email: string; reason: "sign-up" | "sign-in" } | null;

/** Shown after a sign-up, and after a sign-in with an email that is not verified. */
export function VerifyPage() {
	const state = useLocation().state as State;
	const { search } = useReturnUrl();
	return (
		<AuthPage
			title="Verify your email"
			hint={state?.reason === "sign-in" ? "Verify your email before you sign in." : undefined}
			footer={<Link to={`/sign-in${search}`}>Back to sign-in</Link>}
		>
			{state?.reason === "sign-up" && (
				<p>
					We sent a link to <strong className="break">{state.email}</strong>. Open it to verify your
					email.
				</p>
			)}
			<ResendForm email={state?.email ?? ""} />
		</AuthPage>
	);
}

/** Where the links in our emails lead. */
export function VerifiedPage({ change }: { change: boolean }) {
	const [query] = useSearchParams();
	const error = query.get("error");
	if (error) {
		const isExpired = error.toUpperCase() === "TOKEN_EXPIRED";
		return (
			<AuthPage
				title={isExpired ? "This link has expired" : "This link is not valid"}
				hint="It may be old or already used. We can send you a new one."
				footer={<Link to="/sign-in">Back to sign-in</Link>}
			>
				<ResendForm email="" />
			</AuthPage>
		);
	}
	return (
		<AuthPage title="Thank you">
			<p>
				{change
					? "If this link was sent to your old email, we have sent another one to your new email. Open it to finish the change."
					: "Your email is verified."}
			</p>
			<Link className="button button-primary button-wide" to="/account">
				Go to your account
			</Link>
		</AuthPage>
	);
}

/** Sends an email with a link that verifies the user's email. */
export function useSendVerification(email: string) {
	const { client, pageUrl } = useTenant();
	return useApiMutation({
		mutationFn: () =>
			callApi(client.sendVerificationEmail({ email, callbackURL: pageUrl("verify/done") })),
	});
}

function ResendForm({ email: knownEmail }: { email: string }) {
	const [email, setEmail] = useState(knownEmail);
	const resend = useSendVerification(email);
	return (
		<Form onSubmit={() => resend.mutate()}>
			{resend.error && <Notice kind="danger">{errorMessage(resend.error)}</Notice>}
			{resend.isSuccess && (
				<Notice kind="success">If this email is not verified yet, we have sent it a link.</Notice>
			)}
			<EmailField value={email} onValueChange={setEmail} />
			<Button
				kind={knownEmail ? "secondary" : "primary"}
				type="submit"
				wide
				busy={resend.isPending}
			>
				{knownEmail ? "Send the link again" : "Send a new link"}
			</Button>
		</Form>
	);
}
