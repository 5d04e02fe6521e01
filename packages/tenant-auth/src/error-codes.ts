import { defineErrorCodes, type RawError } from "@better-auth/core/utils/error-codes";

/**
 * Every error of this plugin, with its HTTP status. Of two statuses, the first one is the default.
 *
 * The client loads this file. `tenantError()` of `tenant-error.ts` makes an error from a code.
 */
export const TENANT_ERRORS = {
	TENANT_ID_REQUIRED: {
		status: "BAD_REQUEST",
		message:
			"The call names no tenant. Send its id in the header x-tenant-id (or that of tenantHeader), or as tenantId in the body or query; or let hosts or resolveTenantId name it",
	},
	TENANT_NOT_FOUND: {
		status: "NOT_FOUND",
		message: "Tenant not found",
	},
	TENANT_NOT_DELETED: {
		status: "CONFLICT",
		message: "The audit events of a tenant can be erased only after the tenant was deleted",
	},
	TENANT_ALREADY_EXISTS: {
		status: "CONFLICT",
		message: "A tenant with this slug already exists",
	},
	INVALID_SLUG: {
		status: "BAD_REQUEST",
		message:
			"A slug has 2 to 63 lowercase letters, digits and hyphens, no hyphen at either end, and no two as its third and fourth characters",
	},
	SLUG_RESERVED: {
		status: "BAD_REQUEST",
		message: "This slug is reserved",
	},
	TENANT_MANAGEMENT_NOT_ALLOWED: {
		status: ["FORBIDDEN", "UNAUTHORIZED"],
		message: "You are not allowed to manage tenants",
	},
	ROLE_NOT_FOUND: {
		status: "BAD_REQUEST",
		message: "There is no such role",
	},
	ROLE_NOT_ALLOWED: {
		status: "FORBIDDEN",
		message: "Your role does not allow you to manage this user or to give this role",
	},
	LAST_OWNER: {
		status: "CONFLICT",
		message: "This is the last owner of the tenant, make another user the owner first",
	},
	USER_DISABLED: {
		status: "FORBIDDEN",
		message: "This user is disabled",
	},
	USER_NOT_SAVED: {
		status: "CONFLICT",
		message: "A database hook of the app prevented the change of the user",
	},
	PROVIDER_NOT_FOUND: {
		status: "NOT_FOUND",
		message: "Provider not found",
	},
	UNSUPPORTED_PROVIDER: {
		status: "BAD_REQUEST",
		message:
			"This is not a built-in social provider. For an identity provider of the tenant's own, use an id such as oidc:okta with options.issuer, and the plugin tenantOpenId()",
	},
	TENANT_OPENID_REQUIRED: {
		status: "BAD_REQUEST",
		message: "An identity provider of the tenant's own needs the plugin tenantOpenId()",
	},
	INVALID_PROVIDER_OPTIONS: {
		status: "BAD_REQUEST",
		message: "The provider options are not valid",
	},
	TOO_MANY_OWN_PROVIDERS: {
		status: "CONFLICT",
		message: "A tenant can have at most 20 identity providers of its own",
	},
	PROVIDER_UNAVAILABLE: {
		status: "SERVICE_UNAVAILABLE",
		message: "The identity provider of the tenant cannot be used at the moment",
	},
	OAUTH_CONFIG_NOT_FOUND: {
		status: "NOT_FOUND",
		message: "OAuth config not found",
	},
	CROSS_TENANT_QUERY: {
		status: "BAD_REQUEST",
		message: "A query names another tenant than the one in scope",
	},
	OAUTH_CLIENT_CHANGED: {
		status: "CONFLICT",
		message: "The OAuth client that obtained this token is no longer configured",
	},
	TENANT_SUSPENDED: {
		status: "FORBIDDEN",
		message: "This tenant is suspended",
	},
	SIGN_UP_NOT_ALLOWED: {
		status: "FORBIDDEN",
		message: "Nobody can sign up for this tenant",
	},
	INVITATION_REQUIRED: {
		status: "FORBIDDEN",
		message: "An invitation is required to sign up for this tenant",
	},
	EMAIL_DOMAIN_NOT_ALLOWED: {
		status: "FORBIDDEN",
		message: "An email of another domain is required to sign up for this tenant",
	},
	SIGN_IN_METHOD_NOT_ALLOWED: {
		status: "FORBIDDEN",
		message: "This tenant does not allow this way to sign in",
	},
	SECOND_FACTOR_REQUIRED: {
		status: "FORBIDDEN",
		message: "This tenant requires a second factor, set one up first",
	},
	SECOND_FACTOR_MISSING: {
		status: "CONFLICT",
		message: "The tenant requires a second factor, and the user has not set up one yet",
	},
	PASSWORD_COMPROMISED: {
		status: "BAD_REQUEST",
		message: "This password is in a known breach, choose another one",
	},
	PASSWORD_CHECK_UNAVAILABLE: {
		status: "SERVICE_UNAVAILABLE",
		message: "The password could not be checked, try again in a moment",
	},
	POLICY_NOT_ALLOWED: {
		status: "FORBIDDEN",
		message: "The app does not allow this policy",
	},
	INVALID_POLICY: {
		status: "BAD_REQUEST",
		message: "This app cannot enforce the policy",
	},
	TENANT_MISMATCH: {
		status: "UNAUTHORIZED",
		message: "The token or the event does not belong to the tenant that the request names",
	},
	USER_NOT_DELETED: {
		status: "CONFLICT",
		message: "A database hook of the app prevented the deletion of the user",
	},
	PASSKEY_NOT_FOUND: {
		status: "NOT_FOUND",
		message: "Passkey not found",
	},
	SESSION_NOT_FOUND: {
		status: "NOT_FOUND",
		message: "Session not found",
	},
	SESSIONS_NOT_LISTED: {
		status: "BAD_REQUEST",
		message: "Sessions are not stored in the database, so only those of one user can be listed",
	},
	SIGN_IN_LINK_NOT_ALLOWED: {
		status: "CONFLICT",
		message: "A sign-in link is only for an owner of the tenant who is not disabled",
	},
	INVALID_CURSOR: {
		status: "BAD_REQUEST",
		message: "The cursor does not belong to this list, start again without it",
	},
	SORT_NOT_AVAILABLE: {
		status: "BAD_REQUEST",
		message: "The list cannot be sorted by this",
	},
	STORAGE_UNAVAILABLE: {
		status: "SERVICE_UNAVAILABLE",
		message: "The secondary storage failed, try again in a moment",
	},
	WRITE_CONFLICT: {
		status: "CONFLICT",
		message: "Another call changes the same data, try again",
	},
	PASSWORD_QUEUE_FULL: {
		status: "TOO_MANY_REQUESTS",
		message: "Too many passwords are waiting to be checked, try again in a moment",
	},
	TOO_MANY_REQUESTS: {
		status: "TOO_MANY_REQUESTS",
		message: "Too many requests. Please try again later.",
	},
	OAUTH_CREDENTIAL_DECRYPT_FAILED: {
		status: "INTERNAL_SERVER_ERROR",
		message: "The stored OAuth credentials cannot be decrypted",
	},
	STORED_SECRET_DECRYPT_FAILED: {
		status: "SERVICE_UNAVAILABLE",
		message: "A stored secret cannot be decrypted at the moment, ask the operator of this app",
	},
} as const;

export type TenantErrorCode = keyof typeof TENANT_ERRORS;

/** A list of errors, as Better Auth and its client have them. */
export const errorCodesOf = <Code extends string>(errors: Record<Code, { message: string }>) =>
	defineErrorCodes<Record<string, string>, { [Each in Code]: RawError<Each> }>(
		Object.fromEntries(
			Object.entries<{ message: string }>(errors).map(([code, { message }]) => [code, message]),
		),
	);

/** The codes that this plugin adds to Better Auth's own. */
export const TENANT_AUTH_ERROR_CODES = errorCodesOf(TENANT_ERRORS);
