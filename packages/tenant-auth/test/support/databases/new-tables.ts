import type { BetterAuthOptions } from "better-auth";
import { getSchema } from "better-auth/db";
import { getMigrations } from "better-auth/db/migration";
import type { Instance } from "../worlds/instance";

/** What creates the tables of a schema, after migrations have created them once in this process. */
const scripts = new Map<string, string>();

/** Creates the tables of an app in an empty SQLite database. */
export async function createTables(
	options: BetterAuthOptions,
	{ database }: Pick<Instance, "database">,
): Promise<void> {
	const { generateId } = options.advanced?.database ?? {};
	const key = JSON.stringify([getSchema(options), String(generateId)]);
	const script = scripts.get(key);
	if (script) {
		database.exec(script);
		return;
	}
	await (await getMigrations(options)).runMigrations();
	const made = database
		.prepare("select sql from sqlite_master where sql is not null order by rowid")
		.all() as { sql: string }[];
	scripts.set(key, made.map(({ sql }) => sql).join(";\n"));
}
