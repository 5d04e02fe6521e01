import type { DBAdapter, Where } from "@better-auth/core/db/adapter";
import type { Throttle } from "../database/throttle";
import { idOf, withIds } from "../isolation/row-owners";

/** Small, so that a statement takes no longer than a small request: on SQLite all others wait. */
export const BATCH = 25;

/** Deletes the rows that a condition finds, in small batches: no statement holds locks for long. */
export async function purgeRows(
	adapter: DBAdapter,
	model: string,
	where: Where[],
	throttle: Throttle,
): Promise<void> {
	for (;;) {
		const rows = await adapter.findMany({ model, where, select: ["id"], limit: BATCH });
		await throttle();
		await deleteRows(adapter, model, rows, throttle);
		if (rows.length < BATCH) return;
	}
}

export async function deleteRows(
	adapter: DBAdapter,
	model: string,
	rows: unknown[],
	throttle: Throttle,
): Promise<void> {
	for (let start = 0; start < rows.length; start += BATCH) {
		const ids = rows.slice(start, start + BATCH).map(idOf);
		await adapter.deleteMany({ model, where: [withIds(ids)] });
		await throttle();
	}
}
