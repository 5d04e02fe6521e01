import type { EncryptedField } from "../../database/encrypted-fields";
import type { EndpointRules } from "./endpoint-rules";
import type { ForeignPlugin } from "./foreign-plugin";

const accountToken = (name: string, ...paths: string[]): EncryptedField => ({
	name,
	isEncrypted: ({ options }) => options.account?.encryptOAuthTokens === true,
	mayBePlain: true,
	ifUnreadable: { logAt: paths },
});

const byPassword: EndpointRules = { signIn: "password", endsSignIn: true };
const bySocial: EndpointRules = { signIn: "social", endsSignIn: true };

/** Better Auth itself. */
export const core: ForeignPlugin = {
	id: "better-auth",
	paths: {
		"/get-session": { readsSession: true },
		"/sign-up/email": {
			...byPassword,
			mirrored: true,
			hashesInTransaction: true,
			signsUp: true,
			newPassword: "password",
		},
		"/sign-in/email": { ...byPassword, mirrored: true, verifiesPassword: true },
		"/sign-in/social": { ...bySocial, mirrored: true, social: "start" },
		"/callback/:id": { ...bySocial, tenantFrom: "oauth-state", social: "finish" },
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
