import { Link, Route, Routes } from "react-router";
import { AuthPage } from "./AuthPage";
import { AccountPage } from "./account/AccountPage";
import { FailedFlowPage } from "./FailedFlowPage";
import { ForgotPasswordPage } from "./ForgotPasswordPage";
import { NewPasswordPage } from "./NewPasswordPage";
import { SignInPage } from "./SignInPage";
import { SignUpPage } from "./SignUpPage";
import { StartPage } from "./StartPage";
import { VerifiedPage, VerifyPage } from "./VerifyPage";

/** The server knows these paths too, and answers 404 at any other. */
export function TenantRoutes() {
	return (
		<Routes>
			<Route index element={<StartPage />} />
			<Route path="sign-in" element={<SignInPage />} />
			<Route path="sign-up" element={<SignUpPage />} />
			<Route path="forgot-password" element={<ForgotPasswordPage />} />
			<Route path="new-password" element={<NewPasswordPage />} />
			<Route path="verify" element={<VerifyPage />} />
			<Route path="verify/done" element={<VerifiedPage what="done" />} />
			<Route path="verify/changed" element={<VerifiedPage what="changed" />} />
			<Route path="account" element={<AccountPage />} />
			<Route path="deleted" element={<DeletedPage />} />
			<Route path="error" element={<FailedFlowPage />} />
			<Route path="*" element={<NotFoundPage />} />
		</Routes>
	);
}

function DeletedPage() {
	return (
		<AuthPage title="Your account is deleted" footer={<Link to="/sign-in">To sign-in</Link>}>
			<p>Everything that belonged to it is gone. Goodbye, and thank you.</p>
		</AuthPage>
	);
}

function NotFoundPage() {
	return (
		<AuthPage title="There is no such page" footer={<Link to="/">To the start</Link>}>
			<p>The address may be mistyped, or the page has moved.</p>
		</AuthPage>
	);
}
