import { fromRow } from "../../../../../packages/cli/src/formats/rows";
import { CsvError, readCsv } from "./csv";

/** The result of one line, as the service reports it. */
export type LineResult = {
	/** Counted from 1. */
	line: number;
	externalId: string | null;
	status: "created" | "updated" | "unchanged" | "failed";
	code?: string | null | undefined;
	message?: string | null | undefined;
};

type ParsedLine = { line: number; user: unknown };

export type ParsedFile = {
	/** Parts of the file, each small enough for one call. */
	batches: ParsedLine[][];
	/** Lines that cannot be read. They are not sent. */
	failed: LineResult[];
	count: number;
};

const MAX_BATCH_LINES = 100;

/** The service accepts bodies of 1 MiB. */
const MAX_BATCH_CHARACTERS = 200_000;

/** Collects lines, and divides them into parts. */
class ImportLines {
	readonly #file: ParsedFile = { batches: [], failed: [], count: 0 };
	#size = Number.POSITIVE_INFINITY;

	add(line: number, user: unknown, length: number): void {
		const { batches } = this.#file;
		this.#size += length;
		const isFull = this.#size > MAX_BATCH_CHARACTERS || batches.at(-1)?.length === MAX_BATCH_LINES;
		if (isFull) {
			batches.push([]);
			this.#size = length;
		}
		batches.at(-1)?.push({ line, user });
		this.#file.count += 1;
	}

	fail(line: number, code: string, message: string, externalId: string | null = null): void {
		this.#file.failed.push({ line, externalId, status: "failed", code, message });
		this.#file.count += 1;
	}

	end(): ParsedFile {
		return this.#file;
	}
}

/** Reads a file with the JSON of one user per line. Empty lines are skipped. */
export function parseImportFile(text: string): ParsedFile {
	const lines = new ImportLines();
	for (const [index, content] of text
		.replace(/^\uFEFF/, "")
		.split(/\r?\n/)
		.entries()) {
		if (content.trim() === "") continue;
		const user = parseJson(content);
		if (user === undefined) lines.fail(index + 1, "INVALID_JSON", "The line is not valid JSON.");
		else lines.add(index + 1, user, content.length);
	}
	return lines.end();
}

/**
 * Reads a CSV file with one user per row, and the columns of the command line in its first row.
 *
 * @throws CsvError if it cannot be read, or if its first row has not the right columns
 */
export function parseImportCsv(text: string): ParsedFile {
	const lines = new ImportLines();
	const [header, ...rows] = readCsv(text);
	if (!header) return lines.end();
	const names = header.cells.map((name) => name.trim());
	requireColumns(names);
	for (const { line, cells } of rows) {
		if (cells.length !== names.length) {
			const message = `The line has ${cells.length} cells, but the first line has ${names.length}.`;
			lines.fail(line, "INVALID_CSV", message);
			continue;
		}
		const converted = convert(names, cells);
		if ("user" in converted && converted.notImported.length > 0) {
			const message = `The line has values that cannot be used: ${converted.notImported.join(", ")}.`;
			lines.fail(line, "INVALID_CSV", message, cells[names.indexOf("externalId")] ?? null);
		} else if ("user" in converted) {
			lines.add(line, converted.user, JSON.stringify(converted.user).length);
		} else {
			lines.fail(line, converted.code, `${converted.message}.`, converted.externalId);
		}
	}
	return lines.end();
}

const convert = (names: string[], cells: string[]) =>
	fromRow(Object.fromEntries(names.map((name, index) => [name, cells[index]])), { providers: {} });

/** A column with a wrong name must not be ignored. */
function requireColumns(names: string[]): void {
	const missing = ["externalId", "email"].find((name) => !names.includes(name));
	if (missing) throw new CsvError(`The first line has no column ${missing}.`);
	const repeated = names.find((name, index) => names.indexOf(name) !== index);
	if (repeated !== undefined) throw new CsvError(`The first line has two columns ${repeated}.`);
	const converted = convert(
		names,
		names.map(() => "x"),
	);
	const [unknown] = "user" in converted ? converted.notImported : [];
	if (unknown !== undefined)
		throw new CsvError(`The first line has an unknown column: ${unknown}.`);
}

function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

/** The service counts the lines of each call. This gives them the numbers that they have in the file. */
export const inFile = (batch: ParsedLine[], results: LineResult[]): LineResult[] =>
	results.map((result) => ({ ...result, line: batch[result.line - 1]?.line ?? result.line }));
