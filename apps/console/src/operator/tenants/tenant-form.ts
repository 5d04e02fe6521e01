import { MAX_JSON_BYTES, MAX_SLUG_LENGTH } from "better-auth-tenant/rules";
import { hasCode } from "../../api/client";

/** Letters that Unicode does not decompose. */
const LETTERS: Record<string, string> = {
	ß: "ss",
	æ: "ae",
	œ: "oe",
	ø: "o",
	ł: "l",
	đ: "d",
	ð: "d",
	þ: "th",
	ı: "i",
};

/** Suggests a slug for a name: “Café Zoë & Sons” becomes `cafe-zoe-sons`. */
export function suggestSlug(name: string): string {
	return name
		.normalize("NFKD")
		.replace(/\p{M}/gu, "")
		.toLowerCase()
		.replace(/\p{L}/gu, (letter) => LETTERS[letter] ?? letter)
		.replace(/[^a-z\d]+/g, "-")
		.slice(0, MAX_SLUG_LENGTH)
		.replace(/^-+|-+$/g, "");
}

/** Whether the service rejected the slug. */
export const isSlugRejected = (error: Error | null): boolean =>
	hasCode(error, "INVALID_SLUG", "SLUG_RESERVED", "TENANT_ALREADY_EXISTS");

type Metadata = Record<string, unknown>;

interface MetadataProblem {
	message: string;
	/** Line and column start at 1. Missing if the problem has no place in the text. */
	line?: number;
	column?: number;
}

type ParsedMetadata =
	| { metadata: Metadata; problem: null }
	| { metadata: null; problem: MetadataProblem };

/** Parses a JSON object that an operator typed. */
export function parseMetadata(text: string): ParsedMetadata {
	let value: unknown;
	try {
		value = JSON.parse(text);
	} catch (error) {
		return failed(describeSyntaxError(text, error as SyntaxError));
	}
	if (typeof value !== "object" || value === null || Array.isArray(value)) {
		return failed({ message: "Metadata must be a JSON object: { … }.", line: 1, column: 1 });
	}
	if (new TextEncoder().encode(JSON.stringify(value)).length > MAX_JSON_BYTES) {
		return failed({ message: `Metadata can have at most ${MAX_JSON_BYTES / 1024} KB.` });
	}
	return { metadata: value as Metadata, problem: null };
}

const failed = (problem: MetadataProblem): ParsedMetadata => ({ metadata: null, problem });

/** Each browser words the position differently, and none gives it for incomplete JSON. */
function describeSyntaxError(text: string, { message }: SyntaxError): MetadataProblem {
	const position = /line (\d+) column (\d+)/.exec(message);
	const offset = /position (\d+)/.exec(message);
	const before = text.slice(0, offset ? Number(offset[1]) : text.length).split("\n");
	return {
		message: simplify(message),
		line: position ? Number(position[1]) : before.length,
		column: position ? Number(position[2]) : (before.at(-1)?.length ?? 0) + 1,
	};
}

function simplify(message: string): string {
	if (/end of (JSON|data)|Unterminated/i.test(message)) return "The JSON is incomplete.";
	const token = /Unexpected token '?(.)'?/.exec(message);
	if (token) return `Unexpected “${token[1]}”.`;
	const withoutPosition = message
		.replace(/ (in JSON )?at (position|line) .*$/, "")
		.replace(/^JSON.parse: /, "");
	return `${withoutPosition}.`;
}

export const formatMetadata = (metadata: Metadata | null): string =>
	JSON.stringify(metadata ?? {}, null, 2);
