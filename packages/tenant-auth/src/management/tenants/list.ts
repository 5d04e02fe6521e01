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
import type { TextSort } from "../../database/sorted-pages";
import type { StoreContext } from "./store";
import { STATUS_CONDITIONS, type Tenant, type TenantStatus, toTenant } from "./tenant";

interface Order extends Pick<Listing<never>, "first" | "fallingIds"> {
	status?: TenantStatus | undefined;
}

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
	indexed: [
		{ field: "slug", isUnique: true },
		// Also without an index: there are few tenants, compared with users.
		{ field: "name", isUnique: false },
	],
});

const listingOf = (
	ctx: StoreContext,
	{ first, fallingIds, status }: Order,
): Listing<TenantRow> => ({
	...{ ctx, model: "tenant", where: status ? [STATUS_CONDITIONS[status]] : [], first, fallingIds },
});

interface TenantPart extends CountedPart, Order {
	search?: string | undefined;
	sort?: TextSort | undefined;
}

/** The search covers name and slug. */
export async function listTenantPage(
	ctx: StoreContext,
	{ search, first, fallingIds, status, sort, ...part }: TenantPart,
): Promise<SearchedPage<Tenant>> {
	const listing = { ...listingOf(ctx, { first, fallingIds, status }), sort };
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
	const wanted = searchFor(search.text, search.fields);
	const where = [...wanted.where, ...listing.where];
	const found: Listing<TenantRow> = { ...listing, ...wanted, where };
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
