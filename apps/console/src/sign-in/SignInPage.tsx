import { useQuery } from "@tanstack/react-query";
import { Link, Navigate } from "react-router";
import { Notice } from "../ui/feedback";
import { EmailForm } from "./EmailForm";
import { AuthPage, LoadingPage } from "./layout";
import { hasPasskeys, PasskeyButton } from "./PasskeyButton";
import { ProviderButtons } from "./ProviderButtons";
import { useSamlUrl } from "./provider-sign-in";
import { missingFactorQuery } from "./session-queries";
import { useSingleSignOn } from "./single-sign-on";
import { useReturnUrl, useTenant } from "./tenant-context";
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
			{(hasProviders || hasCompany) && (
				<div className="stack stack-tight">
					{hasCompany && <CompanyLink />}
					{hasProviders && <ProviderButtons />}
				</div>
			)}
			{(hasProviders || hasCompany) && email.signIn && <p className="divider">{signIn.orEmail}</p>}
			{email.signIn && <EmailForm hasPasskey={hasPasskey} />}
			{/* Few people have one, so it is not between them and the form. */}
			{hasPasskey && <PasskeyButton />}
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

function CompanyLink() {
	const { signIn } = useTexts();
	return (
		<a className="button button-secondary button-wide" href={useSamlUrl()}>
			{signIn.company}
		</a>
	);
}
