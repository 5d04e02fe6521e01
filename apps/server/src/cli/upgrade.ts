import { existsSync } from "node:fs";
import { planUpgrade, type UpgradePlan } from "better-auth-tenant/upgrade";
import { Kysely, SqliteDialect } from "kysely";
import Libsql from "libsql";
import { authOptions } from "../auth";
import { longNameStatements, shortenLongNames } from "../database/long-names";
import { withMigrationLock } from "../database/migrate";
import { type AuthDatabase, openDatabase } from "../database/open-database";
import { ownTables } from "../database/own-tables";
import { openRedis, type RedisStore } from "../database/redis";
import { type Configuration, createParts } from "./configuration";

const SQLITE_TIMEOUT_MS = 15_000;

export type Upgrade = Pick<UpgradePlan, "database" | "statements" | "storageEntries" | "notes"> & {
	blockers: string[];
	run: () => Promise<void>;
};

/** Plans the upgrade of the database. Only `run` changes it. A missing SQLite file is not created. */
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
		planUpgrade(authOptions(config, createParts(configuration, database, redis)));
	const plan = await planWith(redisUrl ? unusedRedis : null);
	const own = await ownStatements(database);
	return {
		database: plan.database,
		blockers: plan.blockers,
		notes: plan.notes,
		storageEntries: plan.storageEntries,
		statements: [...(await longNameStatements(database)), ...plan.statements, ...own],
		run: () =>
			withLock(database, async () => {
				await shortenLongNames(database);
				const opened = redisUrl && plan.storageEntries > 0 ? await openRedis(redisUrl, log) : null;
				try {
					// Plan again: another process may have run the upgrade in the meantime.
					await (await planWith(opened ?? (redisUrl ? unusedRedis : null))).run();
				} finally {
					await opened?.close();
				}
				for (const { create } of ownTables) await create(database.db).execute();
			}),
	};
}

/**
 * On PostgreSQL and MySQL one connection holds the lock and another one does the work. On SQLite the
 * work itself locks the database.
 */
async function withLock(database: AuthDatabase, work: () => Promise<void>): Promise<void> {
	await (database.type === "sqlite" ? work() : withMigrationLock(database, work));
}

async function ownStatements({ db }: AuthDatabase) {
	const existing = new Set((await db.introspection.getTables()).map(({ name }) => name));
	return ownTables
		.filter(({ name }) => !existing.has(name))
		.map(({ create, reason }) => ({ sql: create(db).compile().sql, reason }));
}

/**
 * The server's own SQLite dialect begins transactions by itself. An upgrade begins its own, with
 * pragmas that belong to the connection.
 */
function openForUpgrade({ config, log }: Configuration): AuthDatabase {
	const { database } = config.settings;
	if (database.type !== "sqlite") return openDatabase(config.settings, log);
	const file = existsSync(database.file) ? database.file : ":memory:";
	const dialect = new SqliteDialect({ database: new Libsql(file, { timeout: SQLITE_TIMEOUT_MS }) });
	return { db: new Kysely({ dialect }), type: "sqlite", transaction: true };
}

const mustNotBeCalled = () => Promise.reject(new Error("A plan must not read from Redis"));

/** The tables depend on whether there is a Redis, but not on its content. */
const unusedRedis: RedisStore = {
	storage: {
		get: mustNotBeCalled,
		set: mustNotBeCalled,
		delete: mustNotBeCalled,
		getAndDelete: mustNotBeCalled,
		increment: mustNotBeCalled,
	},
	counters: { increment: mustNotBeCalled, decrement: mustNotBeCalled },
	ping: mustNotBeCalled,
	readClock: mustNotBeCalled,
	forgetAll: mustNotBeCalled,
	close: async () => {},
};
