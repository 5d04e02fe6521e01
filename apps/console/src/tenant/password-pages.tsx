import { type ComponentProps, useState } from "react";
import { Link, Navigate, useSearchParams } from "react-router";
import { callApi, hasCode } from "../api/client";
import { useApiMutation } from "../api/query-client";
import { type SendWithCaptcha, sendWithoutCaptcha, useCaptcha } from "../sign-in/Captcha";
import { isNewPasswordRejected, useErrorMessage } from "../sign-in/error-messages";
import { AuthPage } from "../sign-in/layout";
import { useKnownEmail, useReturnUrl, useTenant } from "../sign-in/tenant-context";
import { Filled, useTexts } from "../sign-in/texts/texts";
import { Button } from "../ui/Button";
import { Notice } from "../ui/feedback";
import { EmailField, Form } from "../ui/fields";
import { NewPasswordField } from "../ui/NewPasswordField";

/** Sends an email with a link to `NewPasswordPage`. */
export function useRequestPasswordReset(email: string, send: SendWithCaptcha = sendWithoutCaptcha) {
	const { client } = useTenant();
	const { pageUrl } = useReturnUrl();
	return useApiMutation({
		mutationFn: () => {
			const body = { email, redirectTo: pageUrl("new-password") };
			return send((options) => callApi(client.requestPasswordReset(body, options)));
		},
	});
}

export function ForgotPasswordPage() {
	const { options } = useTenant();
	const { forgot, layout } = useTexts();
	const errorMessage = useErrorMessage();
	const { search } = useReturnUrl();
	const [email, setEmail] = useState(useKnownEmail());
	const captcha = useCaptcha();
	const request = useRequestPasswordReset(email, captcha.send);
	if (!options.email.reset) return <Navigate to={`/sign-in${search}`} replace />;

	const back = <Link to={`/sign-in${search}`}>{layout.backToSignIn}</Link>;
	if (request.isSuccess) {
		return (
			<AuthPage title={forgot.sentTitle} footer={back}>
				<p>
					<Filled text={forgot.sent}>
						<strong className="break">{email}</strong>
					</Filled>
				</p>
				<p className="muted small">
					<Filled text={forgot.noEmail}>
						<button type="button" className="link-button" onClick={() => request.reset()}>
							{forgot.tryAnother}
						</button>
					</Filled>
				</p>
			</AuthPage>
		);
	}
	return (
		<AuthPage title={forgot.title} hint={forgot.hint} footer={back}>
			<Form onSubmit={() => request.mutate()}>
				{request.error && <Notice kind="danger">{errorMessage(request.error)}</Notice>}
				<EmailField value={email} onValueChange={setEmail} />
				{captcha.field}
				<Button kind="primary" type="submit" wide busy={request.isPending}>
					{forgot.submit}
				</Button>
			</Form>
		</AuthPage>
	);
}

export function NewPasswordPage() {
	const { client } = useTenant();
	const { newPassword: texts, signIn } = useTexts();
	const errorMessage = useErrorMessage();
	const { search } = useReturnUrl();
	const [query] = useSearchParams();
	const token = query.get("token");
	const [newPassword, setNewPassword] = useState("");
	const reset = useApiMutation({
		mutationFn: () => callApi(client.resetPassword({ newPassword, token: token ?? "" })),
	});
	if (reset.isSuccess) {
		return (
			<AuthPage title={texts.doneTitle}>
				<p>{texts.done}</p>
				<Link className="button button-primary button-wide" to={`/sign-in${search}`}>
					{signIn.submit}
				</Link>
			</AuthPage>
		);
	}
	if (!token || hasCode(reset.error, "INVALID_TOKEN")) {
		return (
			<AuthPage title={texts.usedTitle}>
				<p>{texts.used}</p>
				<Link className="button button-primary button-wide" to={`/forgot-password${search}`}>
					{texts.request}
				</Link>
			</AuthPage>
		);
	}
	const message = reset.error && errorMessage(reset.error);
	const passwordRejected = isNewPasswordRejected(reset.error);
	return (
		<AuthPage title={texts.title}>
			<Form onSubmit={() => reset.mutate()}>
				{message && !passwordRejected && <Notice kind="danger">{message}</Notice>}
				<OwnPasswordField
					label={texts.label}
					value={newPassword}
					onValueChange={setNewPassword}
					error={passwordRejected && message}
				/>
				<Button kind="primary" type="submit" wide busy={reset.isPending}>
					{texts.submit}
				</Button>
			</Form>
		</AuthPage>
	);
}

type OwnPasswordFieldProps = Omit<
	ComponentProps<typeof NewPasswordField>,
	"minLength" | "maxLength"
>;

/** The length limits come from the server. */
export function OwnPasswordField(props: OwnPasswordFieldProps) {
	const { signUp } = useTexts();
	const { minLength, maxLength } = useTenant().options.password;
	return (
		<NewPasswordField
			minLength={minLength}
			maxLength={maxLength}
			hint={signUp.minLength(minLength)}
			{...props}
		/>
	);
}
