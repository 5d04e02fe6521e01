import type { ForeignPlugin } from "./foreign-plugin";

export const emailOtp: ForeignPlugin = {
	id: "email-otp",
	signInMethod: "email-otp",
	paths: {
		"/sign-in/email-otp": { signIn: "email-otp", endsSignIn: true },
		"/email-otp/verify-email": { signIn: "email-otp" },
		"/email-otp/request-password-reset": { signIn: "password" },
		"/forget-password/email-otp": { signIn: "password" },
		"/email-otp/reset-password": { hashMustRun: true, signIn: "password", newPassword: "password" },
	},
};
