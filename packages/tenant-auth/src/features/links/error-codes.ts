import { errorCodesOf } from "../../error-codes";

/** Every error of linked users, with its HTTP status. The client loads this file. */
export const LINK_ERRORS = {
	LINKS_NOT_ALLOWED: {
		status: "FORBIDDEN",
		message: "This tenant does not allow links to users of other tenants",
	},
	// One error for all reasons: it must not say what is known of the other user.
	LINK_NOT_PROVEN: {
		status: "FORBIDDEN",
		message:
			"The two users were not proven in this browser. Start again in the first tenant, sign in to the other one within 10 minutes, and finish there",
	},
	// One error for all reasons, also for a tenant that does not exist.
	LINK_NOT_FOUND: {
		status: "NOT_FOUND",
		message: "This browser has no such link, or it has ended. Sign in to the tenant",
	},
} as const;

export const TENANT_LINKS_ERROR_CODES = errorCodesOf(LINK_ERRORS);
