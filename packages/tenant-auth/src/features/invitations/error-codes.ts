import { errorCodesOf } from "../../error-codes";

/** Every error of invitations, with its HTTP status. The client loads this file. */
export const INVITATION_ERRORS = {
	INVITATION_NOT_FOUND: {
		status: "NOT_FOUND",
		message: "Invitation not found",
	},
} as const;

export const TENANT_INVITATIONS_ERROR_CODES = errorCodesOf(INVITATION_ERRORS);
