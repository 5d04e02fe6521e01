import type { AuthContext } from "@better-auth/core";
import type { Where } from "@better-auth/core/db/adapter";
import { createThrottle } from "./throttle";

/**
 * All rows of a table, ordered by id, with pauses. Each batch starts after the last one. So all batches
 * cost the same, and none is skipped when rows are deleted meanwhile.
 */
export async function* walkById<Row extends { id: string }>(
	{ adapter }: Pick<AuthContext, "adapter">,
	model: string,
	batchSize = 100,
): AsyncGenerator<Row> {
	const throttle = createThrottle();
	let behind: Where[] = [];
	for (;;) {
		const rows = await adapter.findMany<Row>({
			model,
			where: behind,
			sortBy: { field: "id", direction: "asc" },
			limit: batchSize,
		});
		yield* rows;
		const last = rows.at(-1);
		if (!last || rows.length < batchSize) return;
		behind = [{ field: "id", operator: "gt", value: last.id }];
		await throttle();
	}
}
