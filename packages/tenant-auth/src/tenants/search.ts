import type { Where } from "@better-auth/core/db/adapter";
import type { TenantRow } from "../context/tenant-row";

export interface TenantSearch {
	where: Where[];
	/** Filters the rows, if the database may find too many. */
	matches?: (row: TenantRow) => boolean;
}

const LIKE_SPECIAL = /[%_\\]/;

/**
 * The condition for tenants that contain a text in their name or slug.
 *
 * Most adapters put the text into LIKE without escaping, databases escape differently, and the memory
 * adapter has no LIKE. So the database searches for the longest part without a special character, and
 * the rows are compared here.
 */
export function searchFor(text: string | undefined): TenantSearch {
	if (!text) return { where: [] };
	const pieces = text.split(LIKE_SPECIAL);
	if (pieces.length === 1) return { where: nameOrSlugContains(text) };
	const longest = pieces.reduce((one, other) => (other.length > one.length ? other : one));
	return {
		where: longest ? nameOrSlugContains(longest) : [],
		matches: (row) => containsText(row, text),
	};
}

function nameOrSlugContains(value: string): Where[] {
	const contains = { operator: "contains", value, connector: "OR", mode: "insensitive" } as const;
	return [
		{ ...contains, field: "name" },
		{ ...contains, field: "slug" },
	];
}

function containsText({ name, slug }: TenantRow, search: string): boolean {
	const wanted = search.toLowerCase();
	return name.toLowerCase().includes(wanted) || slug.includes(wanted);
}
