import { type FormEvent, useState } from "react";
import { Link, useNavigate } from "react-router";
import { unwrap } from "../api/unwrap";
import { Button } from "../ui/Button";
import { Notice } from "../ui/Notice";
import { PasswordField } from "../ui/PasswordField";
import { AuthPage } from "./AuthPage";
import { EmailField } from "./EmailField";
import { hasCode, messageOf } from "./messages";
import { ProviderButtons } from "./ProviderButtons";
import { useReturnTo } from "./return-to";
import { useTenant } from "./tenant-context";
import { useCall } from "./use-call";

export function SignInPage() {
	const { options } = useTenant();
	const { search } = useReturnTo();
	const { email, providers } = options;
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
			{providers.length > 0 && email.signIn && <p className="divider">or with your address</p>}
			{email.signIn && <PasswordForm />}
			{!email.signIn && providers.length === 0 && (
				<Notice kind="info">There is no way to sign in here yet.</Notice>
			)}
		</AuthPage>
	);
}

function PasswordForm() {
	const { client, options } = useTenant();
	const { url, search } = useReturnTo();
	const navigate = useNavigate();
	const [email, setEmail] = useState("");
	const [password, setPassword] = useState("");
	const [rememberMe, setRememberMe] = useState(true);
	// The client itself follows the address in the answer.
	const signIn = useCall(() =>
		unwrap(client.tenant.signIn.email({ email, password, rememberMe, callbackURL: url })),
	);
	const unconfirmed = hasCode(signIn.error, "EMAIL_NOT_VERIFIED");
	const submit = (event: FormEvent) => {
		event.preventDefault();
		signIn.mutate(undefined, {
			onError: (error) => {
				if (hasCode(error, "EMAIL_NOT_VERIFIED")) {
					navigate(`/verify${search}`, { state: { email, reason: "sign-in" } });
				}
			},
		});
	};
	return (
		<form className="stack" onSubmit={submit}>
			{signIn.error && !unconfirmed && <Notice kind="danger">{messageOf(signIn.error)}</Notice>}
			<EmailField value={email} onValue={setEmail} />
			<PasswordField
				label="Password"
				name="password"
				autoComplete="current-password"
				required
				value={password}
				onChange={(event) => setPassword(event.target.value)}
				aside={
					options.email.reset && <Link to={`/forgot-password${search}`}>Forgot your password?</Link>
				}
			/>
			<label className="check">
				<input
					type="checkbox"
					checked={rememberMe}
					onChange={(event) => setRememberMe(event.target.checked)}
				/>
				Keep me signed in
			</label>
			<Button kind="primary" type="submit" wide busy={signIn.isPending || signIn.isSuccess}>
				Sign in
			</Button>
		</form>
	);
}
