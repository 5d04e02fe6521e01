import type { ForeignPlugin } from "./foreign-plugin";

// Plugins that add a way to sign in, or a part of one, and little else.

export const passkey = {
	id: "passkey",
	signInMethod: "passkey",
	passkeys: { table: "passkey" },
	credentials: { passkey: "userId" },
	paths: {
		"/passkey/generate-authenticate-options": { signIn: "passkey" },
		"/passkey/verify-authentication": { tenantFrom: "token", signIn: "passkey", endsSignIn: true },
		"/passkey/verify-registration": { signIn: "passkey" },
	},
	impersonationPaths: ["/passkey/list-user-passkeys"],
} satisfies ForeignPlugin;

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

export const username: ForeignPlugin = {
	id: "username",
	paths: { "/sign-in/username": { signIn: "password", verifiesPassword: true, endsSignIn: true } },
};

export const signInPlugins: readonly ForeignPlugin[] = [
	passkey,
	phoneNumber,
	username,
	{
		id: "anonymous",
		signInMethod: "anonymous",
		paths: {
			"/sign-in/anonymous": { signIn: "anonymous", endsSignIn: true },
			"/delete-anonymous-user": { deletesUser: true },
		},
	},
	{
		id: "device-authorization",
		paths: { "/device/token": { signIn: "continued" } },
		credentials: { deviceCode: "userId" },
		expiringTables: ["deviceCode"],
	},
	{
		id: "electron",
		paths: {
			"/electron/init-oauth-proxy": { tenantInQuery: true, forwardsHeaders: true },
			"/electron/token": { tenantFrom: "token", signIn: "continued" },
		},
	},
	{
		id: "email-otp",
		signInMethod: "email-otp",
		paths: {
			"/sign-in/email-otp": { signIn: "email-otp", endsSignIn: true },
			"/email-otp/verify-email": { signIn: "email-otp" },
			"/email-otp/request-password-reset": { signIn: "password" },
			"/forget-password/email-otp": { signIn: "password" },
			"/email-otp/reset-password": {
				hashMustRun: true,
				signIn: "password",
				newPassword: "password",
			},
		},
	},
	{
		id: "magic-link",
		signInMethod: "magic-link",
		paths: {
			"/sign-in/magic-link": { signIn: "magic-link", mailsLink: true },
			"/magic-link/verify": { tenantFrom: "token", signIn: "magic-link", endsSignIn: true },
		},
	},
	{
		id: "one-tap",
		paths: {
			// It uses the app's Google client.
			"/one-tap/callback": { providerId: "google", signIn: "social", endsSignIn: true },
		},
	},
	{
		id: "one-time-token",
		makesNoTokens: true,
		paths: {
			"/one-time-token/verify": {
				tenantFrom: "token",
				signIn: "continued",
				endsSignIn: "one-time-token",
			},
		},
	},
	{
		id: "siwe",
		signInMethod: "siwe",
		ownsAccounts: true,
		paths: {
			"/siwe/nonce": { signIn: "siwe" },
			"/siwe/verify": { signIn: "siwe", endsSignIn: true },
		},
	},
];
