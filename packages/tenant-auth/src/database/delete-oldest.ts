import type { AuthContext } from "@better-auth/core";
import type { Where } from "@better-auth/core/db/adapter";
import { createThrottle } from "./throttle";

const BATCH = 250;

/**
 * Deletes the rows whose date is before another, in batches with pauses. The oldest come first: an index has
 * them in this order.
 */
export async function deleteOldest(
	{ adapter }: AuthContext,
	model: string,
	field: string,
	before: Date,
	{ more = [], signal }: { more?: Where[]; signal?: AbortSignal | undefined },
): Promise<number> {
	const throttle = createThrottle();
	const where: Where[] = [...more, { field, operator: "lt", value: before }];
	const sortBy = { field, direction: "asc" } as const;
	let total = 0;
	while (!signal?.aborted) {
		const rows = await adapter.findMany<{ id: string }>({ model, where, sortBy, limit: BATCH });
		if (rows.length === 0) return total;
		await throttle();
		const ids = rows.map(({ id }) => id);
		const byId: Where = { field: "id", operator: "in", value: ids };
		total += await adapter.deleteMany({ model, where: [byId] });
		await throttle();
		if (rows.length < BATCH) return total;
	}
	return total;
}
