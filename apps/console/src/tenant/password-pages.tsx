import { type ReactNode, useState } from "react";
import { Link, Navigate, useSearchParams } from "react-router";
import { callApi, hasCode } from "../api/client";
import { useApiMutation } from "../api/query-client";
import { isNewPasswordRejected, useErrorMessage } from "../sign-in/error-messages";
import { AuthPage } from "../sign-in/layout";
import { useKnownEmail, useReturnUrl, useTenant } from "../sign-in/tenant-context";
import { Filled, useTexts } from "../sign-in/texts/texts";
import { Button } from "../ui/Button";
import { Notice } from "../ui/feedback";
import { EmailField, Form, PasswordField } from "../ui/fields";

/** Sends an email with a link to `NewPasswordPage`. */
export function useRequestPasswordReset(email: string) {
	const { client } = useTenant();
	const { pageUrl } = useReturnUrl();
	return useApiMutation({
		mutationFn: () =>
			callApi(client.requestPasswordReset({ email, redirectTo: pageUrl("new-password") })),
	});
}

export function ForgotPasswordPage() {
	const { options } = useTenant();
	const { forgot, layout } = useTexts();
	const errorMessage = useErrorMessage();
	const { search } = useReturnUrl();
	const [email, setEmail] = useState(useKnownEmail());
	const request = useRequestPasswordReset(email);
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
				<NewPasswordField
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

type NewPasswordFieldProps = {
	label: string;
	value: string;
	onValueChange: (value: string) => void;
	error?: ReactNode;
};

/** The length limits come from the server. */
export function NewPasswordField(props: NewPasswordFieldProps) {
	const { signUp } = useTexts();
	const { minLength, maxLength } = useTenant().options.password;
	return (
		<PasswordField
			name="new-password"
			autoComplete="new-password"
			required
			minLength={minLength}
			maxLength={maxLength}
			hint={signUp.minLength(minLength)}
			{...props}
		/>
	);
}
