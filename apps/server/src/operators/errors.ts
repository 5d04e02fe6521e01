import { APIError } from "better-auth/api";

/** The errors of operators and keys: status and message by code. */
const ERRORS = {
	OPERATOR_NOT_FOUND: ["NOT_FOUND", "There is no such operator"],
	OPERATOR_ALREADY_EXISTS: ["CONFLICT", "There is an operator with this email"],
	PLATFORM_USER_EXISTS: [
		"CONFLICT",
		"There is a user of no tenant with this email. With replace, the user is deleted first",
	],
	OPERATOR_FROM_SETTINGS: ["CONFLICT", "This operator is named by ADMIN_USER_IDS in the settings"],
	LAST_OWNER: ["CONFLICT", "This is the last owner, make another operator an owner first"],
	NO_OPERATOR_ACCOUNT: ["FORBIDDEN", "A key has no account: sign in as an operator"],
	INVALID_PASSWORD: ["BAD_REQUEST", "The password is wrong"],
	PASSWORD_TOO_SHORT: ["BAD_REQUEST", "The password is too short"],
	PASSWORD_TOO_LONG: ["BAD_REQUEST", "The password is too long"],
	INVALID_CODE: ["BAD_REQUEST", "The code is wrong"],
	SETUP_NOT_VALID: ["BAD_REQUEST", "This set-up has expired, start again"],
	SECOND_FACTOR_NOT_SET_UP: ["CONFLICT", "There is no second factor yet"],
	SESSION_NOT_FOUND: ["NOT_FOUND", "There is no such session"],
	OPERATOR_ACCOUNT_CLOSED: [
		"FORBIDDEN",
		"This request names no tenant, and operators change their account with /operator/account",
	],
	TRUSTED_DEVICE_NOT_ALLOWED: ["FORBIDDEN", "An operator enters a code at each sign-in"],
	KEY_NOT_FOUND: ["NOT_FOUND", "There is no such key"],
	KEY_NOT_VALID: ["UNAUTHORIZED", "This key is not valid"],
	INVALID_SCOPE: ["BAD_REQUEST", "A scope is operator, auditor, support or an action of a tenant"],
	INVALID_EXPIRY: ["BAD_REQUEST", "A key must expire in the future"],
	TENANT_NOT_FOUND: ["NOT_FOUND", "Tenant not found"],
	// The same code as that of the plugin: a caller needs one rule for all management.
	TENANT_MANAGEMENT_NOT_ALLOWED: ["FORBIDDEN", "You are not allowed to do this"],
	SECOND_FACTOR_REQUIRED: ["FORBIDDEN", "Set up a second factor first"],
} as const;

type OperatorErrorCode = keyof typeof ERRORS;

export function operatorError(
	code: OperatorErrorCode,
	change: { status?: "UNAUTHORIZED"; message?: string } = {},
): APIError {
	const [status, message] = ERRORS[code];
	return new APIError(change.status ?? status, { code, message: change.message ?? message });
}
