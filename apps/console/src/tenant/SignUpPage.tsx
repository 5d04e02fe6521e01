import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link, Navigate, useNavigate } from "react-router";
import { callApi } from "../api/client";
import { useApiMutation } from "../api/query-client";
import type { SignUpField } from "../api/sign-up-fields";
import { useAfterSignIn } from "../sign-in/after-sign-in";
import { useCaptcha } from "../sign-in/Captcha";
import {
	isEmailTaken,
	isNewPasswordRejected,
	isSignUpFieldRejected,
	useErrorMessage,
} from "../sign-in/error-messages";
import { AuthPage, LoadingPage } from "../sign-in/layout";
import { AcceptedBySignUp } from "../sign-in/legal";
import { ProviderButtons } from "../sign-in/ProviderButtons";
import { useSingleSignOn } from "../sign-in/single-sign-on";
import { useInvitedEmail, useKnownEmail, useReturnUrl, useTenant } from "../sign-in/tenant-context";
import { useTexts } from "../sign-in/texts/texts";
import { Button } from "../ui/Button";
import { Notice } from "../ui/feedback";
import { EmailField, Form, TextField } from "../ui/fields";
import { LoadFailedPage } from "./error-pages";
import { OwnPasswordField } from "./password-pages";
import { signUpFieldsQuery } from "./queries";
import { type Answers, answersTo, SignUpFields } from "./SignUpFields";

export function SignUpPage() {
	const tenant = useTenant();
	const { options } = tenant;
	const { signUp, signIn } = useTexts();
	const { search } = useReturnUrl();
	const isGoingOn = useSingleSignOn();
	const { data: fields, error, refetch } = useQuery(signUpFieldsQuery(tenant));
	const invited = useInvitedEmail();
	// An invited user may sign up where others may not.
	const maySignUp = options.email.signUp || (invited !== null && options.email.signIn);
	if (!maySignUp) return <Navigate to={`/sign-in${search}`} replace />;
	if (error && !fields) return <LoadFailedPage error={error} onRetry={refetch} />;
	if (isGoingOn || !fields) return <LoadingPage />;
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
			<SignUpForm fields={fields} reloadFields={refetch} />
			<AcceptedBySignUp />
		</AuthPage>
	);
}

type SignUpFormProps = { fields: SignUpField[]; reloadFields: () => void };

function SignUpForm({ fields, reloadFields }: SignUpFormProps) {
	const { client, options } = useTenant();
	const { signUp: texts, signIn: signInTexts } = useTexts();
	const errorMessage = useErrorMessage();
	const { search, pageUrl } = useReturnUrl();
	const navigate = useNavigate();
	const goOn = useAfterSignIn();
	const [name, setName] = useState("");
	const [email, setEmail] = useState(useKnownEmail());
	const [password, setPassword] = useState("");
	const [answers, setAnswers] = useState<Answers>({});
	const captcha = useCaptcha();
	const signUp = useApiMutation({
		mutationFn: () => {
			// Our own page: it can also say that the link has expired.
			const callbackURL = pageUrl("verify/done");
			const metadata = { signUp: answersTo(fields, answers) };
			const asked = fields.length > 0 ? { metadata } : {};
			const user = { name: name.trim(), email, password, callbackURL, ...asked };
			return captcha.send((options) => callApi(client.tenant.signUp.email(user, options)));
		},
		onSuccess: (response) => {
			if (response.token && !options.email.verification) goOn(response);
			else navigate(`/verify${search}`, { state: { email, reason: "sign-up" } });
		},
		onError: (error) => {
			// The administrator has changed the fields since the page was opened.
			if (isSignUpFieldRejected(error)) reloadFields();
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
			<OwnPasswordField
				label={signInTexts.password}
				personal={[name, email]}
				value={password}
				onValueChange={setPassword}
				error={passwordRejected && message}
			/>
			<SignUpFields fields={fields} answers={answers} onChange={setAnswers} />
			{captcha.field}
			<Button kind="primary" type="submit" wide busy={signUp.isPending || signUp.isSuccess}>
				{texts.submit}
			</Button>
		</Form>
	);
}
