import type { DBAdapter, Where } from "@better-auth/core/db/adapter";
import { idOf, inBatches, withIds } from "../scope/row-register";
import type { Breathe } from "./breather";

const BATCH = 100;

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
	for (const ids of inBatches(rows.map(idOf))) {
		await adapter.deleteMany({ model, where: [withIds(ids)] });
		await breathe();
	}
}
