import type { ForeignPlugin } from "./foreign-plugin";

export const phoneNumber: ForeignPlugin = {
	id: "phone-number",
	signInMethod: "phone-number",
	paths: {
		"/sign-in/phone-number": { signIn: "password", verifiesPassword: true, endsSignIn: true },
		"/phone-number/send-otp": { signIn: "phone-number" },
		"/phone-number/verify": { signIn: "phone-number", endsSignIn: true },
		"/phone-number/request-password-reset": { signIn: "password" },
		"/phone-number/reset-password": {
			hashMustRun: true,
			signIn: "password",
			newPassword: "newPassword",
		},
	},
};
