import { type ReactNode, useState } from "react";
import { Link, Navigate, useSearchParams } from "react-router";
import { callApi, hasCode } from "../api/client";
import { useApiMutation } from "../api/query-client";
import { Button } from "../ui/Button";
import { Notice } from "../ui/feedback";
import { EmailField, Form, PasswordField } from "../ui/fields";
import { errorMessage, isNewPasswordRejected } from "./error-messages";
import { AuthPage } from "./layout";
import { useReturnUrl, useTenant } from "./tenant-context";

/** Sends an email with a link to `NewPasswordPage`. */
export function useRequestPasswordReset(email: string) {
	const { client, pageUrl } = useTenant();
	return useApiMutation({
		mutationFn: () =>
			callApi(client.requestPasswordReset({ email, redirectTo: pageUrl("new-password") })),
	});
}

export function ForgotPasswordPage() {
	const { options } = useTenant();
	const { search } = useReturnUrl();
	const [email, setEmail] = useState("");
	const request = useRequestPasswordReset(email);
	if (!options.email.reset) return <Navigate to={`/sign-in${search}`} replace />;

	const back = <Link to={`/sign-in${search}`}>Back to sign-in</Link>;
	if (request.isSuccess) {
		return (
			<AuthPage title="Check your email" footer={back}>
				<p>
					If an account exists for <strong className="break">{email}</strong>, we sent it a link.
					The link works for one hour.
				</p>
				<p className="muted small">
					No email? Check your spam folder, or{" "}
					<button type="button" className="link-button" onClick={() => request.reset()}>
						try another email
					</button>
					.
				</p>
			</AuthPage>
		);
	}
	return (
		<AuthPage
			title="Forgot your password?"
			hint="Enter your email. We will send you a link to set a new password."
			footer={back}
		>
			<Form onSubmit={() => request.mutate()}>
				{request.error && <Notice kind="danger">{errorMessage(request.error)}</Notice>}
				<EmailField value={email} onValueChange={setEmail} />
				<Button kind="primary" type="submit" wide busy={request.isPending}>
					Send link
				</Button>
			</Form>
		</AuthPage>
	);
}

export function NewPasswordPage() {
	const { client } = useTenant();
	const [query] = useSearchParams();
	const token = query.get("token");
	const [newPassword, setNewPassword] = useState("");
	const reset = useApiMutation({
		mutationFn: () => callApi(client.resetPassword({ newPassword, token: token ?? "" })),
	});
	if (reset.isSuccess) {
		return (
			<AuthPage title="Password changed">
				<p>You can now sign in with your new password.</p>
				<Link className="button button-primary button-wide" to="/sign-in">
					Sign in
				</Link>
			</AuthPage>
		);
	}
	if (!token || hasCode(reset.error, "INVALID_TOKEN")) {
		return (
			<AuthPage title="This link no longer works">
				<p>It has expired or was already used. Request a new link.</p>
				<Link className="button button-primary button-wide" to="/forgot-password">
					Request a new link
				</Link>
			</AuthPage>
		);
	}
	const message = reset.error && errorMessage(reset.error);
	const passwordRejected = isNewPasswordRejected(reset.error);
	return (
		<AuthPage title="Set a new password">
			<Form onSubmit={() => reset.mutate()}>
				{message && !passwordRejected && <Notice kind="danger">{message}</Notice>}
				<NewPasswordField
					label="New password"
					value={newPassword}
					onValueChange={setNewPassword}
					error={passwordRejected && message}
				/>
				<Button kind="primary" type="submit" wide busy={reset.isPending}>
					Save password
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
	const { minLength, maxLength } = useTenant().options.password;
	return (
		<PasswordField
			name="new-password"
			autoComplete="new-password"
			required
			minLength={minLength}
			maxLength={maxLength}
			hint={`At least ${minLength} characters.`}
			{...props}
		/>
	);
}
