import { Suspense, useEffect } from "react";
import { Link, Navigate, Route, Routes, useLocation } from "react-router";
import { AuthPage, LoadingPage } from "../sign-in/layout";
import { SignInPage } from "../sign-in/SignInPage";
import { useSession } from "../sign-in/session-queries";
import { useSingleSignOn } from "../sign-in/single-sign-on";
import { useReturnUrl } from "../sign-in/tenant-context";
import { useTexts } from "../sign-in/texts/texts";
import { ErrorPage, LoadFailedPage } from "./error-pages";
import { lazyPage } from "./lazy-page";
import { isServerPath } from "./server-paths";

// The sign-in page is the first one for most people, so it brings no other page with it.
const AccountPage = lazyPage(async () => (await import("./account/AccountPage")).AccountPage);
const ConsentPage = lazyPage(async () => (await import("./ConsentPage")).ConsentPage);
const DeleteAccountPage = lazyPage(
	async () => (await import("./DeleteAccountPage")).DeleteAccountPage,
);
const DeletedPage = lazyPage(async () => (await import("./DeleteAccountPage")).DeletedPage);
const DevicePage = lazyPage(async () => (await import("./DevicePage")).DevicePage);
const EmailLinkPage = lazyPage(async () => (await import("./EmailLinkPage")).EmailLinkPage);
const EnrollPage = lazyPage(async () => (await import("./EnrollPage")).EnrollPage);
const ForgotPasswordPage = lazyPage(
	async () => (await import("./password-pages")).ForgotPasswordPage,
);
const InvitationPage = lazyPage(async () => (await import("./InvitationPage")).InvitationPage);
const NewPasswordPage = lazyPage(async () => (await import("./password-pages")).NewPasswordPage);
const SignOutPage = lazyPage(async () => (await import("./SignOutPage")).SignOutPage);
const SignUpPage = lazyPage(async () => (await import("./SignUpPage")).SignUpPage);
const TwoFactorPage = lazyPage(async () => (await import("./TwoFactorPage")).TwoFactorPage);
const VerifiedPage = lazyPage(async () => (await import("./VerifyPage")).VerifiedPage);
const VerifyPage = lazyPage(async () => (await import("./VerifyPage")).VerifyPage);

/** The server has the same list of paths. It returns 404 for every other path. */
export function TenantRoutes() {
	return (
		<Suspense fallback={<LoadingPage />}>
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
				<Route path="device" element={<DevicePage />} />
				<Route path="invitation" element={<InvitationPage />} />
				<Route path="account" element={<AccountPage />} />
				<Route path="delete-account" element={<DeleteAccountPage />} />
				<Route path="deleted" element={<DeletedPage />} />
				<Route path="error" element={<ErrorPage />} />
				<Route path="oauth2/authorize" element={<ServerPage />} />
				<Route path="oauth2/end-session" element={<ServerPage />} />
				<Route path="*" element={<NotFoundPage />} />
			</Routes>
		</Suspense>
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
