import type { SessionSource, SignInMethod } from "../policy/sign-in-methods";

/** Fields that name a row, by model. A query names the row if it asks for one exact value. */
export type RowFields = Readonly<Record<string, readonly string[]>>;

/**
 * What the plugin does differently at endpoints of core and of other plugins. This is the only place
 * that names their paths.
 */
export interface EndpointRules {
	/**
	 * What decides the tenant, other than a name or a session:
	 *
	 * - `oauth-state`: the state of a social flow, whatever tenant the request names
	 * - `verification-jwt`: the signed token of a verification email, if the request names no tenant
	 * - `token`: an unguessable token of an email or of a cookie, if the request names no tenant
	 * - `token-or-session`: such a token or, in its place, a session
	 * - `row`: the row that a token or a webhook names by one of `rows`. A session decides nothing.
	 * - `oauth-client`: the OAuth client that calls, if the request names no tenant. If it is not found,
	 *   one of `rows`, or a session where there are none.
	 */
	readonly tenantFrom?:
		| "oauth-state"
		| "verification-jwt"
		| "token"
		| "token-or-session"
		| "row"
		| "oauth-client";
	/**
	 * For `row`: the fields that name it. Only list fields whose values nobody can guess, or which the
	 * endpoint has authenticated before it asks for them.
	 */
	readonly rows?: RowFields;
	/** For `row`: the tenant that the request names counts only for a request that names such a row. */
	readonly rowRequired?: true;
	/**
	 * It starts a flow that comes back with an OAuth state, without using a social provider. At a
	 * callback: if the request has no state, because the identity provider sent the user unasked.
	 */
	readonly startsFlow?: true;
	/**
	 * It gets messages of SAML identity providers. The flow that a message continues decides the tenant,
	 * whatever tenant the request names.
	 */
	readonly samlFlow?: {
		/** How the identifiers start under which ids of our requests are stored, until the answer comes. */
		readonly requests: string;
		/** Whether the RelayState is an OAuth state. Otherwise it is a URL of the app. */
		readonly hasState: boolean;
	};
	/** All tenants share this callback, and they choose the servers that get its codes. */
	readonly sharesCodes?: true;
	/** An identity provider or a browser opens it by a URL alone, so its query may name the tenant. */
	readonly tenantInQuery?: true;
	/** It calls another endpoint over HTTP, with the headers of its request. */
	readonly forwardsHeaders?: true;
	/** It sends a link that it makes from the base URL of the call. */
	readonly mailsLink?: true;
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
	/** A signed-in user links a social account to themselves. */
	readonly linksAccount?: true;
	/** An admin stops impersonating a user. */
	readonly endsImpersonation?: true;
	/** An endpoint of the admin plugin that changes nothing. All others are audited. */
	readonly adminReads?: true;
	/** Answers with the user that it created. */
	readonly adminCreatesUser?: true;
	/** It ends the session, and tells where the user can sign out at the provider. */
	readonly signsOut?: true;
	/** It only tells who is signed in, so it may answer from the cookie cache. */
	readonly readsSession?: true;
	/** How the session comes about that it creates, or the user. It may also be the start of a flow. */
	readonly signIn?: SessionSource;
	/** It ends a sign-in, or a part of one that has its own name. Events report it. */
	readonly endsSignIn?: true | "two-factor" | "one-time-token";
	/** It creates a user in any case, with the `email` of its body. */
	readonly signsUp?: true;
	/** The field of its body that has a new password. */
	readonly newPassword?: "password" | "newPassword";
	/** It verifies a password. Core also hashes one here, to hide that there is none. */
	readonly verifiesPassword?: true;
	/** A user whose tenant requires a second factor may call it before they have one. */
	readonly enrollsSecondFactor?: true;
	/** It answers for a user by a token that was issued earlier. No session is asked. */
	readonly servesTokens?: true;
	/** It makes new tokens of a refresh token. */
	readonly refreshesTokens?: true;
	/** It ends the sessions of a user, and then deletes the user. */
	readonly deletesUser?: true;
	/** It ends all sessions of the user but one. */
	readonly endsOtherSessions?: true;
}

