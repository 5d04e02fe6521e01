import type { AuthContext } from "@better-auth/core";
import type { Kysely } from "kysely";
import type { Rows } from "../worlds/instance";

type Row = Record<string, unknown>;

/** What stands in the database, past Better Auth and past the plugin, under Better Auth's names. */
export interface RawRows {
	find(model: string, field: string, value: unknown): Promise<Row[]>;
	insert(model: string, rows: Row[]): Promise<void>;
}

export function sqlRows(
	db: Kysely<Rows>,
	tables: AuthContext["tables"],
	usePlural = false,
): RawRows {
	const tableOf = (model: string) => `${tables[model]?.modelName ?? model}${usePlural ? "s" : ""}`;
	const fieldsOf = (model: string) => Object.entries(tables[model]?.fields ?? {});
	const columnOf = (model: string, field: string) =>
		tables[model]?.fields[field]?.fieldName ?? field;
	const fieldOf = (model: string, column: string) =>
		fieldsOf(model).find(([, { fieldName }]) => fieldName === column)?.[0] ?? column;
	const renamed = (row: Row, nameOf: (name: string) => string) =>
		Object.fromEntries(Object.entries(row).map(([name, value]) => [nameOf(name), value]));
	return {
		find: async (model, field, value) => {
			const query = db.selectFrom(tableOf(model)).selectAll();
			const rows = await query.where(columnOf(model, field), "=", value).execute();
			return rows.map((row) => renamed(row, (column) => fieldOf(model, column)));
		},
		insert: async (model, rows) => {
			const values = rows.map((row) => renamed(row, (field) => columnOf(model, field)));
			await db.insertInto(tableOf(model)).values(values).execute();
		},
	};
}
