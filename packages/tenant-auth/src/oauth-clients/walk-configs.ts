import type { AuthContext } from "@better-auth/core";
import type { Where } from "@better-auth/core/db/adapter";
import { createThrottle } from "../database/throttle";
import type { OAuthConfigRow } from "./config";

const BATCH = 100;

/**
 * Every config of every tenant, in the order of their ids. Each batch begins behind the last: it costs
 * the same at the end as at the start, and what is deleted meanwhile makes it skip none.
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
