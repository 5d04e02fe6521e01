import type { TenantRow } from "../context/tenant";
import { countRows, type Listing, walkRows } from "../database/pages";
import { searchFor } from "../database/search";
import type { StoreContext } from "./store";
import { type Tenant, toTenant } from "./tenant";

export interface TenantList {
	/** Number of all tenants that match. */
	total: number;
	/** Number of tenants in the batches, unless it changes meanwhile. */
	length: number;
	batches: AsyncGenerator<Tenant[]>;
}

/** Oldest first. Without a limit it lists all: the adapter's default page of 100 must not cut it. */
export async function listTenantsInBatches(
	ctx: StoreContext,
	part: { search?: string | undefined; limit?: number | undefined; offset: number },
): Promise<TenantList> {
	const search = searchFor(part.search, ["name", "slug"]);
	const listing: Listing<TenantRow> = { ctx, model: "tenant", first: "oldest", ...search };
	const total = await countRows(listing);
	const length = Math.max(0, Math.min(part.limit ?? total, total - part.offset));
	const batches = toTenants(walkRows(listing, { offset: part.offset, limit: length }));
	return { total, length, batches };
}

async function* toTenants(batches: AsyncGenerator<TenantRow[]>): AsyncGenerator<Tenant[]> {
	for await (const rows of batches) yield rows.map(toTenant);
}
