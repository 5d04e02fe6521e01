import { FileError } from "./text";

/** A record of a file, and the line on which it starts. */
export interface Read<T> {
	line: number;
	value: T;
}

/** No user needs more. A file without line breaks would otherwise fill the memory. */
const MAX_RECORD = 1024 * 1024;

/** Where an object has its records. */
const LISTS = ["users", "data"];

/** @throws FileError at a line that is not JSON, or too long */
export async function* readJsonLines(
	file: string,
	parts: AsyncIterable<string>,
): AsyncGenerator<Read<unknown>> {
	let line = 0;
	for await (const text of splitLines(file, parts)) {
		line += 1;
		if (text.trim() !== "") yield { line, value: parse(file, line, text) };
	}
}

async function* splitLines(file: string, parts: AsyncIterable<string>): AsyncGenerator<string> {
	let rest = "";
	let line = 1;
	for await (const part of parts) {
		const lines = (rest + part).split("\n");
		rest = lines.pop() ?? "";
		for (const text of lines) {
			requireLength(file, line, text.length);
			line += 1;
			yield text;
		}
		requireLength(file, line, rest.length);
	}
	yield rest;
}

export function requireLength(file: string, line: number, length: number): void {
	if (length > MAX_RECORD)
		throw new FileError(`${file} line ${line}: a record is longer than 1 MiB`);
}

function parse(file: string, line: number, text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		throw new FileError(`${file} line ${line}: this is not JSON`);
	}
}

/**
 * Reads the elements of a JSON array one by one, so the file may be larger than the memory. The array is
 * the whole file, or the value of `users` or `data` in the object that is the file.
 *
 * It only looks for the borders of elements. `JSON.parse` reads what is inside. A streaming parser has no
 * line numbers and no limit for an element, so most of this code would stay.
 *
 * @throws FileError if the file ends too early, or an element is not JSON
 */
export async function* readJsonList(
	file: string,
	parts: AsyncIterable<string>,
): AsyncGenerator<Read<unknown>> {
	const scanner = new ListScanner(file);
	for await (const part of parts) yield* scanner.scan(part);
	scanner.requireEnd();
}

/** Where the scanner is. An element is everything between two commas of the list. */
class ListScanner {
	readonly #file: string;
	#line = 1;
	#depth = 0;
	#inText = false;
	#isEscaped = false;
	/** How deep the list is: 1 if it is the file, 2 if it is in an object. 0: not found yet. */
	#listDepth = 0;
	#isFound = false;
	/** What was read of the current element, or of the current text at the first level. */
	#held = "";
	#heldLine = 1;
	/** The last text at the first level, which may be the name of a list. */
	#name = "";

	constructor(file: string) {
		this.#file = file;
	}

	*scan(part: string): Generator<Read<unknown>> {
		for (const character of part) {
			if (character === "\n") this.#line += 1;
			if (this.#inText) this.#readText(character);
			else yield* this.#readOutside(character);
		}
	}

	requireEnd(): void {
		if (this.#depth > 0 || this.#inText) {
			throw new FileError(`${this.#file} ends in the middle, at line ${this.#line}`);
		}
		if (!this.#isFound) {
			throw new FileError(
				`${this.#file} has no list of users: neither an array nor "users" or "data"`,
			);
		}
	}

	get #isInList(): boolean {
		return this.#listDepth > 0 && this.#depth >= this.#listDepth;
	}

	#hold(character: string): void {
		if (this.#held === "") {
			if (/\s/.test(character)) return;
			this.#heldLine = this.#line;
		}
		this.#held += character;
		requireLength(this.#file, this.#heldLine, this.#held.length);
	}

	#readText(character: string): void {
		if (this.#isInList) this.#hold(character);
		else if (this.#depth === 1 && character !== '"') this.#name += character;
		if (this.#isEscaped) this.#isEscaped = false;
		else if (character === "\\") this.#isEscaped = true;
		else if (character === '"') this.#inText = false;
	}

	*#readOutside(character: string): Generator<Read<unknown>> {
		const isOnList = this.#listDepth > 0 && this.#depth === this.#listDepth;
		if (isOnList && (character === "," || character === "]")) {
			yield* this.#endElement(character === "]");
			return;
		}
		if (this.#isInList) this.#hold(character);
		if (character === '"') {
			this.#inText = true;
			if (this.#depth === 1 && !this.#isInList) this.#name = "";
		} else if (character === "{" || character === "[") this.#open(character);
		else if (character === "}" || character === "]") this.#close();
	}

	#open(character: string): void {
		this.#depth += 1;
		if (character !== "[" || this.#isFound) return;
		const isNamed = this.#depth === 2 && LISTS.includes(this.#name);
		if (this.#depth > 1 && !isNamed) return;
		this.#listDepth = this.#depth;
		this.#isFound = true;
	}

	#close(): void {
		this.#depth -= 1;
		if (this.#depth < 0) throw new FileError(`${this.#file} line ${this.#line}: this is not JSON`);
	}

	*#endElement(isLast: boolean): Generator<Read<unknown>> {
		const text = this.#held.trim();
		const line = this.#heldLine;
		this.#held = "";
		if (isLast) {
			this.#depth -= 1;
			this.#listDepth = 0;
		}
		// An empty list has no element before its end.
		if (text !== "" || !isLast) yield { line, value: parse(this.#file, line, text) };
	}
}
