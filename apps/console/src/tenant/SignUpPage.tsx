import { useState } from "react";
import { Link, Navigate, useNavigate } from "react-router";
import { callApi } from "../api/client";
import { useApiMutation } from "../api/query-client";
import { useAfterSignIn } from "../sign-in/after-sign-in";
import { isEmailTaken, isNewPasswordRejected, useErrorMessage } from "../sign-in/error-messages";
import { AuthPage, LoadingPage } from "../sign-in/layout";
import { ProviderButtons } from "../sign-in/ProviderButtons";
import { useSingleSignOn } from "../sign-in/single-sign-on";
import { useInvitedEmail, useKnownEmail, useReturnUrl, useTenant } from "../sign-in/tenant-context";
import { useTexts } from "../sign-in/texts/texts";
import { Button } from "../ui/Button";
import { Notice } from "../ui/feedback";
import { EmailField, Form, TextField } from "../ui/fields";
import { NewPasswordField } from "./password-pages";

export function SignUpPage() {
	const { options } = useTenant();
	const { signUp, signIn } = useTexts();
	const { search } = useReturnUrl();
	const isGoingOn = useSingleSignOn();
	const invited = useInvitedEmail();
	// An invited user may sign up where others may not.
	const maySignUp = options.email.signUp || (invited !== null && options.email.signIn);
	if (!maySignUp) return <Navigate to={`/sign-in${search}`} replace />;
	if (isGoingOn) return <LoadingPage />;
	return (
		<AuthPage
			title={signUp.title}
			footer={
				<>
					{signUp.haveAccount}{" "}
					<Link to={`/sign-in${search}`} state={{ invited }}>
						{signIn.submit}
					</Link>
				</>
			}
		>
			{options.providers.length > 0 && (
				<>
					<ProviderButtons />
					<p className="divider">{signIn.orEmail}</p>
				</>
			)}
			<SignUpForm />
		</AuthPage>
	);
}

function SignUpForm() {
	const { client, options } = useTenant();
	const { signUp: texts, signIn: signInTexts } = useTexts();
	const errorMessage = useErrorMessage();
	const { search, pageUrl } = useReturnUrl();
	const navigate = useNavigate();
	const goOn = useAfterSignIn();
	const [name, setName] = useState("");
	const [email, setEmail] = useState(useKnownEmail());
	const [password, setPassword] = useState("");
	const signUp = useApiMutation({
		mutationFn: () =>
			callApi(
				client.tenant.signUp.email({
					name: name.trim(),
					email,
					password,
					// Our own page: it can also say that the link has expired.
					callbackURL: pageUrl("verify/done"),
				}),
			),
		onSuccess: (response) => {
			if (response.token && !options.email.verification) goOn(response);
			else navigate(`/verify${search}`, { state: { email, reason: "sign-up" } });
		},
	});
	const { error } = signUp;
	const message = error && errorMessage(error);
	const emailTaken = isEmailTaken(error);
	const passwordRejected = isNewPasswordRejected(error);
	return (
		<Form onSubmit={() => signUp.mutate()}>
			{error && !emailTaken && !passwordRejected && <Notice kind="danger">{message}</Notice>}
			<TextField
				label={texts.name}
				name="name"
				autoComplete="name"
				required
				// Not only spaces.
				pattern=".*\S.*"
				maxLength={200}
				value={name}
				onValueChange={setName}
			/>
			<EmailField value={email} onValueChange={setEmail} error={emailTaken && message} />
			<NewPasswordField
				label={signInTexts.password}
				value={password}
				onValueChange={setPassword}
				error={passwordRejected && message}
			/>
			<Button kind="primary" type="submit" wide busy={signUp.isPending || signUp.isSuccess}>
				{texts.submit}
			</Button>
		</Form>
	);
}
