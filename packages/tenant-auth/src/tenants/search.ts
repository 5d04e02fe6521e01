import type { Where } from "@better-auth/core/db/adapter";
import type { TenantRow } from "../context/tenant-row";

export interface TenantSearch {
	where: Where[];
	/** Whether a row that the database found is meant, where it may find too many. */
	matches?: (row: TenantRow) => boolean;
}

const LIKE_SPECIAL = /[%_\\]/;

/**
 * What finds the tenants that have a text in their name or slug.
 *
 * Most adapters put it into LIKE as it is, databases differ in how one escapes there, and the memory
 * adapter has no LIKE. So the database is asked for the longest piece without a special character,
 * and what comes back is compared here.
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
