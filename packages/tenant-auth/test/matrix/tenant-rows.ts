import type { Instance } from "../support/instance";

type Row = Record<string, unknown>;
type Tables = { name: string; rows: Row[] }[];
type Sqlite = Pick<Instance, "database">;

function readTables({ database }: Sqlite): Tables {
	const names = database
		.prepare("select name from sqlite_master where type = 'table' and name not like 'sqlite_%'")
		.all() as { name: string }[];
	return names.map(({ name }) => ({
		name,
		rows: database.prepare(`select * from "${name}"`).all() as Row[],
	}));
}

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
	return dump(instance, tenantId, true);
}

/** Every row that is not the tenant's. */
export function rowsOfOthers(instance: Sqlite, tenantId: string): string[] {
	return dump(instance, tenantId, false);
}

function dump(instance: Sqlite, tenantId: string, own: boolean): string[] {
	const tables = readTables(instance);
	const isOwn = ownership(tables, tenantId);
	return tables.flatMap(({ name, rows }) =>
		rows
			.filter((row) => isOwn(name, row) === own)
			.map((row) => `${name} ${JSON.stringify(row, (_, value) => readable(value))}`),
	);
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

/** Making two tenants takes a while; putting their few rows back does not. */
export function saveRows({ database }: Sqlite): () => void {
	const saved = readTables({ database });
	return () => {
		database.exec("pragma foreign_keys = off");
		for (const { name, rows } of saved) {
			database.prepare(`delete from "${name}"`).run();
			for (const row of rows) {
				const columns = Object.keys(row).map((column) => `"${column}"`);
				const marks = columns.map(() => "?").join(", ");
				const sql = `insert into "${name}" (${columns.join(", ")}) values (${marks})`;
				database.prepare(sql).run(...Object.values(row));
			}
		}
		database.exec("pragma foreign_keys = on");
	};
}
