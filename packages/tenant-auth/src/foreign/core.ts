import type { EncryptedField } from "../database/encrypted-fields";
import type { ForeignPlugin } from "./foreign-plugin";

const accountToken = (name: string, ...paths: string[]): EncryptedField => ({
	name,
	isEncrypted: ({ options }) => options.account?.encryptOAuthTokens === true,
	mayBePlain: true,
	ifUnreadable: { logAt: paths },
});

/** Better Auth itself. */
export const core: ForeignPlugin = {
	id: "better-auth",
	paths: {
		"/get-session": { readsSession: true },
		"/sign-up/email": {
			mirrored: true,
			hashesInTransaction: true,
			signIn: "password",
			signsUp: true,
			newPassword: "password",
			endsSignIn: true,
		},
		"/sign-in/email": {
			mirrored: true,
			signIn: "password",
			verifiesPassword: true,
			endsSignIn: true,
		},
		"/sign-in/social": { mirrored: true, social: "start", signIn: "social", endsSignIn: true },
		"/callback/:id": {
			tenantFrom: "oauth-state",
			social: "finish",
			signIn: "social",
			endsSignIn: true,
		},
		"/link-social": { linksAccount: true },
		"/verify-email": { tenantFrom: "verification-jwt", signIn: "password" },
		"/request-password-reset": { signIn: "password" },
		"/reset-password": {
			tenantFrom: "token",
			hashMustRun: true,
			signIn: "password",
			newPassword: "newPassword",
		},
		"/reset-password/:token": { tenantFrom: "token" },
		"/get-access-token": { usesAccountTokens: true },
		"/refresh-token": { usesAccountTokens: true },
		"/account-info": { usesAccountTokens: true },
		"/sign-out": { signsOut: true, enrollsSecondFactor: true },
		"/revoke-other-sessions": { endsOtherSessions: true },
		"/change-password": { signIn: "continued", newPassword: "newPassword" },
		"/set-password": { newPassword: "newPassword" },
		"/verify-password": { verifiesPassword: true },
		"/delete-user": { verifiesPassword: true },
	},
	impersonationPaths: [
		"/get-session",
		"/update-session",
		"/sign-out",
		"/list-accounts",
		"/account-info",
	],
	tables: { rateLimit: "shared" },
	globalFields: { session: ["token"] },
	secrets: {
		account: [
			accountToken("accessToken", "/get-access-token", "/account-info"),
			accountToken("refreshToken", "/refresh-token"),
		],
	},
	lastingVerifications: ["reset-password:", "delete-account-"],
};
