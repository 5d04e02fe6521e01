import { getCurrentAdapter } from "@better-auth/core/context";
import type { Where } from "@better-auth/core/db/adapter";
import type { TenantRow } from "../context/tenant";
import { sliceBatches, walkTenants } from "./order";
import type { StoreContext } from "./store";
import { type Tenant, toTenant } from "./tenant";

export interface TenantList {
	/** Number of all tenants that match. */
	total: number;
	/** Number of tenants in the batches, unless it changes meanwhile. */
	length: number;
	batches: AsyncGenerator<Tenant[]>;
}

const ALL = { offset: 0, limit: Number.POSITIVE_INFINITY };

/** Oldest first. Without a limit it lists all: the adapter's default page of 100 must not cut it. */
export async function listTenantsInBatches(
	ctx: StoreContext,
	part: { search?: string | undefined; limit?: number | undefined; offset: number },
): Promise<TenantList> {
	const search = searchFor(part.search);
	const total = await countTenants(ctx, search);
	const length = Math.max(0, Math.min(part.limit ?? total, total - part.offset));
	const batches = toTenants(find(ctx, search, { offset: part.offset, limit: length }));
	return { total, length, batches };
}

async function countTenants(ctx: StoreContext, { where, matches }: TenantSearch): Promise<number> {
	if (!matches) return (await getCurrentAdapter(ctx.adapter)).count({ model: "tenant", where });
	let total = 0;
	for await (const rows of filterBatches(walkTenants(ctx, where, ALL), matches)) {
		total += rows.length;
	}
	return total;
}

function find(
	ctx: StoreContext,
	{ where, matches }: TenantSearch,
	part: { offset: number; limit: number },
): AsyncGenerator<TenantRow[]> {
	if (!matches) return walkTenants(ctx, where, part);
	return sliceBatches(filterBatches(walkTenants(ctx, where, ALL), matches), part);
}

async function* filterBatches(
	batches: AsyncGenerator<TenantRow[]>,
	matches: (row: TenantRow) => boolean,
): AsyncGenerator<TenantRow[]> {
	for await (const rows of batches) yield rows.filter(matches);
}

async function* toTenants(batches: AsyncGenerator<TenantRow[]>): AsyncGenerator<Tenant[]> {
	for await (const rows of batches) yield rows.map(toTenant);
}

interface TenantSearch {
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
function searchFor(text: string | undefined): TenantSearch {
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
