import type * as BetterAuth from "better-auth";
import { getMigrations } from "better-auth/db/migration";
import { Kysely, SqliteDialect } from "kysely";
import Database from "libsql";
import { vi } from "vitest";
import type { App } from "../http/browser";
import { cheapPasswords } from "./cheap-passwords";
import type { Rows } from "./instance";

// Also with `TEST_STATEMENTS=fast`, which changes how many statements every other instance needs.
const { betterAuth } = await vi.importActual<typeof BetterAuth>("better-auth");

export const ORIGIN = "https://app.example.com";

export interface CountedApp extends App {
	db: Kysely<Rows>;
	/** How many statements the app sends meanwhile. Those around a transaction do not count. */
	count(work: () => Promise<unknown>): Promise<number>;
}

/** Better Auth on a database in memory that counts what it is asked. */
export async function makeCountedApp(
	options: Pick<BetterAuth.BetterAuthOptions, "plugins" | "socialProviders">,
	{ joins = false } = {},
): Promise<CountedApp> {
	let statements = 0;
	const db = new Kysely<Rows>({
		dialect: new SqliteDialect({ database: new Database(":memory:") }),
		log: ({ query }) => {
			if (!/^(begin|commit|rollback)/.test(query.sql)) statements += 1;
		},
	});
	const complete = {
		secret: "a secret of thirty-two characters or more",
		logger: { disabled: true },
		telemetry: { enabled: false },
		emailAndPassword: cheapPasswords,
		...options,
		baseURL: ORIGIN,
		database: { db, type: "sqlite", transaction: true },
		// The check of the tables would be counted among the first statements.
		advanced: { database: { validateSchema: false, ...(joins ? { joins } : {}) } },
	} satisfies BetterAuth.BetterAuthOptions;
	await (await getMigrations(complete)).runMigrations();
	const auth = betterAuth(complete);
	return {
		baseURL: `${ORIGIN}/api/auth`,
		handler: auth.handler,
		db,
		async count(work) {
			const before = statements;
			await work();
			return statements - before;
		},
	};
}
