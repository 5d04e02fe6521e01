import * as z from "zod";
import { textOrNull } from "../../described";

export const importResultSchema = z.object({
	line: z.number().meta({ description: "The number of the line, from 1, with empty lines" }),
	externalId: textOrNull("The id of the line, if it has one"),
	status: z
		.enum(["created", "updated", "unchanged", "failed"])
		.meta({ description: "What happened" }),
	userId: textOrNull("The user"),
	code: z
		.enum([
			"INVALID_JSON",
			"VALIDATION_ERROR",
			"UNSUPPORTED_PASSWORD_HASH",
			"PASSWORD_HASH_TOO_COSTLY",
			"ROLE_NOT_FOUND",
			"PROVIDER_NOT_FOUND",
			"EXTERNAL_ID_TAKEN",
			"EMAIL_TAKEN",
			"ACCOUNT_TAKEN",
			"VALUE_TAKEN",
			"LAST_OWNER",
			"WRITE_CONFLICT",
		])
		.nullable()
		.meta({ description: "Why a line failed" }),
	message: textOrNull("The same, for a person"),
});

/** What happened to one line of an import. */
export type ImportResult = z.output<typeof importResultSchema>;

/** A line that cannot be imported. The others can. */
export class LineError extends Error {
	constructor(
		readonly code: NonNullable<ImportResult["code"]>,
		message: string,
	) {
		super(message);
	}
}
