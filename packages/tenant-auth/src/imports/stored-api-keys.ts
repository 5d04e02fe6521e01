import type { AuthContext } from "@better-auth/core";
import { safeJSONParse } from "@better-auth/core/utils/json";
import { PLATFORM } from "../context/tenant";
import { idOf } from "../isolation/row-owners";
import { ownKey } from "../isolation/storage";
import { requireStorage } from "../isolation/stored-sessions";
import { conflict, type MoveConflict } from "./conflicts";
import type { OwnedRows } from "./owned-rows";

/** Keys of the api-key plugin in a secondary storage. */
const listKey = (ownerId: string) => ownKey(`api-key:by-ref:${ownerId}`, PLATFORM);
const keysOf = (row: { id: string; key: unknown }) => [
	ownKey(`api-key:${row.key}`, PLATFORM),
	ownKey(`api-key:by-id:${row.id}`, PLATFORM),
];

const ownersIn = (rows: OwnedRows) => [...rows.ids("user"), ...rows.ids("organization")];

/** API keys that only a secondary storage has cannot move in a transaction. */
export async function findStoredApiKeys(
	ctx: AuthContext,
	rows: OwnedRows,
): Promise<MoveConflict[]> {
	const storage = ctx.options.secondaryStorage;
	if (!storage || !ctx.tables.apikey) return [];
	const conflicts: MoveConflict[] = [];
	for (const ownerId of ownersIn(rows)) {
		const stored: unknown = await requireStorage(ctx, async () => storage.get(listKey(ownerId)));
		const ids: unknown = typeof stored === "string" ? safeJSONParse(stored) : stored;
		const lost = (Array.isArray(ids) ? ids : []).filter((id) => !rows.has("apikey", String(id)));
		const userId = rows.has("user", ownerId) ? ownerId : null;
		const message = "The API key is in the secondary storage only: delete it first";
		for (const id of lost) {
			conflicts.push(conflict("API_KEY_IN_STORAGE", message, { userId, model: "apikey", id }));
		}
	}
	return conflicts;
}

/** Deletes the copies that a secondary storage has of moved API keys. */
export async function forgetStoredApiKeys(ctx: AuthContext, rows: OwnedRows): Promise<void> {
	const storage = ctx.options.secondaryStorage;
	if (!storage || !ctx.tables.apikey) return;
	const keys = rows.of("apikey").flatMap((row) => keysOf({ id: idOf(row), key: row.key }));
	await requireStorage(ctx, async () => {
		for (const key of [...keys, ...ownersIn(rows).map(listKey)]) await storage.delete(key);
	});
}
