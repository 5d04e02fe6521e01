import type { AuthContext } from "@better-auth/core";
import type { Where } from "@better-auth/core/db/adapter";
import { createThrottle } from "../database/throttle";
import type { OAuthConfigRow } from "./config";

const BATCH = 100;

/**
 * All configs of all tenants, ordered by id. Each batch starts after the last one. So all batches cost
 * the same, and none is skipped when rows are deleted meanwhile.
 */
export async function* walkConfigs(
	ctx: Pick<AuthContext, "adapter">,
): AsyncGenerator<OAuthConfigRow> {
	const throttle = createThrottle();
	let behind: Where[] = [];
	for (;;) {
		const rows = await ctx.adapter.findMany<OAuthConfigRow>({
			model: "tenantOauthConfig",
			where: behind,
			sortBy: { field: "id", direction: "asc" },
			limit: BATCH,
		});
		yield* rows;
		const last = rows.at(-1);
		if (!last || rows.length < BATCH) return;
		behind = [{ field: "id", operator: "gt", value: last.id }];
		await throttle();
	}
}
