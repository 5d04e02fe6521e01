import { errorCodesOf } from "../../error-codes";

/** Every error of imports and moves, with its HTTP status. The client loads this file. */
export const IMPORT_ERRORS = {
	MOVE_REFUSED: {
		status: "CONFLICT",
		message: "Nothing was moved: `conflicts` says why",
	},
	IMPORT_TOO_LARGE: {
		status: "PAYLOAD_TOO_LARGE",
		message: "An import has at most 10,000 lines and 16 MiB: send the rest in another call",
	},
	ORGANIZATION_NOT_FOUND: {
		status: "NOT_FOUND",
		message: "The platform has no such organization",
	},
	TRANSACTION_REQUIRED: {
		status: "CONFLICT",
		message:
			"This call needs transactions, and must not run inside of another one. With Drizzle or Prisma, turn them on: drizzleAdapter(db, { …, transaction: true }), prismaAdapter(prisma, { …, transaction: true })",
	},
} as const;

export const TENANT_IMPORTS_ERROR_CODES = errorCodesOf(IMPORT_ERRORS);
