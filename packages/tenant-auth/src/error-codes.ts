import { defineErrorCodes, type RawError } from "@better-auth/core/utils/error-codes";
import type { statusCodes } from "better-call";

export type Status = keyof typeof statusCodes;

/** An error with its HTTP status. Of two statuses, the first one is the default. */
interface ErrorText {
	status: Status | readonly [Status, ...Status[]];
	message: string;
}

/** Errors by their codes. */
export type ErrorTexts = Readonly<Record<string, ErrorText>>;

const error = (status: ErrorText["status"], message: string): ErrorText => ({ status, message });

/**
 * Every error of this plugin.
 *
 * The client loads this file. `tenantError()` of `tenant-error.ts` makes an error from a code.
 */
export const TENANT_ERRORS = {
	TENANT_ID_REQUIRED: error(
		"BAD_REQUEST",
		"The call names no tenant. Send its id in the header x-tenant-id (or that of tenantHeader), or as tenantId in the body or query; or let hosts or resolveTenantId name it",
	),
	TENANT_NOT_FOUND: error("NOT_FOUND", "Tenant not found"),
	TENANT_NOT_DELETED: error(
		"CONFLICT",
		"The audit events of a tenant can be erased only after the tenant was deleted",
	),
	TENANT_ALREADY_EXISTS: error("CONFLICT", "A tenant with this slug already exists"),
	INVALID_SLUG: error(
		"BAD_REQUEST",
		"A slug has 2 to 63 lowercase letters, digits and hyphens, no hyphen at either end, and no two as its third and fourth characters",
	),
	SLUG_RESERVED: error("BAD_REQUEST", "This slug is reserved"),
	TENANT_MANAGEMENT_NOT_ALLOWED: error(
		["FORBIDDEN", "UNAUTHORIZED"],
		"You are not allowed to manage tenants",
	),
	ROLE_NOT_FOUND: error("BAD_REQUEST", "There is no such role"),
	ROLE_NOT_ALLOWED: error(
		"FORBIDDEN",
		"Your role does not allow you to manage this user or to give this role",
	),
	LAST_OWNER: error(
		"CONFLICT",
		"This is the last owner of the tenant, make another user the owner first",
	),
	USER_DISABLED: error("FORBIDDEN", "This user is disabled"),
	USER_NOT_SAVED: error("CONFLICT", "A database hook of the app prevented the change of the user"),
	PROVIDER_NOT_FOUND: error("NOT_FOUND", "Provider not found"),
	UNSUPPORTED_PROVIDER: error(
		"BAD_REQUEST",
		"This is not a built-in social provider. For an identity provider of the tenant's own, use an id such as oidc:okta with options.issuer, and the plugin tenantOpenId()",
	),
	TENANT_OPENID_REQUIRED: error(
		"BAD_REQUEST",
		"An identity provider of the tenant's own needs the plugin tenantOpenId()",
	),
	INVALID_PROVIDER_OPTIONS: error("BAD_REQUEST", "The provider options are not valid"),
	TOO_MANY_OWN_PROVIDERS: error(
		"CONFLICT",
		"A tenant can have at most 20 identity providers of its own",
	),
	PROVIDER_UNAVAILABLE: error(
		"SERVICE_UNAVAILABLE",
		"The identity provider of the tenant cannot be used at the moment",
	),
	OAUTH_CONFIG_NOT_FOUND: error("NOT_FOUND", "OAuth config not found"),
	CROSS_TENANT_QUERY: error("BAD_REQUEST", "A query names another tenant than the one in scope"),
	OAUTH_CLIENT_CHANGED: error(
		"CONFLICT",
		"The OAuth client that obtained this token is no longer configured",
	),
	TENANT_SUSPENDED: error("FORBIDDEN", "This tenant is suspended"),
	SIGN_UP_NOT_ALLOWED: error("FORBIDDEN", "Nobody can sign up for this tenant"),
	INVITATION_REQUIRED: error("FORBIDDEN", "An invitation is required to sign up for this tenant"),
	EMAIL_DOMAIN_NOT_ALLOWED: error(
		"FORBIDDEN",
		"An email of another domain is required to sign up for this tenant",
	),
	SIGN_IN_METHOD_NOT_ALLOWED: error("FORBIDDEN", "This tenant does not allow this way to sign in"),
	SECOND_FACTOR_REQUIRED: error(
		"FORBIDDEN",
		"This tenant requires a second factor, set one up first",
	),
	SECOND_FACTOR_MISSING: error(
		"CONFLICT",
		"The tenant requires a second factor, and the user has not set up one yet",
	),
	PASSWORD_COMPROMISED: error(
		"BAD_REQUEST",
		"This password is in a known breach, choose another one",
	),
	PASSWORD_CHECK_UNAVAILABLE: error(
		"SERVICE_UNAVAILABLE",
		"The password could not be checked, try again in a moment",
	),
	POLICY_NOT_ALLOWED: error("FORBIDDEN", "The app does not allow this policy"),
	INVALID_POLICY: error("BAD_REQUEST", "This app cannot enforce the policy"),
	TENANT_MISMATCH: error(
		"UNAUTHORIZED",
		"The token or the event does not belong to the tenant that the request names",
	),
	USER_NOT_DELETED: error(
		"CONFLICT",
		"A database hook of the app prevented the deletion of the user",
	),
	PASSKEY_NOT_FOUND: error("NOT_FOUND", "Passkey not found"),
	SESSION_NOT_FOUND: error("NOT_FOUND", "Session not found"),
	SESSIONS_NOT_LISTED: error(
		"BAD_REQUEST",
		"Sessions are not stored in the database, so only those of one user can be listed",
	),
	SIGN_IN_LINK_NOT_ALLOWED: error(
		"CONFLICT",
		"A sign-in link is only for an owner of the tenant who is not disabled",
	),
	INVALID_CURSOR: error(
		"BAD_REQUEST",
		"The cursor does not belong to this list, start again without it",
	),
	SORT_NOT_AVAILABLE: error("BAD_REQUEST", "The list cannot be sorted by this"),
	STORAGE_UNAVAILABLE: error(
		"SERVICE_UNAVAILABLE",
		"The secondary storage failed, try again in a moment",
	),
	WRITE_CONFLICT: error("CONFLICT", "Another call changes the same data, try again"),
	PASSWORD_QUEUE_FULL: error(
		"TOO_MANY_REQUESTS",
		"Too many passwords are waiting to be checked, try again in a moment",
	),
	TOO_MANY_REQUESTS: error("TOO_MANY_REQUESTS", "Too many requests. Please try again later."),
	OAUTH_CREDENTIAL_DECRYPT_FAILED: error(
		"INTERNAL_SERVER_ERROR",
		"The stored OAuth credentials cannot be decrypted",
	),
	STORED_SECRET_DECRYPT_FAILED: error(
		"SERVICE_UNAVAILABLE",
		"A stored secret cannot be decrypted at the moment, ask the operator of this app",
	),
};

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
