import type { BetterAuthOptions } from "better-auth";
import { isMemoryStorage } from "../support/databases/memory-storage";
import { readTables, watchRows } from "../support/databases/sqlite-rows";
import type { Instance } from "../support/worlds/instance";

type Row = Record<string, unknown>;
type SecondaryStorage = BetterAuthOptions["secondaryStorage"];
type Tables = ReturnType<typeof readTables>;
type Stores = Pick<Instance, "database"> & { options: Pick<Instance["options"], never> };

/** The rows of the database, and the entries of a secondary storage as rows of a table. */
function readStores(instance: Stores): Tables {
	const tables = readTables(instance);
	const { secondaryStorage }: { secondaryStorage?: SecondaryStorage } = instance.options;
	if (!isMemoryStorage(secondaryStorage)) return tables;
	const rowsOf = (table: string) => tables.find(({ name }) => name === table)?.rows ?? [];
	const owners = new Map([
		...rowsOf("tenant").map(({ id }) => [String(id), id] as const),
		...rowsOf("user").map(({ id, tenantId }) => [String(id), tenantId] as const),
	]);
	/** By its key, or else by its value, which may also contain what another tenant sent. */
	const ownerOf = (id: string, value: string) => {
		const owner = [...owners].find(([text]) => id.includes(text));
		if (owner || id.includes("@")) return owner?.[1];
		return [...owners].find(([text]) => value.includes(text))?.[1];
	};
	const rows = secondaryStorage
		.entries()
		.map(([id, value]) => ({ id, value, tenantId: ownerOf(id, value) ?? "" }));
	return [...tables, { name: "storage", rows }];
}

/** Tells whether anything was written to a store since the last call. */
export function watchStores(instance: Stores): () => boolean {
	const hasChanged = watchRows(instance);
	const { secondaryStorage }: { secondaryStorage?: SecondaryStorage } = instance.options;
	const count = () => (isMemoryStorage(secondaryStorage) ? secondaryStorage.changes() : 0);
	const before = count();
	return () => hasChanged() || count() !== before;
}

/** Tells whether a row belongs to the tenant: by its column, or by the row owners in `tenantRow`. */
function ownership(tables: Tables, tenantId: string): (table: string, row: Row) => boolean {
	const owners = tables.find(({ name }) => name === "tenantRow")?.rows ?? [];
	const owned = new Set(
		owners.filter((it) => it.tenantId === tenantId).map((it) => `${it.model} ${it.rowId}`),
	);
	return (table, row) =>
		row.tenantId === tenantId ||
		(table === "tenant" && row.id === tenantId) ||
		owned.has(`${table} ${row.id}`);
}

export type SplitRows = Record<"own" | "others", string[]>;

/** Reads every row as text, and separates those of the tenant from all others. */
export function splitRows(instance: Stores, tenantId: string): SplitRows {
	const tables = readStores(instance);
	const isOwn = ownership(tables, tenantId);
	const [own, others]: [string[], string[]] = [[], []];
	for (const { name, rows } of tables) {
		for (const row of rows) {
			const text = `${name} ${JSON.stringify(row, (_, value) => readable(value))}`;
			(isOwn(name, row) ? own : others).push(text);
		}
	}
	return { own, others };
}

const readable = (value: unknown) => (value instanceof Uint8Array ? [...value].join() : value);

/** The values that only rows of the tenant contain, except its id and its name. */
export function secretsOfRows(instance: Stores, tenantId: string): string[] {
	const tables = readStores(instance);
	const isOwn = ownership(tables, tenantId);
	const [own, others] = [new Set<string>(), new Set<string>()];
	for (const { name, rows } of tables) {
		for (const row of rows) {
			const of = isOwn(name, row) && name !== "tenant" ? own : others;
			for (const value of Object.values(row)) if (isTelling(value)) of.add(value);
		}
	}
	return [...own].filter((value) => value !== tenantId && !others.has(value));
}

const isTelling = (value: unknown): value is string =>
	typeof value === "string" && value.length >= 8 && !/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value);
