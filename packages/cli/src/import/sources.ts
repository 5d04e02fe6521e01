import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { BetterAuthOptions } from "better-auth";
import { type ImportedUser, missingPluginFields } from "better-auth-tenant/imports";
import { fromAuth0, readAuth0Hash } from "../formats/auth0";
import { fromClerk } from "../formats/clerk";
import { type Convert, type Converted, type ConvertSettings, textOf } from "../formats/converted";
import { fromFirebase } from "../formats/firebase";
import { fromKeycloak } from "../formats/keycloak";
import { fromRow } from "../formats/rows";
import {
	FORMATS,
	type Format,
	guessFormat,
	readRecords,
	type SourceRecord,
} from "../reading/records";
import { FileError } from "../reading/text";
import { UsageError } from "../terminal";
import type { ImportFlags } from "./arguments";
import { metadataReader } from "./metadata";
import { takeTenant } from "./record-tenant";

const CONVERT: Record<Format, Convert> = {
	// A line is a user already. The import checks it.
	ndjson: (record) => ({ user: record as unknown as ImportedUser, notImported: [] }),
	csv: fromRow,
	auth0: fromAuth0,
	clerk: fromClerk,
	firebase: fromFirebase,
	keycloak: fromKeycloak,
};

/** A record, what it becomes, and the tenant that it names. */
interface ReadRecord extends SourceRecord {
	converted: Converted;
	tenant: string;
}

/** The users of all files. They can be read again and again. */
export interface Source {
	format: Format;
	read: () => AsyncGenerator<ReadRecord>;
	/** How many hashes of a second file belong to no user that was read. */
	unusedHashes: () => number;
}

/** @throws FileError, UsageError if the format of a file is not clear */
export async function openSource(options: BetterAuthOptions, flags: ImportFlags): Promise<Source> {
	const files = flags.files.flatMap(expand);
	const format = await resolveFormat(files, flags);
	if (flags.passwords !== undefined && format !== "auth0") {
		throw new UsageError("--passwords is for Auth0");
	}
	const takeMetadata = metadataReader(options, format, flags.metadata);
	const missing = missingPluginFields(options);
	const hashes = await readHashes(flags.passwords);
	const used = new Set<string>();
	const settings: ConvertSettings = {
		providers: flags.providers,
		findHash: (externalId) => {
			const hash = hashes.get(externalId);
			if (hash !== undefined) used.add(externalId);
			return hash;
		},
		supports: (field) => !missing.has(field),
	};
	const convert = (record: SourceRecord["record"]): Converted => {
		const { rest, fields } = takeMetadata(record);
		const converted = withFields(CONVERT[format](rest, settings), { ...flags.set, ...fields });
		if (!flags.skipPasswords || !("user" in converted)) return converted;
		const { password, ...user } = converted.user;
		const lost = password ? ["password: --skip-passwords"] : [];
		return { user, notImported: [...converted.notImported, ...lost] };
	};
	async function* read() {
		for (const file of files) {
			for await (const found of readRecords(file, format, flags.columns)) {
				const { tenant, record } = takeTenant(found.record, flags);
				const converted: Converted =
					tenant === undefined
						? {
								code: "NO_TENANT",
								message: `The record has no ${flags.tenantFrom}`,
								externalId: textOf(record.externalId) ?? null,
							}
						: convert(record);
				yield { ...found, record, tenant: tenant ?? "", converted };
			}
		}
	}
	return { format, read, unusedHashes: () => hashes.size - used.size };
}

/** Adds the fields that a record does not have. A line of NDJSON may be anything, and is checked later. */
function withFields(converted: Converted, set: Readonly<Record<string, unknown>>): Converted {
	if (!("user" in converted) || Object.keys(set).length === 0) return converted;
	const { fields } = converted.user;
	const isRecord = typeof fields === "object" && fields !== null;
	if (fields !== undefined && !isRecord) return converted;
	return { ...converted, user: { ...converted.user, fields: { ...set, ...fields } } };
}

/** A folder of Keycloak's, with files in their order: 2 before 10. */
function expand(path: string): string[] {
	if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) return [path];
	const names = readdirSync(path).filter((name) => /-users-\d+\.json$/.test(name));
	if (names.length === 0) throw new FileError(`${path} has no files *-users-*.json`);
	const inOrder = new Intl.Collator("en", { numeric: true });
	return names.sort(inOrder.compare).map((name) => join(path, name));
}

async function resolveFormat(files: readonly string[], flags: ImportFlags): Promise<Format> {
	const given = FORMATS.find((format) => format === flags.from);
	if (given) return given;
	const guessed = new Set<Format>();
	for (const file of files) {
		const format = await guessFormat(file, flags.columns);
		if (!format) throw new UsageError(`The format of ${file} is not clear. Use --from <format>`);
		guessed.add(format);
	}
	const [only, ...more] = guessed;
	if (!only || more.length > 0) {
		throw new UsageError(`The files have different formats: ${[...guessed].join(", ")}`);
	}
	return only;
}

/** All of them are kept in memory: a hash and an id, about 200 bytes for each. */
async function readHashes(file: string | undefined): Promise<Map<string, string>> {
	const hashes = new Map<string, string>();
	if (file === undefined) return hashes;
	for await (const { record, line } of readRecords(file, "auth0")) {
		const found = readAuth0Hash(record);
		if (!found) throw new FileError(`${file} line ${line}: no _id and passwordHash`);
		hashes.set(found.externalId, found.hash);
	}
	return hashes;
}
