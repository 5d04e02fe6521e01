import { existsSync } from "node:fs";
import { planUpgrade, type UpgradePlan } from "better-auth-tenant/upgrade";
import { Kysely, SqliteDialect } from "kysely";
import Libsql from "libsql";
import { authOptions } from "../auth";
import { createDailyCounts, dailyCountsTable } from "../counts/daily-counts-table";
import { locked } from "../database/migrate";
import { type AuthDatabase, openDatabase } from "../database/open-database";
import { openRedis, type RedisStore } from "../redis";
import { type Configuration, partsOn } from "./configuration";

const patienceMs = 15_000;

export type Upgrade = Pick<UpgradePlan, "database" | "statements" | "storageEntries" | "notes"> & {
	refusals: string[];
	run: () => Promise<void>;
};

/** Looks at the database, which is changed by `run` alone. Of a file that is not there none is made. */
export async function withUpgrade<T>(
	configuration: Configuration,
	work: (upgrade: Upgrade) => Promise<T>,
): Promise<T> {
	const database = openForUpgrade(configuration);
	try {
		return await work(await planOn(configuration, database));
	} finally {
		await database.db.destroy();
	}
}

async function planOn(configuration: Configuration, database: AuthDatabase): Promise<Upgrade> {
	const { config, log } = configuration;
	const { redisUrl } = config.settings;
	const planWith = (redis: RedisStore | null) =>
		planUpgrade(authOptions(config, partsOn(configuration, database, redis)));
	const plan = await planWith(redisUrl ? namedRedis : null);
	const own = await ownStatements(database);
	return {
		database: plan.database,
		refusals: plan.blockers,
		notes: plan.notes,
		storageEntries: plan.storageEntries,
		statements: [...plan.statements, ...own],
		run: () =>
			alone(database, async () => {
				const opened = redisUrl && plan.storageEntries > 0 ? await openRedis(redisUrl, log) : null;
				try {
					// Plan again: another process may have run the upgrade in the meantime.
					await (await planWith(opened ?? (redisUrl ? namedRedis : null))).run();
				} finally {
					await opened?.close();
				}
				await createDailyCounts(database.db);
			}),
	};
}

/** The lock is held by one connection, the work done by another; on SQLite the work is a lock. */
async function alone(database: AuthDatabase, work: () => Promise<void>): Promise<void> {
	await (database.type === "sqlite" ? work() : locked(database, work));
}

async function ownStatements({ db }: AuthDatabase) {
	const builder = dailyCountsTable(db);
	const tables = await db.introspection.getTables();
	if (tables.some(({ name }) => name === "service_daily_count")) return [];
	return [{ sql: builder.compile().sql, reason: "the service's own counts" }];
}

/**
 * The server's own dialect for SQLite begins transactions by itself; an upgrade has to begin its own,
 * with settings that hold for the connection.
 */
function openForUpgrade({ config, log }: Configuration): AuthDatabase {
	const { database } = config.settings;
	if (database.type !== "sqlite") return openDatabase(config.settings, log);
	const file = existsSync(database.file) ? database.file : ":memory:";
	const dialect = new SqliteDialect({ database: new Libsql(file, { timeout: patienceMs }) });
	return { db: new Kysely({ dialect }), type: "sqlite", transaction: true };
}

const notAsked = () => Promise.reject(new Error("A plan asks Redis nothing"));

/** Which tables there are depends on whether there is a Redis, and on nothing that it holds. */
const namedRedis: RedisStore = {
	storage: {
		get: notAsked,
		set: notAsked,
		delete: notAsked,
		getAndDelete: notAsked,
		increment: notAsked,
	},
	ask: notAsked,
	close: async () => {},
};
