import { type BetterAuthOptions, betterAuth } from "better-auth";
import { getMigrations } from "better-auth/db/migration";
import { Kysely, SqliteDialect } from "kysely";
import Database from "libsql";
import type { App } from "../http/browser";

export interface PlainApp extends App {
	database: Database.Database;
	options: BetterAuthOptions;
}

/** Better Auth with a database in memory, or with the database of another app. */
export async function makePlainApp(
	options: BetterAuthOptions & { baseURL: string },
	database = new Database(":memory:"),
): Promise<PlainApp> {
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
		// In tests, Better Auth checks origins only if these are set.
		advanced: { disableOriginCheck: false, disableCSRFCheck: false, ...options.advanced },
	};
	await (await getMigrations(complete)).runMigrations();
	const auth = betterAuth(complete);
	return {
		baseURL: `${options.baseURL}/api/auth`,
		handler: auth.handler,
		database,
		options: complete,
	};
}