/** The credential of a managed SCIM connection. The token is its id and a secret. */
const SCIM: EndpointRules = {
	tenantFrom: "row",
	rows: { scimManagedCredential: ["credentialId"] },
	rowRequired: true,
	signIn: "managed",
};

const RULES: Readonly<Record<string, EndpointRules>> = {
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
	"/sign-in/social": { mirrored: true, signIn: "social", endsSignIn: true },
	"/callback/:id": { tenantFrom: "oauth-state", signIn: "social", endsSignIn: true },
	// Our own callback, without `/tenant`.
	"/callback/:providerId": { signIn: "social", endsSignIn: true },
	"/oauth2/callback/:providerId": { tenantFrom: "oauth-state", signIn: "social", endsSignIn: true },
	"/link-social": { linksAccount: true },
	"/sign-in/sso": { startsFlow: true, signIn: "sso" },
	"/sso/callback/:providerId": {
		tenantFrom: "oauth-state",
		startsFlow: true,
		sharesCodes: true,
		signIn: "sso",
		endsSignIn: true,
	},
	"/sso/callback": {
		tenantFrom: "oauth-state",
		sharesCodes: true,
		signIn: "sso",
		endsSignIn: true,
	},
	"/sso/saml2/sp/metadata": { tenantInQuery: true },
	"/sso/saml2/sp/acs/:providerId": {
		signIn: "sso",
		endsSignIn: true,
		samlFlow: { requests: "saml-authn-request:", hasState: true },
		tenantInQuery: true,
	},
	"/sso/saml2/sp/slo/:providerId": {
		samlFlow: { requests: "saml-logout-request:", hasState: false },
		tenantInQuery: true,
	},
	"/verify-email": { tenantFrom: "verification-jwt", signIn: "password" },
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
	"/magic-link/verify": { tenantFrom: "token", signIn: "magic-link", endsSignIn: true },
	"/one-time-token/verify": {
		tenantFrom: "token",
		signIn: "continued",
		endsSignIn: "one-time-token",
	},
	"/passkey/verify-authentication": { tenantFrom: "token", signIn: "passkey", endsSignIn: true },
	"/two-factor/verify-totp": {
		tenantFrom: "token-or-session",
		signIn: "continued",
		enrollsSecondFactor: true,
		endsSignIn: "two-factor",
	},
	"/two-factor/send-otp": {
		tenantFrom: "token-or-session",
		signIn: "continued",
		enrollsSecondFactor: true,
	},
	"/two-factor/verify-otp": {
		tenantFrom: "token-or-session",
		signIn: "continued",
		enrollsSecondFactor: true,
		endsSignIn: "two-factor",
	},
	"/two-factor/verify-backup-code": {
		tenantFrom: "token-or-session",
		signIn: "continued",
		endsSignIn: "two-factor",
	},
	"/oauth2/authorize": { tenantFrom: "oauth-client" },
	"/oauth2/token": { tenantFrom: "oauth-client", servesTokens: true, refreshesTokens: true },
	"/oauth2/introspect": { tenantFrom: "oauth-client", servesTokens: true },
	"/oauth2/revoke": { tenantFrom: "oauth-client" },
	"/oauth2/userinfo": {
		tenantFrom: "oauth-client",
		rows: { oauthAccessToken: ["token"] },
		servesTokens: true,
	},
	"/oauth2/end-session": { tenantFrom: "oauth-client" },
	"/oauth2/public-client-prelogin": { tenantFrom: "oauth-client" },
	"/electron/init-oauth-proxy": { tenantInQuery: true, forwardsHeaders: true },
	"/electron/token": { tenantFrom: "token", signIn: "continued" },
	"/email-otp/reset-password": { hashMustRun: true, signIn: "password", newPassword: "password" },
	"/phone-number/reset-password": {
		hashMustRun: true,
		signIn: "password",
		newPassword: "newPassword",
	},
	"/admin/remove-user": { deletesUser: true },
	"/delete-anonymous-user": { deletesUser: true },
	"/admin/create-user": {
		hashMustRun: true,
		adminCreatesUser: true,
		signIn: "managed",
		newPassword: "password",
	},
	"/admin/stop-impersonating": { endsImpersonation: true, signIn: "managed" },
	"/admin/get-user": { adminReads: true },
	"/admin/list-users": { adminReads: true },
	"/admin/list-user-sessions": { adminReads: true },
	"/admin/has-permission": { adminReads: true },
	"/one-tap/callback": { signIn: "social", endsSignIn: true },
	"/request-password-reset": { signIn: "password" },
	"/sign-in/magic-link": { signIn: "magic-link", mailsLink: true },
	"/passkey/generate-authenticate-options": { signIn: "passkey" },
	"/passkey/verify-registration": { signIn: "passkey" },
	"/two-factor/enable": {
		signIn: "continued",
		verifiesPassword: true,
		enrollsSecondFactor: true,
	},
	"/two-factor/get-totp-uri": {
		verifiesPassword: true,
		enrollsSecondFactor: true,
	},
	"/two-factor/disable": { signIn: "continued", verifiesPassword: true },
	"/two-factor/generate-backup-codes": { verifiesPassword: true },
	"/sign-out": { signsOut: true, enrollsSecondFactor: true },
	"/revoke-other-sessions": { endsOtherSessions: true },
	"/change-password": { signIn: "continued", newPassword: "newPassword" },
	"/set-password": { newPassword: "newPassword" },
	"/verify-password": { verifiesPassword: true },
	"/delete-user": { verifiesPassword: true },
	"/sign-in/username": { signIn: "password", verifiesPassword: true, endsSignIn: true },
	"/sign-in/phone-number": { signIn: "password", verifiesPassword: true, endsSignIn: true },
	"/phone-number/send-otp": { signIn: "phone-number" },
	"/phone-number/verify": { signIn: "phone-number", endsSignIn: true },
	"/phone-number/request-password-reset": { signIn: "password" },
	"/sign-in/email-otp": { signIn: "email-otp", endsSignIn: true },
	"/email-otp/verify-email": { signIn: "email-otp" },
	"/email-otp/request-password-reset": { signIn: "password" },
	"/forget-password/email-otp": { signIn: "password" },
	"/sign-in/anonymous": { signIn: "anonymous", endsSignIn: true },
	"/siwe/verify": { signIn: "siwe", endsSignIn: true },
	"/siwe/nonce": { signIn: "siwe" },
	"/device/token": { signIn: "continued" },
	"/admin/set-user-password": { newPassword: "newPassword" },
	"/admin/impersonate-user": { signIn: "managed" },
	"/scim/v2/Users": SCIM,
	"/scim/v2/Users/:userId": SCIM,
	"/scim/v2/Groups": SCIM,
	"/scim/v2/Groups/:groupId": SCIM,
	// Stripe signs the event. The plugin verifies the signature before its first query.
	"/stripe/webhook": {
		tenantFrom: "row",
		rows: {
			subscription: ["id", "stripeSubscriptionId", "stripeCustomerId"],
			organization: ["stripeCustomerId"],
			user: ["stripeCustomerId"],
		},
	},
};

