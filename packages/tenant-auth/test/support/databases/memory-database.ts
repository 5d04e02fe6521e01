import { memoryAdapter } from "better-auth/adapters/memory";
import { getAuthTables } from "better-auth/db";
import {
	DummyDriver,
	Kysely,
	SqliteAdapter,
	SqliteIntrospector,
	SqliteQueryCompiler,
} from "kysely";
import type { Rows } from "../worlds/instance";
import type { OpenDatabase } from "./databases";

/** There is no SQL behind it. */
const nowhere = new Kysely<Rows>({
	dialect: {
		createAdapter: () => new SqliteAdapter(),
		createDriver: () => new DummyDriver(),
		createIntrospector: (db) => new SqliteIntrospector(db),
		createQueryCompiler: () => new SqliteQueryCompiler(),
	},
});

/** Better Auth's own adapter over objects in memory. */
export async function openMemory(): Promise<OpenDatabase> {
	const store: Record<string, Record<string, unknown>[]> = {};
	return {
		db: nowhere,
		type: "sqlite",
		prepare: async (options) => {
			for (const { modelName } of Object.values(getAuthTables(options))) store[modelName] ??= [];
			return memoryAdapter(store);
		},
		rows: {
			find: async (table, column, value) =>
				(store[table] ?? []).filter((row) => row[column] === value),
			insert: async (table, rows) => {
				store[table]?.push(...rows);
			},
		},
		close: async () => {},
	};
}
