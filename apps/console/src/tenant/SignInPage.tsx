import { useState } from "react";
import { Link, useNavigate } from "react-router";
import { callApi, hasCode } from "../api/client";
import { useApiMutation } from "../api/query-client";
import { Button } from "../ui/Button";
import { Notice } from "../ui/feedback";
import { EmailField, Form, PasswordField } from "../ui/fields";
import { Checkbox } from "../ui/Switch";
import { useErrorMessage } from "./error-messages";
import { AuthPage, LoadingPage } from "./layout";
import { ProviderButtons } from "./ProviderButtons";
import { useSingleSignOn } from "./single-sign-on";
import { useReturnUrl, useTenant } from "./tenant-context";
import { useTexts } from "./texts/texts";

export function SignInPage() {
	const { email, providers } = useTenant().options;
	const { signIn } = useTexts();
	const { search } = useReturnUrl();
	if (useSingleSignOn()) return <LoadingPage />;
	return (
		<AuthPage
			title={signIn.title}
			footer={
				email.signUp && (
					<>
						{signIn.newHere} <Link to={`/sign-up${search}`}>{signIn.createAccount}</Link>
					</>
				)
			}
		>
			{providers.length > 0 && <ProviderButtons />}
			{providers.length > 0 && email.signIn && <p className="divider">{signIn.orEmail}</p>}
			{email.signIn && <PasswordForm />}
			{!email.signIn && providers.length === 0 && <Notice kind="info">{signIn.noMethod}</Notice>}
		</AuthPage>
	);
}

function PasswordForm() {
	const { client, options } = useTenant();
	const { signIn: texts } = useTexts();
	const errorMessage = useErrorMessage();
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
				label={texts.password}
				name="password"
				autoComplete="current-password"
				required
				value={password}
				onValueChange={setPassword}
				aside={options.email.reset && <Link to={`/forgot-password${search}`}>{texts.forgot}</Link>}
			/>
			<Checkbox label={texts.remember} checked={rememberMe} onCheckedChange={setRememberMe} />
			<Button kind="primary" type="submit" wide busy={signIn.isPending || signIn.isSuccess}>
				{texts.submit}
			</Button>
		</Form>
	);
}