/** Where core and plugins store the tokens of emails, cookies and social flows. */
export const VERIFICATIONS: RowFields = { verification: ["identifier"] };

/**
 * Fields whose values nobody can guess and only the holder of a token can present, at any endpoint. In a
 * call that has named no tenant yet, a query by one of them decides it, before the session does.
 */
export const TOKEN_FIELDS: RowFields = { apikey: ["key"] };

/**
 * Ids of another system that belong to one tenant. The Stripe plugin finds a customer without an owner
 * by its email, which users of several tenants may have.
 */
export const EXCLUSIVE_FIELDS: RowFields = {
	user: ["stripeCustomerId"],
	organization: ["stripeCustomerId"],
};

/** Whether a key of the secondary storage contains such a value. */
export const isTokenKey = (key: string): boolean => /^api-key:(?!by-id:|by-ref:)/.test(key);

/** Unique values that are random, and are looked up before the tenant is known. */
const GLOBAL_FIELDS: Readonly<Record<string, string>> = {
	session: "token",
	scimManagedCredential: "credentialId",
	oauthClient: "clientId",
	oauthAccessToken: "token",
	oauthRefreshToken: "token",
};

export const isGlobalField = (model: string, field: string): boolean =>
	GLOBAL_FIELDS[model] === field;

const NONE: EndpointRules = {};

