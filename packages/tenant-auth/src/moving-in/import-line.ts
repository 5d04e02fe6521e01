import * as z from "zod";
import { OWN_HASH_KIND, type ResolvedOptions } from "../options";
import { idSchema } from "../tenants/tenant";
import { parseStoredHash } from "./foreign-hash";

/** Longer than any hash, and short enough to read. */
const MAX_HASH = 2048;
const MAX_ACCOUNTS = 20;
const MAX_TEXT = 255;

const text = z.string().max(MAX_TEXT);

/** One user of an import. Unknown fields are refused, so that a wrong name of a field is not ignored. */
export const importLineSchema = z.strictObject({
	externalId: idSchema.meta({ description: "The id in the system that the user comes from" }),
	email: z.email().max(MAX_TEXT).toLowerCase().meta({ description: "The email" }),
	name: text.meta({ description: "The name; default empty" }).optional(),
	emailVerified: z.boolean().meta({ description: "Default false" }).optional(),
	image: z.string().max(2048).nullable().meta({ description: "URL of a picture" }).optional(),
	role: z
		.enum(["owner", "admin", "member"])
		.meta({ description: "The role in the tenant; default member" })
		.optional(),
	disabled: z.boolean().meta({ description: "Whether the user may not sign in" }).optional(),
	createdAt: z.iso
		.datetime({ offset: true })
		.meta({ description: "When the user was created; default now" })
		.optional(),
	password: z
		.strictObject({ kind: z.string().max(32), hash: z.string().min(1).max(MAX_HASH) })
		.meta({ description: "The hash of the password, with its kind" })
		.optional(),
	accounts: z
		.array(
			z.strictObject({
				providerId: text.min(1).refine((id) => id !== "credential", "use password for a password"),
				accountId: text.min(1),
			}),
		)
		.max(MAX_ACCOUNTS)
		.meta({ description: "Social accounts" })
		.optional(),
});

export type ImportLine = z.output<typeof importLineSchema>;

/** A user as `importUsers` takes it. */
export type ImportedUser = z.input<typeof importLineSchema>;

export const importResultSchema = z.object({
	line: z.number().meta({ description: "The number of the line, from 1" }),
	externalId: z.string().nullable().meta({ description: "The id of the line, if it has one" }),
	status: z
		.enum(["created", "updated", "unchanged", "failed"])
		.meta({ description: "What happened" }),
	userId: z.string().nullable().meta({ description: "The user" }),
	code: z
		.enum([
			"INVALID_JSON",
			"VALIDATION_ERROR",
			"UNSUPPORTED_PASSWORD_HASH",
			"EXTERNAL_ID_TAKEN",
			"EMAIL_TAKEN",
			"ACCOUNT_TAKEN",
			"WRITE_CONFLICT",
		])
		.nullable()
		.meta({ description: "Why a line failed" }),
	message: z.string().nullable().meta({ description: "The same, for a person" }),
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

/** @throws LineError */
export function parseLine(value: unknown, { passwordHashes }: ResolvedOptions): ImportLine {
	const { data: line, error } = importLineSchema.safeParse(value);
	if (error) {
		const [issue] = error.issues;
		throw new LineError("VALIDATION_ERROR", `[${issue?.path.join(".")}] ${issue?.message}`);
	}
	const { password } = line;
	if (!password) return line;
	const isOwn = password.kind === OWN_HASH_KIND;
	if (!isOwn && !Object.hasOwn(passwordHashes, password.kind)) {
		const message = `passwordHashes has no ${JSON.stringify(password.kind)}`;
		throw new LineError("UNSUPPORTED_PASSWORD_HASH", message);
	}
	// Otherwise a line could choose which verification its hash gets, and whose password it replaces.
	if (isOwn && parseStoredHash(password.hash)) {
		throw new LineError("UNSUPPORTED_PASSWORD_HASH", "This is not a hash of Better Auth");
	}
	return line;
}

/** @throws LineError */
export function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		throw new LineError("INVALID_JSON", "The line is not JSON");
	}
}
