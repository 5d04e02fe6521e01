import { useState } from "react";
import { Link, useNavigate, useSearchParams } from "react-router";
import { callApi, hasCode } from "../api/client";
import { useApiMutation } from "../api/query-client";
import { Button } from "../ui/Button";
import { Notice } from "../ui/feedback";
import { EmailField, Form, PasswordField } from "../ui/fields";
import { Checkbox } from "../ui/Switch";
import { describeOAuthError, errorMessage } from "./error-messages";
import { AuthPage } from "./layout";
import { ProviderButtons } from "./ProviderButtons";
import { useSession } from "./queries";
import { useReturnUrl, useTenant } from "./tenant-context";

export function SignInPage() {
	const { email, providers } = useTenant().options;
	const { search } = useReturnUrl();
	return (
		<AuthPage
			title="Sign in"
			footer={
				email.signUp && (
					<>
						New here? <Link to={`/sign-up${search}`}>Create an account</Link>
					</>
				)
			}
		>
			{providers.length > 0 && <ProviderButtons />}
			{providers.length > 0 && email.signIn && <p className="divider">or with your email</p>}
			{email.signIn && <PasswordForm />}
			{!email.signIn && providers.length === 0 && (
				<Notice kind="info">No sign-in method is available yet.</Notice>
			)}
		</AuthPage>
	);
}

function PasswordForm() {
	const { client, options } = useTenant();
	const { url, search } = useReturnUrl();
	const navigate = useNavigate();
	const [email, setEmail] = useState("");
	const [password, setPassword] = useState("");
	const [rememberMe, setRememberMe] = useState(true);
	// The client opens the URL of the answer.
	const signIn = useApiMutation({
		mutationFn: () =>
			callApi(client.tenant.signIn.email({ email, password, rememberMe, callbackURL: url })),
		onError: (error) => {
			if (hasCode(error, "EMAIL_NOT_VERIFIED")) {
				navigate(`/verify${search}`, { state: { email, reason: "sign-in" } });
			}
		},
	});
	const isUnverified = hasCode(signIn.error, "EMAIL_NOT_VERIFIED");
	return (
		<Form onSubmit={() => signIn.mutate()}>
			{signIn.error && !isUnverified && <Notice kind="danger">{errorMessage(signIn.error)}</Notice>}
			<EmailField value={email} onValueChange={setEmail} />
			<PasswordField
				label="Password"
				name="password"
				autoComplete="current-password"
				required
				value={password}
				onValueChange={setPassword}
				aside={
					options.email.reset && <Link to={`/forgot-password${search}`}>Forgot your password?</Link>
				}
			/>
			<Checkbox label="Keep me signed in" checked={rememberMe} onCheckedChange={setRememberMe} />
			<Button kind="primary" type="submit" wide busy={signIn.isPending || signIn.isSuccess}>
				Sign in
			</Button>
		</Form>
	);
}

/** Where a failed social sign-in ends. */
export function OAuthErrorPage() {
	const [query] = useSearchParams();
	const code = query.get("error");
	const { title, text } = describeOAuthError(code);
	const isSignedIn = Boolean(useSession().data);
	return (
		<AuthPage title={title}>
			<p>{text}</p>
			<Link className="button button-primary button-wide" to={isSignedIn ? "/account" : "/sign-in"}>
				{isSignedIn ? "Back to your account" : "Back to sign-in"}
			</Link>
			{code && /^[\w'-]{1,80}$/.test(code) && (
				<p className="muted small">
					Error code for your administrator: <code>{code}</code>
				</p>
			)}
		</AuthPage>
	);
}
