import { createHash, randomBytes } from "node:crypto";
import { getCurrentAdapter } from "@better-auth/core/context";
import type { AuthContext } from "better-auth";
import { recordUse } from "./last-use";
import type { Scope } from "./permissions";
import type { KeyRow } from "./schema";

const MODEL = "operatorKey";
/** Tools that look for leaked secrets can recognize it. */
const PREFIX = "tak_";
const START_LENGTH = PREFIX.length + 4;

type Database = Pick<AuthContext, "adapter">;

export type OperatorKey = Omit<KeyRow, "digest" | "scopes"> & { scopes: Scope[] };

export const isOperatorKey = (text: string): boolean => text.startsWith(PREFIX);

/** A long random key needs no slow hash: nobody can guess it. */
const digestOf = (key: string) => createHash("sha256").update(key).digest("hex");

function toKey({ digest: _, scopes, ...row }: KeyRow): OperatorKey {
	return { ...row, scopes: JSON.parse(scopes) as Scope[] };
}

type NewKey = Pick<OperatorKey, "name" | "scopes" | "tenantId" | "expiresAt" | "createdBy">;

/** @returns the key itself too, which is known only now */
export async function createKey(
	context: Database,
	{ scopes, ...key }: NewKey,
): Promise<{ key: string; stored: OperatorKey }> {
	const secret = PREFIX + randomBytes(32).toString("base64url");
	const adapter = await getCurrentAdapter(context.adapter);
	const row = await adapter.create<Omit<KeyRow, "id">, KeyRow>({
		model: MODEL,
		data: {
			...key,
			scopes: JSON.stringify(scopes),
			digest: digestOf(secret),
			start: secret.slice(0, START_LENGTH),
			createdAt: new Date(),
			lastUsedAt: null,
		},
	});
	return { key: secret, stored: toKey(row) };
}

const MAX_KEYS = 1000;

/** Newest first. */
export async function listKeys({ adapter }: Database): Promise<OperatorKey[]> {
	const rows = await adapter.findMany<KeyRow>({
		model: MODEL,
		sortBy: { field: "createdAt", direction: "desc" },
		limit: MAX_KEYS,
	});
	return rows.map(toKey);
}

/**
 * Finds a key that is valid now. It is read each time, so that a revoked key is refused at once by all
 * servers.
 */
export async function findValidKey(
	context: Database & Pick<AuthContext, "logger">,
	by: { key: string } | { id: string },
): Promise<OperatorKey | null> {
	const where =
		"key" in by ? { field: "digest", value: digestOf(by.key) } : { field: "id", value: by.id };
	const row = await context.adapter.findOne<KeyRow>({ model: MODEL, where: [where] });
	if (!row || (row.expiresAt && row.expiresAt <= new Date())) return null;
	await recordUse(context, MODEL, row);
	return toKey(row);
}

/** @returns the key that was revoked; `null` if there is none */
export async function revokeKey(context: Database, id: string): Promise<OperatorKey | null> {
	const adapter = await getCurrentAdapter(context.adapter);
	const where = [{ field: "id", value: id }];
	const row = await adapter.findOne<KeyRow>({ model: MODEL, where });
	if (!row) return null;
	await adapter.delete({ model: MODEL, where });
	return toKey(row);
}
