import type { ImportedUser } from "better-auth-tenant/imports";

/** A record of an export file: a JSON object, or a row of a CSV file by its columns. */
export type ExportedRecord = Readonly<Record<string, unknown>>;

/** What a record becomes: a user to import, or the reason why there is none. */
export type Converted =
	| {
			user: ImportedUser;
			/** What the record has and an import cannot take, by name. */
			notImported: string[];
	  }
	| {
			code: "NO_ID" | "NO_EMAIL" | "NOT_A_PERSON" | "NO_TENANT";
			message: string;
			externalId: string | null;
	  };

export interface ConvertSettings {
	/** Ids of providers in your app by the name that the other service uses. */
	providers: Readonly<Record<string, string>>;
	/** The password hash of a user, if hashes come in a file of their own. */
	findHash?: (externalId: string) => string | undefined;
	/** Whether the app has the plugin for a field, such as `username`. By default it has none. */
	supports?: (field: PluginField) => boolean;
}

/** Fields that plugins of Better Auth store. */
type PluginField = "username" | "phoneNumber" | "totpSecret";

/** Converts one record. It reads nothing else and changes nothing. */
export type Convert = (record: ExportedRecord, settings: ConvertSettings) => Converted;

export const asRecord = (value: unknown): ExportedRecord =>
	typeof value === "object" && value !== null && !Array.isArray(value)
		? (value as ExportedRecord)
		: {};

export const listOf = (value: unknown): ExportedRecord[] =>
	Array.isArray(value) ? value.map(asRecord) : [];

/**
 * A text that is not empty. Some services export numbers as ids. Larger ones than JavaScript can count were
 * rounded: two people would have the same id.
 */
export function textOf(value: unknown): string | undefined {
	if (typeof value === "number") return Number.isSafeInteger(value) ? String(value) : undefined;
	return typeof value === "string" && value.trim() !== "" ? value : undefined;
}

/** A full name from its parts. */
export const joinName = (...parts: unknown[]): string | undefined =>
	parts.flatMap((part) => textOf(part)?.trim() ?? []).join(" ") || undefined;

/**
 * A flag that is set. One that is not set is left out: a repeated import must not enable a user again, or
 * forget that an email was verified since.
 */
export const ifTrue = (flag: boolean): true | undefined => flag || undefined;

/** A date as text, as milliseconds, or as milliseconds in a text. */
export function dateOf(value: unknown): string | undefined {
	const text = textOf(value);
	if (text === undefined) return undefined;
	const date = new Date(/^\d+$/.test(text) ? Number(text) : text);
	return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}

function isEmpty(value: unknown): boolean {
	if (value === undefined || value === null || value === false || value === 0) return true;
	if (typeof value === "string") return ["", "false"].includes(value.trim());
	return typeof value === "object" && Object.keys(value).length === 0;
}

/** The fields that a converter does not take, unless they are empty. So nothing is lost in silence. */
export const leftOver = (record: ExportedRecord, taken: readonly string[]): string[] =>
	Object.keys(record).filter((field) => !taken.includes(field) && !isEmpty(record[field]));

/** Builds the user, or says what is missing. Fields without a value are left out. */
export function toUser(
	fields: Partial<ImportedUser>,
	notImported: readonly (string | false | undefined)[],
): Converted {
	const { externalId, email } = fields;
	if (externalId === undefined) {
		return { code: "NO_ID", message: "The record has no id", externalId: null };
	}
	if (email === undefined) {
		return { code: "NO_EMAIL", message: "The user has no email", externalId };
	}
	const given = Object.entries(fields).filter(
		([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0),
	);
	const user: ImportedUser = { ...Object.fromEntries(given), externalId, email };
	return { user, notImported: [...new Set(notImported.filter((it) => typeof it === "string"))] };
}

/** The kind of a hash in a form that says what it is. */
export function kindOfHash(hash: string): "bcrypt" | "argon2" | undefined {
	if (/^\$2[a-y]?\$/.test(hash)) return "bcrypt";
	return hash.startsWith("$argon2") ? "argon2" : undefined;
}
