import { errorCodesOf } from "../../error-codes";

/** Every error of the chooser, with its HTTP status. The client loads this file. */
export const CHOOSER_ERRORS = {
	TENANT_CHOICE_NOT_FOUND: {
		status: "NOT_FOUND",
		message: "This choice has expired, was made already, or belongs to another browser",
	},
	TENANT_CHOOSER_NOT_HERE: {
		status: "BAD_REQUEST",
		message: "This host belongs to one tenant. Start at the host of the app",
	},
} as const;

export const TENANT_CHOOSER_ERROR_CODES = errorCodesOf(CHOOSER_ERRORS);
