import type { AuthContext } from "@better-auth/core";
import * as z from "zod";
import { flag } from "../../described";
import { emailSchema } from "../../email-address";
import { isRole } from "../../management/access/roles";
import { idSchema } from "../../management/tenants/tenant";
import type { ResolvedOptions } from "../../options";
import { costsTooMuch } from "../../password-hash-cost";
import { OWN_HASH_KIND, parseStoredHash } from "./foreign-hash";
import { LineError } from "./import-result";
import { type ImportableFields, parseFields } from "./line-fields";
import type { PasswordHashes } from "./options";
import { parsePluginFields } from "./plugin-fields";

/** Longer than any hash, and short enough to read. */
const MAX_HASH = 2048;
const MAX_ACCOUNTS = 20;
const MAX_TEXT = 255;

/** PostgreSQL rejects NUL. */
const storable = (maxLength: number) =>
	z
		.string()
		.max(maxLength)
		.regex(/^[^\0]*$/, "must not contain NUL");

const text = storable(MAX_TEXT);

/** MySQL stores no earlier date. A user from the future would have no valid session. */
const isPast = (date: string) => {
	const time = new Date(date).getTime();
	return time >= 86_400_000 && time <= Date.now();
};

/** One user of an import. Unknown fields are refused, so that a wrong name of a field is not ignored. */
export const importLineSchema = z.strictObject({
	externalId: idSchema.meta({ description: "The id in the system that the user comes from" }),
	email: emailSchema.toLowerCase().meta({ description: "The email" }),
	name: text.meta({ description: "The name; default empty" }).optional(),
	emailVerified: flag("Default false").optional(),
	image: storable(2048).nullable().meta({ description: "URL of a picture" }).optional(),
	role: z
		.string()
		.min(1)
		.max(64)
		.meta({ description: "owner, admin, member, or a role of your app; default member" })
		.optional(),
	disabled: flag("Whether the user may not sign in").optional(),
	createdAt: z.iso
		.datetime({ offset: true })
		.refine(isPast, "must be between 1970 and now")
		.meta({ description: "When the user was created; default now" })
		.optional(),
	password: z
		.strictObject({ kind: z.string().max(32), hash: storable(MAX_HASH).min(1) })
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
	username: text.min(1).meta({ description: "For the plugin username()" }).optional(),
	phoneNumber: storable(32).min(1).meta({ description: "For the plugin phoneNumber()" }).optional(),
	phoneNumberVerified: flag("Default false").optional(),
	totpSecret: storable(512)
		.min(1)
		.meta({ description: "Base32, for the plugin twoFactor(); stored for new users only" })
		.optional(),
	fields: z
		.record(z.string(), z.unknown())
		.meta({ description: "Values of your app's additional user fields, by their names" })
		.optional(),
});

export type ImportLine = z.output<typeof importLineSchema>;

/** A line before it is parsed: an object, or a text with the JSON of one. */
export interface NumberedLine {
	/** From 1, with empty lines. */
	number: number;
	value: unknown;
}

/** A user as `importUsers` takes it. */
export type ImportedUser = z.input<typeof importLineSchema>;

/** A hash of Better Auth: a salt and a key. */
const OWN_HASH = /^[\da-f]{32}:[\da-f]{128}$/;

/** What a line is checked against. */
export interface LineRules extends Pick<ResolvedOptions, "roles"> {
	passwordHashes: PasswordHashes;
	/** Whether the app hashes passwords with a function of its own, in a form that nobody else knows. */
	hasOwnHash: boolean;
	fields: ImportableFields;
	context: AuthContext;
}

/** @throws LineError */
export async function parseLine(value: unknown, rules: LineRules): Promise<ImportLine> {
	const { data: line, error } = importLineSchema.safeParse(value);
	if (error) {
		const [issue] = error.issues;
		const message = `[${issue?.path.join(".")}] ${issue?.message}`;
		// It repeats unknown names of fields, however long they are.
		throw new LineError("VALIDATION_ERROR", message.slice(0, MAX_TEXT));
	}
	if (line.role !== undefined && !isRole(rules.roles, line.role)) {
		throw new LineError("ROLE_NOT_FOUND", `There is no role ${JSON.stringify(line.role)}`);
	}
	if (line.password) requireKnownHash(line.password, rules);
	const ofApp = parseFields(line.fields ?? {}, rules.fields);
	return { ...line, fields: { ...ofApp, ...(await parsePluginFields(line, rules.context)) } };
}

/** A hash that cannot be read would fail at each sign-in of its user. */
function requireKnownHash(
	{ kind, hash }: NonNullable<ImportLine["password"]>,
	{ passwordHashes, hasOwnHash }: LineRules,
): void {
	const isOwn = kind === OWN_HASH_KIND;
	if (!isOwn && !Object.hasOwn(passwordHashes, kind)) {
		const message = `passwordHashes has no ${JSON.stringify(kind)}`;
		throw new LineError("UNSUPPORTED_PASSWORD_HASH", message);
	}
	// Otherwise a line could choose which verification its hash gets, and whose password it replaces.
	if (isOwn && (parseStoredHash(hash) || !(hasOwnHash || OWN_HASH.test(hash)))) {
		throw new LineError("UNSUPPORTED_PASSWORD_HASH", "This is not a hash of Better Auth");
	}
	if (costsTooMuch(hash)) {
		throw new LineError(
			"PASSWORD_HASH_TOO_COSTLY",
			"Verifying this hash takes too much time or memory",
		);
	}
}

/** @throws LineError */
export function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		throw new LineError("INVALID_JSON", "The line is not JSON");
	}
}
