import { useEffect } from "react";
import { Link, Navigate, Route, Routes, useLocation } from "react-router";
import { AuthPage, LoadingPage } from "../sign-in/layout";
import { SignInPage } from "../sign-in/SignInPage";
import { useSession } from "../sign-in/session-queries";
import { useSingleSignOn } from "../sign-in/single-sign-on";
import { useReturnUrl } from "../sign-in/tenant-context";
import { useTexts } from "../sign-in/texts/texts";
import { AccountPage } from "./account/AccountPage";
import { ConsentPage } from "./ConsentPage";
import { DeleteAccountPage, DeletedPage } from "./DeleteAccountPage";
import { EmailLinkPage } from "./EmailLinkPage";
import { EnrollPage } from "./EnrollPage";
import { ErrorPage, LoadFailedPage } from "./error-pages";
import { InvitationPage } from "./InvitationPage";
import { ForgotPasswordPage, NewPasswordPage } from "./password-pages";
import { SignOutPage } from "./SignOutPage";
import { SignUpPage } from "./SignUpPage";
import { isServerPath } from "./server-paths";
import { TwoFactorPage } from "./TwoFactorPage";
import { VerifiedPage, VerifyPage } from "./VerifyPage";

/** The server has the same list of paths. It returns 404 for every other path. */
export function TenantRoutes() {
	return (
		<Routes>
			<Route index element={<StartPage />} />
			<Route path="sign-in" element={<SignInPage />} />
			<Route path="sign-out" element={<SignOutPage />} />
			<Route path="sign-up" element={<SignUpPage />} />
			<Route path="email-link" element={<EmailLinkPage />} />
			<Route path="two-factor" element={<TwoFactorPage />} />
			<Route path="second-factor" element={<EnrollPage />} />
			<Route path="forgot-password" element={<ForgotPasswordPage />} />
			<Route path="new-password" element={<NewPasswordPage />} />
			<Route path="verify" element={<VerifyPage />} />
			<Route path="verify/done" element={<VerifiedPage change={false} />} />
			<Route path="verify/changed" element={<VerifiedPage change />} />
			<Route path="consent" element={<ConsentPage />} />
			<Route path="invitation" element={<InvitationPage />} />
			<Route path="account" element={<AccountPage />} />
			<Route path="delete-account" element={<DeleteAccountPage />} />
			<Route path="deleted" element={<DeletedPage />} />
			<Route path="error" element={<ErrorPage />} />
			<Route path="oauth2/authorize" element={<ServerPage />} />
			<Route path="oauth2/end-session" element={<ServerPage />} />
			<Route path="*" element={<NotFoundPage />} />
		</Routes>
	);
}

function StartPage() {
	const { data, error, isPending, refetch } = useSession();
	const { search } = useReturnUrl();
	const isGoingOn = useSingleSignOn();
	const location = useLocation();
	// A link that fails leads here if nothing else was asked for.
	if (new URLSearchParams(location.search).has("error")) {
		return <Navigate to={`/error${location.search}`} replace />;
	}
	if (isPending || isGoingOn) return <LoadingPage />;
	if (error && !data) return <LoadFailedPage error={error} onRetry={refetch} />;
	return <Navigate to={`${data ? "/account" : "/sign-in"}${search}`} replace />;
}

/** The server handles these paths itself. It sent this page only because its database was away. */
function ServerPage() {
	const { pathname } = useLocation();
	// The router also matches other letter cases and a slash at the end. There the page would load forever.
	const isHandled = isServerPath(pathname);
	useEffect(() => {
		if (isHandled) window.location.reload();
	}, [isHandled]);
	return isHandled ? <LoadingPage /> : <NotFoundPage />;
}

function NotFoundPage() {
	const { notFound } = useTexts();
	return (
		<AuthPage title={notFound.title} footer={<Link to="/">{notFound.start}</Link>}>
			<p>{notFound.text}</p>
		</AuthPage>
	);
}
