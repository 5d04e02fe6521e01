import { APIError } from "@better-auth/core/error";
import { type ErrorTexts, type Status, TENANT_ERRORS, type TenantErrorCode } from "./error-codes";

interface Change {
	status?: Status;
	message?: string;
	headers?: Record<string, string>;
	/** More properties of the response. */
	detail?: Record<string, unknown>;
}

/** What makes the errors of a list. */
export const errorsOf =
	<const Errors extends ErrorTexts>(errors: Errors) =>
	(code: Extract<keyof Errors, string>, change: Change = {}): APIError => {
		const [status] = statusesOf(errors, code);
		return new APIError(
			change.status ?? status,
			{ message: change.message ?? errors[code]?.message, code, ...change.detail },
			change.headers,
		);
	};

/**
 * The error of a code, with the status and the message that belong to it.
 *
 * @example
 * ```ts
 * throw tenantError("TENANT_NOT_FOUND");
 * ```
 */
export const tenantError: (code: TenantErrorCode, change?: Change) => APIError =
	errorsOf(TENANT_ERRORS);

/** The statuses that a code may have, the default one first. */
export function statusesOf<Errors extends ErrorTexts>(
	errors: Errors,
	code: keyof Errors,
): readonly [Status, ...Status[]] {
	const status = errors[code]?.status ?? "INTERNAL_SERVER_ERROR";
	return typeof status === "string" ? [status] : status;
}
