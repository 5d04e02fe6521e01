import type { Where } from "@better-auth/core/db/adapter";

interface Search<Row> {
	where: Where[];
	/** Filters the rows, if the database may find too many. */
	matches?: (row: Row) => boolean;
}

const LIKE_SPECIAL = /[%_\\]/;

/**
 * The condition for rows that contain a text in one of the fields. Every character of the text stands
 * for itself.
 *
 * Most adapters put the text into LIKE without escaping, databases escape differently, and the memory
 * adapter has no LIKE. So the database searches for the longest part without a special character, and
 * the rows are compared here.
 */
export function searchFor<Field extends string>(
	text: string | undefined,
	fields: readonly Field[],
): Search<Record<Field, string>> {
	if (!text) return { where: [] };
	const pieces = text.split(LIKE_SPECIAL);
	if (pieces.length === 1) return { where: anyContains(fields, text) };
	const longest = pieces.reduce((one, other) => (other.length > one.length ? other : one));
	const wanted = text.toLowerCase();
	return {
		where: longest ? anyContains(fields, longest) : [],
		matches: (row) => fields.some((field) => row[field]?.toLowerCase().includes(wanted)),
	};
}

function anyContains(fields: readonly string[], value: string): Where[] {
	const contains = { operator: "contains", value, connector: "OR", mode: "insensitive" } as const;
	return fields.map((field) => ({ ...contains, field }));
}
