import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link, Navigate, useNavigate } from "react-router";
import { callApi, hasCode } from "../api/client";
import { useApiMutation } from "../api/query-client";
import { Button } from "../ui/Button";
import { Notice } from "../ui/feedback";
import { EmailField, Form, PasswordField } from "../ui/fields";
import { Checkbox } from "../ui/Switch";
import { useAfterSignIn } from "./after-sign-in";
import { useErrorMessage } from "./error-messages";
import { AuthPage, LoadingPage } from "./layout";
import { hasPasskeys, PasskeyButton } from "./PasskeyButton";
import { ProviderButtons } from "./ProviderButtons";
import { missingFactorQuery } from "./session-queries";
import { useSingleSignOn } from "./single-sign-on";
import { useKnownEmail, useReturnUrl, useTenant } from "./tenant-context";
import { useTexts } from "./texts/texts";

export function SignInPage() {
	const tenant = useTenant();
	const { email, providers, methods } = tenant.options;
	const missing = useQuery(missingFactorQuery(tenant));
	const { signIn } = useTexts();
	const { search } = useReturnUrl();
	if (useSingleSignOn()) return <LoadingPage />;
	if (missing.data) return <Navigate to={`/second-factor${search}`} replace />;
	const hasProviders = providers.length > 0;
	const hasPasskey = methods.includes("passkey") && hasPasskeys();
	const hasCompany = tenant.hasSaml && methods.includes("sso");
	const hasEmailLink = methods.includes("magic-link");
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
			{(hasProviders || hasCompany || hasPasskey) && (
				<div className="stack stack-tight">
					{hasCompany && <CompanyLink />}
					{hasProviders && <ProviderButtons />}
					{hasPasskey && <PasskeyButton />}
				</div>
			)}
			{(hasProviders || hasCompany || hasPasskey) && email.signIn && (
				<p className="divider">{signIn.orEmail}</p>
			)}
			{email.signIn && <PasswordForm />}
			{hasEmailLink && (
				<Link
					className={email.signIn ? "center" : "button button-primary button-wide"}
					to={`/email-link${search}`}
				>
					{signIn.emailLink}
				</Link>
			)}
			{!hasProviders && !hasCompany && !hasPasskey && !email.signIn && !hasEmailLink && (
				<Notice kind="info">{signIn.noMethod}</Notice>
			)}
		</AuthPage>
	);
}

/** The server sends the browser on to the identity provider of the company. */
function CompanyLink() {
	const { pageUrl } = useTenant();
	const { url } = useReturnUrl();
	const { signIn } = useTexts();
	const query = new URLSearchParams({ callbackURL: url });
	return (
		<a className="button button-secondary button-wide" href={`${pageUrl("saml/sign-in")}?${query}`}>
			{signIn.company}
		</a>
	);
}

function PasswordForm() {
	const { client, options } = useTenant();
	const { signIn: texts } = useTexts();
	const errorMessage = useErrorMessage();
	const { search } = useReturnUrl();
	const navigate = useNavigate();
	const goOn = useAfterSignIn();
	const [email, setEmail] = useState(useKnownEmail());
	const [password, setPassword] = useState("");
	const [rememberMe, setRememberMe] = useState(true);
	const signIn = useApiMutation({
		mutationFn: () => callApi(client.tenant.signIn.email({ email, password, rememberMe })),
		onSuccess: (response) => goOn(response),
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
