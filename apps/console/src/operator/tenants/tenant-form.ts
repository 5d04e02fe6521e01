import {
	BRANDING_FIELDS,
	type BrandingField,
	findBrandingProblem,
	MAX_JSON_BYTES,
	MAX_SLUG_LENGTH,
} from "better-auth-tenant/rules";
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

/** The values of a form: a missing field is an empty string, and a stored value may be invalid. */
export type BrandingValues = Record<BrandingField, string>;

export function toBrandingValues(metadata: Metadata | null): BrandingValues {
	const stored = (metadata?.branding ?? {}) as Metadata;
	const text = (name: BrandingField) => {
		const value = stored[name];
		return typeof value === "string" ? value : "";
	};
	return {
		logoUrl: text("logoUrl"),
		primaryColor: text("primaryColor"),
		tagline: text("tagline"),
		supportEmail: text("supportEmail"),
	};
}

/** The service ignores invalid fields without an error, so forms must not save them. */
export function findBrandingProblems(values: BrandingValues): Partial<BrandingValues> {
	const problems: Partial<BrandingValues> = {};
	for (const field of BRANDING_FIELDS) {
		const isEmpty = values[field].trim() === "";
		const problem = isEmpty ? null : findBrandingProblem(field, values[field]);
		if (problem) problems[field] = problem;
	}
	return problems;
}

/** The metadata with this branding. Everything else in it stays. */
export function withBranding(metadata: Metadata | null, branding: BrandingValues): Metadata {
	const { branding: stored, ...rest } = metadata ?? {};
	const next: Metadata = { ...(stored as Metadata | undefined) };
	for (const name of BRANDING_FIELDS) {
		const value = branding[name].trim();
		if (value === "") delete next[name];
		else next[name] = value;
	}
	return Object.keys(next).length > 0 ? { ...rest, branding: next } : rest;
}

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
