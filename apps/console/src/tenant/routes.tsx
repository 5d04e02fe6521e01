import { Link, Navigate, Route, Routes } from "react-router";
import { AccountPage } from "./account/AccountPage";
import { ConsentPage } from "./ConsentPage";
import { AuthPage, LoadingPage } from "./layout";
import { ForgotPasswordPage, NewPasswordPage } from "./password-pages";
import { useSession } from "./queries";
import { OAuthErrorPage, SignInPage } from "./SignInPage";
import { SignUpPage } from "./SignUpPage";
import { VerifiedPage, VerifyPage } from "./VerifyPage";

/** The server has the same list of paths. It answers 404 for every other path. */
export function TenantRoutes() {
	return (
		<Routes>
			<Route index element={<StartPage />} />
			<Route path="sign-in" element={<SignInPage />} />
			<Route path="sign-up" element={<SignUpPage />} />
			<Route path="forgot-password" element={<ForgotPasswordPage />} />
			<Route path="new-password" element={<NewPasswordPage />} />
			<Route path="verify" element={<VerifyPage />} />
			<Route path="verify/done" element={<VerifiedPage change={false} />} />
			<Route path="verify/changed" element={<VerifiedPage change />} />
			<Route path="consent" element={<ConsentPage />} />
			<Route path="account" element={<AccountPage />} />
			<Route path="deleted" element={<DeletedPage />} />
			<Route path="error" element={<OAuthErrorPage />} />
			<Route path="*" element={<NotFoundPage />} />
		</Routes>
	);
}

function StartPage() {
	const { data, isPending } = useSession();
	if (isPending) return <LoadingPage />;
	return <Navigate to={data ? "/account" : "/sign-in"} replace />;
}

function DeletedPage() {
	return (
		<AuthPage title="Account deleted" footer={<Link to="/sign-in">Go to sign-in</Link>}>
			<p>Your account and all of its data are deleted.</p>
		</AuthPage>
	);
}

function NotFoundPage() {
	return (
		<AuthPage title="Page not found" footer={<Link to="/">Go to the start page</Link>}>
			<p>The URL may be misspelled, or the page has moved.</p>
		</AuthPage>
	);
}
