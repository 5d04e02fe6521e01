import { useState } from "react";
import { Link, useLocation, useSearchParams } from "react-router";
import { callApi } from "../api/client";
import { useApiMutation } from "../api/query-client";
import { type SendWithCaptcha, sendWithoutCaptcha, useCaptcha } from "../sign-in/Captcha";
import { useErrorMessage } from "../sign-in/error-messages";
import { AuthPage, LoadingPage } from "../sign-in/layout";
import { useSingleSignOn } from "../sign-in/single-sign-on";
import { useReturnUrl, useTenant } from "../sign-in/tenant-context";
import { Filled, useTexts } from "../sign-in/texts/texts";
import { Button } from "../ui/Button";
import { Notice } from "../ui/feedback";
import { EmailField, Form } from "../ui/fields";
import { OpenLinkPage } from "./OpenLinkPage";

type State = { email: string; reason: "sign-up" | "sign-in" } | null;

/** Shown after a sign-up, and after a sign-in with an email that is not verified. The link of the email leads here too. */
export function VerifyPage() {
	const [query] = useSearchParams();
	const { verify } = useTexts();
	const link = query.get("link");
	if (link === null) return <SendVerificationPage />;
	return <OpenLinkPage title={verify.title} text={verify.open} path="/verify-email" link={link} />;
}

function SendVerificationPage() {
	const { verify, layout } = useTexts();
	const state = useLocation().state as State;
	const { search } = useReturnUrl();
	return (
		<AuthPage
			title={verify.title}
			hint={state?.reason === "sign-in" ? verify.hint : undefined}
			footer={<Link to={`/sign-in${search}`}>{layout.backToSignIn}</Link>}
		>
			{state?.reason === "sign-up" && (
				<p>
					<Filled text={verify.sent}>
						<strong className="break">{state.email}</strong>
					</Filled>
				</p>
			)}
			<ResendForm email={state?.email ?? ""} />
		</AuthPage>
	);
}

/** Shown after the link of an email was opened. */
export function VerifiedPage({ change }: { change: boolean }) {
	const { verify, layout } = useTexts();
	const [query] = useSearchParams();
	const { callbackUrl, search } = useReturnUrl();
	const error = query.get("error");
	const isGoingOn = useSingleSignOn();
	if (error) {
		const isExpired = error.toUpperCase() === "TOKEN_EXPIRED";
		return (
			<AuthPage
				title={isExpired ? verify.expiredTitle : verify.invalidTitle}
				hint={verify.invalid}
				footer={<Link to={`/sign-in${search}`}>{layout.backToSignIn}</Link>}
			>
				<ResendForm email="" />
			</AuthPage>
		);
	}
	if (isGoingOn) return <LoadingPage />;
	return (
		<AuthPage title={verify.doneTitle}>
			<p>{change ? verify.changed : verify.done}</p>
			{callbackUrl ? (
				<a className="button button-primary button-wide" href={callbackUrl}>
					{verify.goOn}
				</a>
			) : (
				<Link className="button button-primary button-wide" to="/account">
					{verify.toAccount}
				</Link>
			)}
		</AuthPage>
	);
}

/** Sends an email with a link that verifies the user's email. */
export function useSendVerification(email: string, send: SendWithCaptcha = sendWithoutCaptcha) {
	const { client } = useTenant();
	const { pageUrl } = useReturnUrl();
	return useApiMutation({
		mutationFn: () => {
			const body = { email, callbackURL: pageUrl("verify/done") };
			return send((options) => callApi(client.sendVerificationEmail(body, options)));
		},
	});
}

function ResendForm({ email: knownEmail }: { email: string }) {
	const { verify } = useTexts();
	const errorMessage = useErrorMessage();
	const [email, setEmail] = useState(knownEmail);
	const captcha = useCaptcha();
	const resend = useSendVerification(email, captcha.send);
	return (
		<Form onSubmit={() => resend.mutate()}>
			{resend.error && <Notice kind="danger">{errorMessage(resend.error)}</Notice>}
			{resend.isSuccess && <Notice kind="success">{verify.resent}</Notice>}
			<EmailField value={email} onValueChange={setEmail} />
			{captcha.field}
			<Button
				kind={knownEmail ? "secondary" : "primary"}
				type="submit"
				wide
				busy={resend.isPending}
			>
				{knownEmail ? verify.sendAgain : verify.sendNew}
			</Button>
		</Form>
	);
}
