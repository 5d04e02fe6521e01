import { type Read, requireLength } from "./json";
import { FileError } from "./text";

/** No export has as many columns. */
const MAX_COLUMNS = 1000;

/**
 * Reads the rows of a CSV file (RFC 4180): cells may be quoted, and then contain commas, line breaks and
 * doubled quotes. Empty lines are left out.
 *
 * The library csv-parse is five times slower, counts Windows line breaks in quotes twice, and reads a line
 * of commas without a limit.
 *
 * @throws FileError if a quote has no end, or stands where none can be
 */
export async function* readCsv(
	file: string,
	parts: AsyncIterable<string>,
): AsyncGenerator<Read<string[]>> {
	const scanner = new CsvScanner(file);
	for await (const part of parts) yield* scanner.scan(part);
	yield* scanner.end();
}

class CsvScanner {
	readonly #file: string;
	#line = 1;
	#rowLine = 1;
	#row: string[] = [];
	#cell = "";
	#length = 0;
	/** Where in a cell: before it, in a plain one, between quotes, or after a quote that may end it. */
	#at: "start" | "plain" | "quoted" | "quote" = "start";

	constructor(file: string) {
		this.#file = file;
	}

	*scan(part: string): Generator<Read<string[]>> {
		for (const character of part) {
			this.#length += 1;
			requireLength(this.#file, this.#rowLine, this.#length);
			if (this.#at === "quoted") this.#readQuoted(character);
			else if (character === ",") this.#endCell();
			else if (character === "\n") yield* this.#endRow();
			else this.#readPlain(character);
			if (character === "\n") this.#line += 1;
			if (this.#row.length === 0 && this.#at === "start") this.#rowLine = this.#line;
		}
	}

	*end(): Generator<Read<string[]>> {
		if (this.#at === "quoted") {
			throw new FileError(`${this.#file} line ${this.#rowLine}: a quote has no end`);
		}
		yield* this.#endRow();
	}

	#readQuoted(character: string): void {
		if (character === '"') this.#at = "quote";
		else this.#cell += character;
	}

	#readPlain(character: string): void {
		// The first half of a line break on Windows.
		if (character === "\r") return;
		if (character === '"' && this.#at !== "plain") {
			// Two quotes inside a quoted cell are one.
			if (this.#at === "quote") this.#cell += '"';
			this.#at = "quoted";
			return;
		}
		if (this.#at === "quote") {
			throw new FileError(
				`${this.#file} line ${this.#line}: a quoted cell goes on after its quote`,
			);
		}
		this.#at = "plain";
		this.#cell += character;
	}

	#endCell(): void {
		this.#row.push(this.#cell);
		this.#cell = "";
		this.#at = "start";
		if (this.#row.length > MAX_COLUMNS) {
			throw new FileError(`${this.#file} line ${this.#rowLine}: more than ${MAX_COLUMNS} columns`);
		}
	}

	*#endRow(): Generator<Read<string[]>> {
		const isEmpty = this.#row.length === 0 && this.#cell === "" && this.#at === "start";
		if (!isEmpty) {
			this.#endCell();
			yield { line: this.#rowLine, value: this.#row };
		}
		this.#row = [];
		this.#length = 0;
	}
}
