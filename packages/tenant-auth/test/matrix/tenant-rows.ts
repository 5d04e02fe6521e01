import type { Instance } from "../support/instance";
import { readTables } from "../support/sqlite-rows";

type Row = Record<string, unknown>;
type Tables = ReturnType<typeof readTables>;
type Sqlite = Pick<Instance, "database">;

/** Tells a tenant's rows: by their column, or by what is noted of other plugins' tables. */
function ownership(tables: Tables, tenantId: string): (table: string, row: Row) => boolean {
	const notes = tables.find(({ name }) => name === "tenantRow")?.rows ?? [];
	const noted = new Set(
		notes.filter((note) => note.tenantId === tenantId).map((note) => `${note.model} ${note.rowId}`),
	);
	return (table, row) =>
		row.tenantId === tenantId ||
		(table === "tenant" && row.id === tenantId) ||
		noted.has(`${table} ${row.id}`);
}

/** Every row of a tenant, in every table. */
export function rowsOf(instance: Sqlite, tenantId: string): string[] {
	return splitRows(instance, tenantId).own;
}

/** Every row, those of the tenant apart from all others. */
export function splitRows(instance: Sqlite, tenantId: string) {
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

/** What stands in a tenant's rows and in nobody else's, but for its own id and name. */
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
