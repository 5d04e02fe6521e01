import type { DBAdapter, Where } from "@better-auth/core/db/adapter";

const BATCH = 100;

type ProviderOwner = { id: string; tenantId: string; rowId: string };

/** Which tenants have an identity provider, in batches. */
export async function* listProviderOwners(
	adapter: Pick<DBAdapter, "findMany">,
): AsyncGenerator<ProviderOwner[]> {
	let after: Where[] = [];
	for (;;) {
		const owners = await adapter.findMany<ProviderOwner>({
			model: "tenantRow",
			where: [{ field: "model", value: "ssoProvider" }, ...after],
			sortBy: { field: "id", direction: "asc" },
			limit: BATCH,
		});
		yield owners;
		const last = owners.at(-1);
		if (!last || owners.length < BATCH) return;
		after = [{ field: "id", operator: "gt", value: last.id }];
	}
}