export const rulesOf = (path: string | undefined): EndpointRules =>
	path !== undefined && Object.hasOwn(RULES, path) ? (RULES[path] ?? NONE) : NONE;

/** The paths of core's endpoints that have a counterpart of ours. */
export const mirroredPaths = Object.keys(RULES).filter((path) => RULES[path]?.mirrored);

export const mirrorOf = (path: string) => `/tenant${path}`;

/** The path of core that does the same as this path of ours. */
export function coreCounterpartOf(path: string): string | undefined {
	const core = path.replace(/^\/tenant/, "");
	return mirroredPaths.includes(core) || core.startsWith("/callback/") ? core : undefined;
}

/** Whether a path belongs to this plugin. */
export const isOurs = (path: string | undefined): boolean => path?.startsWith("/tenant/") === true;

/** Where core finishes a social sign-in. */
export const isSocialCallback = (path: string | undefined): boolean => path === "/callback/:id";

const SOCIAL_SIGN_INS = new Set(["/sign-in/social", "/callback/:id", "/callback/:providerId"]);

/** Whether an endpoint of core, or its counterpart, starts or finishes a social sign-in. */
export const isSocialSignIn = (path: string | undefined): boolean =>
	path !== undefined && SOCIAL_SIGN_INS.has(path.replace(/^\/tenant/, ""));

/** Endpoints of ours that end a sign-in, and that core does not have. */
const OWN_SIGN_INS: Readonly<Record<string, ReportedMethod>> = {
	"/tenant/sign-in-link": "sign-in-link",
};

/** How somebody signed in, as events and the sign-in log say it. */
export type ReportedMethod = SignInMethod | "two-factor" | "one-time-token" | "sign-in-link";

/** How a user signs in at a path of core, of a plugin, or of ours; `null` if nobody does. */
export function signInMethodAt(path: string | undefined): ReportedMethod | null {
	if (path === undefined) return null;
	if (Object.hasOwn(OWN_SIGN_INS, path)) return OWN_SIGN_INS[path] ?? null;
	const { endsSignIn, signIn } = rulesOf(coreCounterpartOf(path) ?? path);
	if (endsSignIn !== true) return endsSignIn ?? null;
	return signIn === undefined || signIn === "continued" || signIn === "managed" ? null : signIn;
}

/** Plugins that hand the cookies of an answer to a framework. Better Auth wants them last. */
export const COOKIE_PLUGINS: ReadonlySet<string> = new Set([
	"next-cookies",
	"sveltekit-cookies",
	"tanstack-start-cookies",
	"tanstack-start-cookies-solid",
]);

/**
 * Plugins whose after-hooks on `/get-session` make no token of the session. With any other one, the
 * session is not taken from the cookie cache.
 */
export const PLUGINS_WITHOUT_TOKENS: ReadonlySet<string> = new Set([
	"bearer",
	"multi-session",
	"last-login-method",
	"one-time-token",
	...COOKIE_PLUGINS,
]);
