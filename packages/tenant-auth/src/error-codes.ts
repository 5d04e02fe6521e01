import { defineErrorCodes } from "@better-auth/core/utils/error-codes";

/** The codes that this plugin adds to Better Auth's own. */
export const TENANT_AUTH_ERROR_CODES = defineErrorCodes({
	TENANT_ID_REQUIRED: "A tenant id is required",
	TENANT_NOT_FOUND: "Tenant not found",
	TENANT_ALREADY_EXISTS: "A tenant with this slug already exists",
	INVALID_SLUG:
		"A slug has 2 to 63 lowercase letters, digits and hyphens, and no hyphen at either end",
	SLUG_RESERVED: "This slug is reserved",
	TENANT_MANAGEMENT_NOT_ALLOWED: "You are not allowed to manage tenants",
	PROVIDER_NOT_FOUND: "Provider not found",
	UNSUPPORTED_PROVIDER: "This is not a built-in social provider",
	INVALID_PROVIDER_OPTIONS: "The provider options are not valid",
	OAUTH_CONFIG_NOT_FOUND: "OAuth config not found",
	CROSS_TENANT_QUERY: "A query names another tenant than the one in scope",
	OAUTH_CLIENT_CHANGED: "The OAuth client that obtained this token is no longer configured",
	TENANT_SUSPENDED: "This tenant is suspended",
	USER_NOT_DELETED: "A hook of the host kept the user",
	SESSION_NOT_FOUND: "Session not found",
	SESSIONS_NOT_LISTED:
		"Sessions are kept in no table that could be listed; ask for those of one user",
	PASSWORD_QUEUE_FULL: "Too many passwords are waiting to be checked, try again in a moment",
	OAUTH_CREDENTIAL_DECRYPT_FAILED: "The stored OAuth credentials cannot be opened",
});
