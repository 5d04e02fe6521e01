const MAX_BYTES = 16 * 1024;

export type Metadata = Record<string, unknown>;

interface JsonProblem {
	message: string;
	/** Counted from 1, where the text itself is wrong. */
	line?: number;
	column?: number;
}

type Parsed = { metadata: Metadata; problem: null } | { metadata: null; problem: JsonProblem };

/** Reads a JSON object from what somebody typed. */
export function parseMetadata(text: string): Parsed {
	let value: unknown;
	try {
		value = JSON.parse(text);
	} catch (error) {
		return failed(locate(text, error as SyntaxError));
	}
	if (typeof value !== "object" || value === null || Array.isArray(value)) {
		return failed({ message: "Metadata is one JSON object: { … }.", line: 1, column: 1 });
	}
	if (new TextEncoder().encode(JSON.stringify(value)).length > MAX_BYTES) {
		return failed({ message: `Metadata has at most ${MAX_BYTES / 1024} KB.` });
	}
	return { metadata: value as Metadata, problem: null };
}

const failed = (problem: JsonProblem): Parsed => ({ metadata: null, problem });

/** Engines tell the place in words of their own, or not at all for a text that ends too soon. */
function locate(text: string, { message }: SyntaxError): JsonProblem {
	const place = /line (\d+) column (\d+)/.exec(message);
	const offset = /position (\d+)/.exec(message);
	const before = text.slice(0, offset ? Number(offset[1]) : text.length).split("\n");
	const line = place ? Number(place[1]) : before.length;
	const column = place ? Number(place[2]) : (before.at(-1)?.length ?? 0) + 1;
	return { message: inWords(message), line, column };
}

function inWords(message: string): string {
	if (/end of (JSON|data)|Unterminated/i.test(message)) return "The JSON ends too soon.";
	const token = /Unexpected token '?(.)'?/.exec(message);
	if (token) return `“${token[1]}” is not expected here.`;
	const told = message
		.replace(/ (in JSON )?at (position|line) .*$/, "")
		.replace(/^JSON.parse: /, "");
	return `${told}.`;
}

export const formatMetadata = (metadata: Metadata | null): string =>
	JSON.stringify(metadata ?? {}, null, 2);
