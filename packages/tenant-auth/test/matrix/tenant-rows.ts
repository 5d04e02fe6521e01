import type { Instance } from "../support/instance";
import { readTables } from "../support/sqlite-rows";

type Row = Record<string, unknown>;
type Tables = ReturnType<typeof readTables>;
type Sqlite = Pick<Instance, "database">;

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
export function splitRows(instance: Sqlite, tenantId: string): SplitRows {
	const tables = readTables(instance);
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
export function secretsOfRows(instance: Sqlite, tenantId: string): string[] {
	const tables = readTables(instance);
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
