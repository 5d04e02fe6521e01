import type { Kysely } from "kysely";
import type { Rows } from "./instance";

type Row = Record<string, unknown>;

/** What stands in the database, past Better Auth and past the plugin. */
export interface RawRows {
	find(table: string, column: string, value: unknown): Promise<Row[]>;
	insert(table: string, rows: Row[]): Promise<void>;
}

export function sqlRows(db: Kysely<Rows>): RawRows {
	return {
		find: (table, column, value) =>
			db.selectFrom(table).selectAll().where(column, "=", value).execute(),
		insert: async (table, rows) => {
			await db.insertInto(table).values(rows).execute();
		},
	};
}
