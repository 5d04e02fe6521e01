import { asRecord, type ExportedRecord } from "../formats/converted";
import { FIREBASE_CSV_COLUMNS, readFirebaseRow } from "../formats/firebase";
import { readCsv } from "./csv";
import { type Read, readJsonLines, readJsonList } from "./json";
import { FileError, readText } from "./text";

export const FORMATS = ["ndjson", "csv", "auth0", "clerk", "firebase", "keycloak"] as const;
export type Format = (typeof FORMATS)[number];

/** One user of a file. */
export interface SourceRecord {
	file: string;
	line: number;
	record: ExportedRecord;
}

type Layout = "lines" | "list" | "csv";

/** Enough for the first line of any export. */
const HEAD = 64 * 1024;

async function readHead(file: string): Promise<string> {
	let head = "";
	for await (const part of readText(file)) {
		head += part;
		if (head.length > HEAD) break;
	}
	return head.trimStart();
}

function layoutOf(head: string): Layout {
	if (head.startsWith("[")) return "list";
	if (!head.startsWith("{")) return "csv";
	const [first = ""] = head.split("\n");
	try {
		const { users, data }: ExportedRecord = Object(JSON.parse(first));
		return Array.isArray(users) || Array.isArray(data) ? "list" : "lines";
	} catch {
		// An object over several lines, or with a very long first one.
		return "list";
	}
}

/** The name by which each export is known. No two of these formats have the same. */
function guessFromFields(record: ExportedRecord): Format | null {
	const has = (...names: string[]) => names.some((name) => name in record);
	if (has("externalId")) return "ndjson";
	if (has("localId")) return "firebase";
	if (has("user_id") && has("identities", "email_verified", "created_at")) return "auth0";
	if (has("email_addresses", "primary_email_address", "password_digest")) return "clerk";
	if (has("username") && has("enabled", "credentials", "createdTimestamp")) return "keycloak";
	return null;
}

function guessFromRow(cells: readonly string[], columns: ReadonlyMap<string, string>) {
	if (cells.includes("primary_email_address")) return "clerk";
	const names = cells.map((name) => columns.get(name) ?? name);
	if (names.includes("externalId") && names.includes("email")) return "csv";
	const isFlag = /^(true|false)$/.test(cells[2] ?? "");
	return isFlag && cells.length >= FIREBASE_CSV_COLUMNS ? "firebase" : null;
}

/** The format of a file by its first record, or `null` if that does not say it. */
export async function guessFormat(
	file: string,
	columns: ReadonlyMap<string, string>,
): Promise<Format | null> {
	const layout = layoutOf(await readHead(file));
	const text = readText(file);
	if (layout === "csv") {
		for await (const { value } of readCsv(file, text)) return guessFromRow(value, columns);
		return null;
	}
	const read = layout === "lines" ? readJsonLines : readJsonList;
	for await (const { value } of read(file, text)) return guessFromFields(asRecord(value));
	return null;
}

/**
 * Reads the users of a file one by one.
 *
 * @param columns our names of CSV columns by the names in the file
 * @throws FileError if the file is broken
 */
export async function* readRecords(
	file: string,
	format: Format,
	columns: ReadonlyMap<string, string> = new Map(),
): AsyncGenerator<SourceRecord> {
	const layout = layoutOf(await readHead(file));
	const text = readText(file);
	if (layout !== "csv") {
		const read = layout === "lines" ? readJsonLines : readJsonList;
		for await (const { line, value } of read(file, text)) {
			yield { file, line, record: asRecord(value) };
		}
	} else if (format === "firebase") {
		for await (const { line, value } of readCsv(file, text)) {
			if (value.length < FIREBASE_CSV_COLUMNS) {
				throw new FileError(
					`${file} line ${line}: ${value.length} cells, but Firebase writes ${FIREBASE_CSV_COLUMNS} or more. Export JSON if names contain line breaks or quotes`,
				);
			}
			yield { file, line, record: readFirebaseRow(value) };
		}
	} else if (format === "csv" || format === "clerk") {
		yield* readTable(file, readCsv(file, text), columns);
	} else throw new FileError(`${file} is not JSON`);
}

async function* readTable(
	file: string,
	rows: AsyncIterable<Read<string[]>>,
	columns: ReadonlyMap<string, string>,
): AsyncGenerator<SourceRecord> {
	let names: string[] | undefined;
	for await (const { line, value } of rows) {
		if (!names) {
			names = value.map((name) => columns.get(name) ?? name.trim());
			requireColumns(file, names, columns);
			continue;
		}
		if (value.length !== names.length) {
			throw new FileError(
				`${file} line ${line}: ${value.length} cells, but the header has ${names.length}`,
			);
		}
		const entries = names.map((name, index) => [name, value[index]]);
		yield { file, line, record: Object.fromEntries(entries) };
	}
}

function requireColumns(
	file: string,
	names: readonly string[],
	columns: ReadonlyMap<string, string>,
): void {
	const repeated = names.find((name, index) => names.indexOf(name) !== index);
	if (repeated !== undefined)
		throw new FileError(`${file} has two columns ${JSON.stringify(repeated)}`);
	const missing = [...columns].find(([, ours]) => !names.includes(ours));
	if (missing) throw new FileError(`${file} has no column ${JSON.stringify(missing[0])}`);
	const isOurs = !names.includes("primary_email_address");
	const required = isOurs
		? ["externalId", "email"].find((name) => !names.includes(name))
		: undefined;
	if (required === undefined) return;
	throw new FileError(
		`${file} has no column ${required}. Its columns are ${names.join(", ")}. Use --columns ${required}=<column>`,
	);
}
