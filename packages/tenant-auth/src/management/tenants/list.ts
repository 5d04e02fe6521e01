import type { TenantRow } from "../../call/context/tenant";
import type { OrderedPart } from "../../database/counted-page";
import { findSearchedPage, type SearchedPage } from "../../database/searched-list";
import type { TextSort } from "../../database/sorted-pages";
import type { StoreContext } from "./store";
import { STATUS_CONDITIONS, type Tenant, type TenantStatus, toTenant } from "./tenant";

interface TenantPart extends OrderedPart {
	status?: TenantStatus | undefined;
	search?: string | undefined;
	sort?: TextSort | undefined;
}

/** The search covers name and slug. */
export async function listTenantPage(
	ctx: StoreContext,
	{ search: text, first, fallingIds, status, sort, ...part }: TenantPart,
): Promise<SearchedPage<Tenant>> {
	const where = status ? [STATUS_CONDITIONS[status]] : [];
	const page = await findSearchedPage<"name" | "slug", TenantRow>(
		{ ctx, model: "tenant", where, first, fallingIds, sort },
		{
			text,
			fields: ["name", "slug"],
			indexed: [
				{ field: "slug", isUnique: true },
				// Also without an index: there are few tenants, compared with users.
				{ field: "name", isUnique: false },
			],
		},
		part,
	);
	return { ...page, rows: page.rows.map(toTenant) };
}
