import type { AuthContext } from "@better-auth/core";
import { safeJSONParse } from "@better-auth/core/utils/json";
import { PLATFORM } from "../../call/context/tenant";
import { OWNER_TABLES, STORED_TOKENS } from "../../call/foreign";
import { ownKey } from "../../isolation/storage";
import { requireStorage } from "../../isolation/stored-sessions";
import { conflict, type MoveConflict } from "./conflicts";
import type { OwnedRows } from "./owned-rows";

const { table, keysOf, listKeyOf } = STORED_TOKENS;

const ownKeyOf = (key: string) => ownKey(key, PLATFORM);
const listKeysIn = (rows: OwnedRows) =>
	OWNER_TABLES.flatMap(rows.ids).map((ownerId) => ({ ownerId, key: ownKeyOf(listKeyOf(ownerId)) }));

/** API keys that only a secondary storage has cannot move in a transaction. */
export async function findStoredApiKeys(
	ctx: AuthContext,
	rows: OwnedRows,
): Promise<MoveConflict[]> {
	const storage = ctx.options.secondaryStorage;
	if (!storage || !ctx.tables[table]) return [];
	const conflicts: MoveConflict[] = [];
	for (const { ownerId, key } of listKeysIn(rows)) {
		const stored: unknown = await requireStorage(ctx, async () => storage.get(key));
		const ids: unknown = typeof stored === "string" ? safeJSONParse(stored) : stored;
		const lost = (Array.isArray(ids) ? ids : []).filter((id) => !rows.has(table, String(id)));
		const userId = rows.has("user", ownerId) ? ownerId : null;
		const message = "The API key is in the secondary storage only: delete it first";
		for (const id of lost) {
			conflicts.push(conflict("API_KEY_IN_STORAGE", message, { userId, model: table, id }));
		}
	}
	return conflicts;
}

/** Deletes the copies that a secondary storage has of moved API keys. */
export async function forgetStoredApiKeys(ctx: AuthContext, rows: OwnedRows): Promise<void> {
	const storage = ctx.options.secondaryStorage;
	if (!storage || !ctx.tables[table]) return;
	const keys = rows.of(table).flatMap(keysOf).map(ownKeyOf);
	await requireStorage(ctx, async () => {
		for (const key of [...keys, ...listKeysIn(rows).map(({ key }) => key)])
			await storage.delete(key);
	});
}
