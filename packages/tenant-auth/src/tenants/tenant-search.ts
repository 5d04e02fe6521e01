import type { Where } from "@better-auth/core/db/adapter";
import type { TenantRow } from "./tenant";

export interface TenantSearch {
	where: Where[];
	/** Whether a row that the database found is meant, where it may find too many. */
	matches?: (row: TenantRow) => boolean;
}

const LIKE_SPECIAL = /[%_\\]/;

/**
 * What finds the tenants that have a text in their name or slug.
 *
 * Adapters put it into LIKE as it is, and databases differ in how one escapes there. So each special
 * character is widened to "any one character", and what comes back is compared here.
 */
export function searchFor(text: string | undefined): TenantSearch {
	if (!text) return { where: [] };
	if (!LIKE_SPECIAL.test(text)) return { where: nameOrSlugContains(text) };
	return {
		where: nameOrSlugContains(text.replaceAll(/[%_\\]/g, "_")),
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
