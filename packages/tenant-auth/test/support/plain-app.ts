import { type BetterAuthOptions, betterAuth } from "better-auth";
import { getMigrations } from "better-auth/db/migration";
import { Kysely, SqliteDialect } from "kysely";
import Database from "libsql";
import type { App } from "./browser";

/** Better Auth on a database in memory, or on one that another app made. */
export async function makePlainApp(
	options: BetterAuthOptions & { baseURL: string },
	database = new Database(":memory:"),
): Promise<App> {
	const complete: BetterAuthOptions = {
		secret: "a secret of thirty-two characters or more",
		logger: { disabled: true },
		telemetry: { enabled: false },
		...options,
		database: {
			db: new Kysely({ dialect: new SqliteDialect({ database }) }),
			type: "sqlite",
			transaction: true,
		},
		// Under a test runner Better Auth leaves origins unchecked unless told so.
		advanced: { disableOriginCheck: false, disableCSRFCheck: false, ...options.advanced },
	};
	await (await getMigrations(complete)).runMigrations();
	const auth = betterAuth(complete);
	return { baseURL: `${options.baseURL}/api/auth`, handler: auth.handler };
}
