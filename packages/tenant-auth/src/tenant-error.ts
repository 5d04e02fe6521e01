import { APIError } from "@better-auth/core/error";
import { TENANT_ERRORS, type TenantErrorCode, type TenantErrorStatus } from "./error-codes";

/**
 * The error of a code, with the status and the message that belong to it.
 *
 * @example
 * ```ts
 * throw tenantError("TENANT_NOT_FOUND");
 * ```
 */
export function tenantError(
	code: TenantErrorCode,
	change: {
		status?: TenantErrorStatus;
		message?: string;
		headers?: Record<string, string>;
		/** More properties of the answer. */
		detail?: Record<string, unknown>;
	} = {},
): APIError {
	const { message } = TENANT_ERRORS[code];
	const [status] = statusesOf(code);
	return new APIError(
		change.status ?? status,
		{ message: change.message ?? message, code, ...change.detail },
		change.headers,
	);
}

/** The statuses that a code may have, the default one first. */
export function statusesOf(
	code: TenantErrorCode,
): readonly [TenantErrorStatus, ...TenantErrorStatus[]] {
	const { status } = TENANT_ERRORS[code];
	return typeof status === "string" ? [status] : status;
}
