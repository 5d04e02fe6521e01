import type { TenantRow } from "../../call/context/tenant";
import { countRows, type Listing, walkRows } from "../../database/pages";
import { searchFor } from "../../database/search";
import {
	type CountedPart,
	findSearchedPage,
	type Search,
	type SearchedPage,
	searchLongList,
} from "../../database/searched-list";
import type { StoreContext } from "./store";
import { type Tenant, toTenant } from "./tenant";

type Order = Pick<Listing<never>, "first" | "fallingIds">;

export interface TenantList {
	/** Number of all tenants that match; `null` if they were not counted. */
	total: number | null;
	/** Number of tenants in the batches, unless it changes meanwhile. */
	length: number;
	batches: AsyncGenerator<Tenant[]>;
	isLimited: boolean;
}

const searchOf = (text: string | undefined): Search<"name" | "slug"> => ({
	text,
	fields: ["name", "slug"],
	indexed: "slug",
});

const listingOf = (ctx: StoreContext, { first, fallingIds }: Order): Listing<TenantRow> => ({
	...{ ctx, model: "tenant", where: [], first, fallingIds },
});

/** The search covers name and slug. */
export async function listTenantPage(
	ctx: StoreContext,
	{ search, first, fallingIds, ...part }: CountedPart & Order & { search?: string | undefined },
): Promise<SearchedPage<Tenant>> {
	const listing = listingOf(ctx, { first, fallingIds });
	const page = await findSearchedPage(listing, searchOf(search), part);
	return { ...page, rows: page.rows.map(toTenant) };
}

/** Without a limit it lists all: the adapter's default page of 100 must not cut it. */
export async function listTenantsInBatches(
	ctx: StoreContext,
	part: Order & {
		search?: string | undefined;
		limit?: number | undefined;
		offset: number;
		countsTotal: boolean;
	},
): Promise<TenantList> {
	const { offset, limit = Number.POSITIVE_INFINITY } = part;
	const listing = listingOf(ctx, part);
	const search = searchOf(part.search);
	const matches = await searchLongList(listing, search);
	if (matches) {
		const wanted = matches.slice(offset, offset + limit);
		const batches = toTenants([wanted]);
		return { total: matches.length, length: wanted.length, batches, isLimited: true };
	}
	const found: Listing<TenantRow> = { ...listing, ...searchFor(search.text, search.fields) };
	const total = part.countsTotal ? await countRows(found) : null;
	const length = Math.max(0, Math.min(limit, (total ?? Number.POSITIVE_INFINITY) - offset));
	const batches = toTenants(walkRows(found, { offset, limit: length }));
	return { total, length, batches, isLimited: false };
}

async function* toTenants(
	batches: Iterable<TenantRow[]> | AsyncIterable<TenantRow[]>,
): AsyncGenerator<Tenant[]> {
	for await (const rows of batches) yield rows.map(toTenant);
}
