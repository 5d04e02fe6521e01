import { existsSync } from "node:fs";
import { type Auth, createAuth } from "../auth";
import { openDatabase } from "../database/open-database";
import { openRedis } from "../redis";
import { type Configuration, partsOn, readConfiguration, requireSecret } from "./configuration";
import { Failure } from "./failure";
import { withUpgrade } from "./upgrade";

/**
 * Runs `work` on the server's database, and on its Redis: sessions that a command ends must end there
 * too. Calls of `auth.api` without headers are the operator's, and the audit log says so.
 */
export async function withAuth<T>(work: (auth: Auth) => Promise<T>): Promise<T> {
	const configuration = readConfiguration();
	requireSecret(configuration.config);
	await requireUpToDate(configuration);
	return openAuth(configuration, work);
}

/** For a database that is known to be up to date. */
export async function openAuth<T>(
	configuration: Configuration,
	work: (auth: Auth) => Promise<T>,
): Promise<T> {
	const { config, log } = configuration;
	const { redisUrl } = config.settings;
	const database = openDatabase(config.settings, log);
	try {
		const redis = redisUrl ? await openRedis(redisUrl, log) : null;
		try {
			const auth = createAuth(config, partsOn(configuration, database, redis));
			await auth.$context;
			return await work(auth);
		} finally {
			await redis?.close();
		}
	} finally {
		await database.db.destroy();
	}
}

/** A command must not change tables under servers that are of another version. */
async function requireUpToDate(configuration: Configuration): Promise<void> {
	const { database } = configuration.config.settings;
	if (database.type === "sqlite" && !existsSync(database.file)) {
		throw new Failure(`There is no database at ${database.file} yet: run migrate.`, {
			code: "NO_DATABASE",
		});
	}
	await withUpgrade(configuration, async ({ statements, refusals }) => {
		if (statements.length + refusals.length === 0) return;
		throw new Failure("The database is not up to date: run migrate.", { code: "NOT_MIGRATED" });
	});
}
