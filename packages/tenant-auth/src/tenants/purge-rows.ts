import type { DBAdapter, Where } from "@better-auth/core/db/adapter";
import type { Breathe } from "../database/throttle";
import { idOf, withIds } from "../isolation/row-owners";

/** So few that a statement takes no longer than a small request: on SQLite all others wait for it. */
export const BATCH = 25;

/** Deletes what a condition finds, few rows at a time: no statement is long, none holds locks for long. */
export async function eraseRows(
	adapter: DBAdapter,
	model: string,
	where: Where[],
	breathe: Breathe,
): Promise<void> {
	for (;;) {
		const rows = await adapter.findMany({ model, where, select: ["id"], limit: BATCH });
		await breathe();
		await deleteRows(adapter, model, rows, breathe);
		if (rows.length < BATCH) return;
	}
}

export async function deleteRows(
	adapter: DBAdapter,
	model: string,
	rows: unknown[],
	breathe: Breathe,
): Promise<void> {
	for (let start = 0; start < rows.length; start += BATCH) {
		const ids = rows.slice(start, start + BATCH).map(idOf);
		await adapter.deleteMany({ model, where: [withIds(ids)] });
		await breathe();
	}
}
