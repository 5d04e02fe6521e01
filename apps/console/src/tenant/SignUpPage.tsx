import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Link, Navigate, useNavigate } from "react-router";
import { callApi } from "../api/client";
import { useApiMutation } from "../api/query-client";
import { Button } from "../ui/Button";
import { Notice } from "../ui/feedback";
import { EmailField, Form, TextField } from "../ui/fields";
import { isEmailTaken, isNewPasswordRejected, useErrorMessage } from "./error-messages";
import { AuthPage, LoadingPage } from "./layout";
import { ProviderButtons } from "./ProviderButtons";
import { NewPasswordField } from "./password-pages";
import { sessionQuery } from "./queries";
import { useSingleSignOn } from "./single-sign-on";
import { useReturnUrl, useTenant } from "./tenant-context";
import { useTexts } from "./texts/texts";

export function SignUpPage() {
	const { options } = useTenant();
	const { signUp, signIn } = useTexts();
	const { search } = useReturnUrl();
	const isGoingOn = useSingleSignOn();
	if (!options.email.signUp) return <Navigate to={`/sign-in${search}`} replace />;
	if (isGoingOn) return <LoadingPage />;
	return (
		<AuthPage
			title={signUp.title}
			footer={
				<>
					{signUp.haveAccount} <Link to={`/sign-in${search}`}>{signIn.submit}</Link>
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
	const tenant = useTenant();
	const { signUp: texts, signIn: signInTexts } = useTexts();
	const errorMessage = useErrorMessage();
	const { client, options } = tenant;
	const { callbackUrl, search, pageUrl } = useReturnUrl();
	const navigate = useNavigate();
	const queryClient = useQueryClient();
	const [name, setName] = useState("");
	const [email, setEmail] = useState("");
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
		onSuccess: ({ token }) => {
			// The cached session says that nobody is signed in.
			queryClient.removeQueries(sessionQuery(tenant));
			if (!token || options.email.verification) {
				navigate(`/verify${search}`, { state: { email, reason: "sign-up" } });
			} else if (callbackUrl) window.location.assign(callbackUrl);
			else navigate(`/account${search}`);
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
