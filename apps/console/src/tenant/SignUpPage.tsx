import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Link, Navigate, useNavigate } from "react-router";
import { callApi } from "../api/client";
import { useApiMutation } from "../api/query-client";
import { Button } from "../ui/Button";
import { Notice } from "../ui/feedback";
import { EmailField, Form, TextField } from "../ui/fields";
import { useAuthorizationRequest } from "./authorization-request";
import { errorMessage, isEmailTaken, isNewPasswordRejected } from "./error-messages";
import { AuthPage } from "./layout";
import { ProviderButtons } from "./ProviderButtons";
import { NewPasswordField } from "./password-pages";
import { sessionQuery } from "./queries";
import { useReturnUrl, useTenant } from "./tenant-context";

export function SignUpPage() {
	const { options } = useTenant();
	const { search } = useReturnUrl();
	if (!options.email.signUp) return <Navigate to={`/sign-in${search}`} replace />;
	return (
		<AuthPage
			title="Create an account"
			footer={
				<>
					Already have an account? <Link to={`/sign-in${search}`}>Sign in</Link>
				</>
			}
		>
			{options.providers.length > 0 && (
				<>
					<ProviderButtons />
					<p className="divider">or with your email</p>
				</>
			)}
			<SignUpForm />
		</AuthPage>
	);
}

function SignUpForm() {
	const tenant = useTenant();
	const { client, options, pageUrl } = tenant;
	const { url, search } = useReturnUrl();
	const request = useAuthorizationRequest();
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
					callbackURL: search ? url : pageUrl("verify/done"),
				}),
			),
		onSuccess: ({ token }) => {
			// Signed in already: the request of an application goes on.
			if (token && request) return window.location.assign(url);
			// The cached session says that nobody is signed in.
			queryClient.removeQueries(sessionQuery(tenant));
			if (token && !options.email.verification) navigate("/account");
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
				label="Name"
				name="name"
				autoComplete="name"
				required
				maxLength={200}
				value={name}
				onValueChange={setName}
			/>
			<EmailField value={email} onValueChange={setEmail} error={emailTaken && message} />
			<NewPasswordField
				label="Password"
				value={password}
				onValueChange={setPassword}
				error={passwordRejected && message}
			/>
			<Button kind="primary" type="submit" wide busy={signUp.isPending || signUp.isSuccess}>
				Create account
			</Button>
		</Form>
	);
}
