/**
 * What the plugin does differently at endpoints of core and of other plugins. This is the only place
 * that names their paths.
 */
export interface EndpointPolicy {
	/**
	 * What decides the tenant, other than a name or a session:
	 *
	 * - `oauth-state`: the state of a social flow, whatever tenant the request names
	 * - `verification-jwt`: the signed token of a verification email, if the request names no tenant
	 * - `token`: an unguessable token of an email or of a cookie, if the request names no tenant
	 * - `token-or-session`: such a token or, in its place, a session
	 * - `oauth-client`: the OAuth client that calls, if the request names no tenant
	 * - `access-token`: the access token of such a client, if the request names no tenant
	 */
	readonly tenantFrom?:
		| "oauth-state"
		| "verification-jwt"
		| "token"
		| "token-or-session"
		| "oauth-client"
		| "access-token";
	/** It has a counterpart of ours at the same path below `/tenant`. */
	readonly mirrored?: true;
	/**
	 * Core has used up a token or created a user before it hashes the password. If the queue rejected
	 * the hash, that would stay half done. Few callers come here: each needs a token or is an admin.
	 */
	readonly hashMustRun?: true;
	/** Core hashes the password inside its transaction. */
	readonly hashesInTransaction?: true;
	/** It uses the tokens of a social account. */
	readonly usesAccountTokens?: true;
	/** An admin stops impersonating a user. */
	readonly endsImpersonation?: true;
	/** An endpoint of the admin plugin that changes nothing. All others are audited. */
	readonly adminReads?: true;
	/** Answers with the user that it created. */
	readonly adminCreatesUser?: true;
	/** It only tells who is signed in, so it may answer from the cookie cache. */
	readonly readsSession?: true;
}

const POLICIES: Readonly<Record<string, EndpointPolicy>> = {
	"/get-session": { readsSession: true },
	"/sign-up/email": { mirrored: true, hashesInTransaction: true },
	"/sign-in/email": { mirrored: true },
	"/sign-in/social": { mirrored: true },
	"/callback/:id": { tenantFrom: "oauth-state" },
	"/oauth2/callback/:providerId": { tenantFrom: "oauth-state" },
	"/verify-email": { tenantFrom: "verification-jwt" },
	"/reset-password": { tenantFrom: "token", hashMustRun: true },
	"/reset-password/:token": { tenantFrom: "token" },
	"/get-access-token": { usesAccountTokens: true },
	"/refresh-token": { usesAccountTokens: true },
	"/account-info": { usesAccountTokens: true },
	"/magic-link/verify": { tenantFrom: "token" },
	"/one-time-token/verify": { tenantFrom: "token" },
	"/passkey/verify-authentication": { tenantFrom: "token" },
	"/two-factor/verify-totp": { tenantFrom: "token-or-session" },
	"/two-factor/send-otp": { tenantFrom: "token-or-session" },
	"/two-factor/verify-otp": { tenantFrom: "token-or-session" },
	"/two-factor/verify-backup-code": { tenantFrom: "token-or-session" },
	"/oauth2/authorize": { tenantFrom: "oauth-client" },
	"/oauth2/token": { tenantFrom: "oauth-client" },
	"/oauth2/introspect": { tenantFrom: "oauth-client" },
	"/oauth2/revoke": { tenantFrom: "oauth-client" },
	"/oauth2/userinfo": { tenantFrom: "access-token" },
	"/oauth2/end-session": { tenantFrom: "oauth-client" },
	"/oauth2/public-client-prelogin": { tenantFrom: "oauth-client" },
	"/email-otp/reset-password": { hashMustRun: true },
	"/phone-number/reset-password": { hashMustRun: true },
	"/admin/create-user": { hashMustRun: true, adminCreatesUser: true },
	"/admin/stop-impersonating": { endsImpersonation: true },
	"/admin/get-user": { adminReads: true },
	"/admin/list-users": { adminReads: true },
	"/admin/list-user-sessions": { adminReads: true },
	"/admin/has-permission": { adminReads: true },
};

const NONE: EndpointPolicy = {};

export const policyOf = (path: string | undefined): EndpointPolicy =>
	path !== undefined && Object.hasOwn(POLICIES, path) ? (POLICIES[path] ?? NONE) : NONE;

/** The paths of core's endpoints that have a counterpart of ours. */
export const mirroredPaths = Object.keys(POLICIES).filter((path) => POLICIES[path]?.mirrored);

export const mirrorOf = (path: string) => `/tenant${path}`;

/** Whether a path belongs to this plugin. */
export const isOurs = (path: string | undefined): boolean => path?.startsWith("/tenant/") === true;

/** Where core finishes a social sign-in. */
export const isSocialCallback = (path: string | undefined): boolean => path === "/callback/:id";

/**
 * Plugins whose after-hooks on `/get-session` make no token of the session. With any other one, the
 * session is not taken from the cookie cache.
 */
export const PLUGINS_WITHOUT_TOKENS: ReadonlySet<string> = new Set([
	"bearer",
	"multi-session",
	"last-login-method",
	"one-time-token",
	"next-cookies",
	"sveltekit-cookies",
	"tanstack-start-cookies",
	"tanstack-start-cookies-solid",
]);
