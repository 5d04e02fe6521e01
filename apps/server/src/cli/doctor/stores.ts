import { existsSync } from "node:fs";
import Libsql from "libsql";
import { clockOffset, MAX_CLOCK_OFFSET_MS, storeClocks } from "../../database/clocks";
import { type AuthDatabase, openDatabase, pingDatabase } from "../../database/open-database";
import { openRedis } from "../../database/redis";
import type { Configuration } from "../configuration";
import { count, describeError } from "../output";
import { withUpgrade } from "../upgrade";
import { type CheckResult, type Finding, resultOf, skipped } from "./check-result";

const names = { sqlite: "SQLite", postgres: "PostgreSQL", mysql: "MySQL" };

export async function checkDatabase({ config, log }: Configuration): Promise<CheckResult> {
	const { database } = config.settings;
	if (database.type === "sqlite" && !existsSync(database.file)) {
		const problem = `There is no database at ${database.file}.`;
		const remedy = "Run migrate, or start the server. If there should be one, check DATA_DIR.";
		return resultOf("database", [{ problem, remedy }], "");
	}
	let opened: AuthDatabase | undefined;
	try {
		// It fails if the disk is full.
		opened = openDatabase(config.settings, log);
		await pingDatabase(opened);
		const damage = database.type === "sqlite" ? findDamage(database.file) : null;
		if (damage === null) {
			const findings = await checkClock(storeClocks({ database: opened }).database, "the database");
			return resultOf("database", findings, `${names[database.type]} responds`);
		}
		const problem = `The SQLite file is damaged: ${damage}.`;
		return resultOf("database", [{ problem, remedy: "Stop the server and restore a backup." }], "");
	} catch (error) {
		const problem = `The database does not respond: ${reasonOf(error)}`;
		const remedy =
			database.type === "sqlite"
				? "Check DATA_DIR or DATABASE_URL, and that its disk is not full."
				: "Check DATABASE_URL, that the database is running, and that this machine can reach it.";
		return resultOf("database", [{ problem, remedy }], "");
	} finally {
		await opened?.db.destroy();
	}
}

/** Reads the whole file. The check of indexes against their tables, which takes longer, is left out. */
function findDamage(file: string): string | null {
	const connection = new Libsql(file);
	try {
		const rows = connection.prepare("PRAGMA quick_check(3)").all() as { quick_check: string }[];
		const problems = rows.map((row) => row.quick_check).filter((text) => text !== "ok");
		return problems.length > 0 ? problems.join("; ").replace(/\s+/g, " ") : null;
	} catch (error) {
		return reasonOf(error);
	} finally {
		connection.close();
	}
}

export async function checkSchema(configuration: Configuration): Promise<CheckResult> {
	try {
		return await withUpgrade(configuration, async ({ statements, blockers, notes }) => {
			const outdated = {
				problem: `${count(statements.length, "statement is", "statements are")} needed to update tables and indexes.`,
				remedy: "Print them with migrate --dry-run, make a backup, and run migrate.",
			};
			const findings = [
				...(statements.length > 0 ? [outdated] : []),
				...blockers.map((blocker) => ({
					problem: `${blocker}.`,
					remedy: "Correct it by hand. Until then migrate does not run.",
				})),
				...notes.map((note) => ({ problem: `${note}.`, remedy: "Check it by hand." })),
			];
			return resultOf("schema", findings, "tables and indexes are up to date");
		});
	} catch (error) {
		const problem = `The schema cannot be read: ${reasonOf(error)}`;
		return resultOf("schema", [{ problem, remedy: "If it is damaged, restore a backup." }], "");
	}
}

export async function checkRedis({ config, log }: Configuration): Promise<CheckResult> {
	const { redisUrl } = config.settings;
	if (!redisUrl) return skipped("redis", "REDIS_URL is not set, which is fine for one server");
	try {
		const redis = await openRedis(redisUrl, log);
		try {
			return resultOf("redis", await checkClock(redis.readClock, "Redis"), "Redis responds");
		} finally {
			await redis.close();
		}
	} catch (error) {
		const remedy = "Check REDIS_URL, that Redis is running, and that this machine can reach it.";
		return resultOf("redis", [{ problem: reasonOf(error), remedy }], "");
	}
}

/** @param readClock a store without a clock of its own has none */
export async function checkClock(
	readClock: (() => Promise<number>) | undefined,
	store: string,
): Promise<Finding[]> {
	const offset = readClock ? await clockOffset(readClock) : 0;
	if (Math.abs(offset) <= MAX_CLOCK_OFFSET_MS) return [];
	const seconds = (Math.abs(offset) / 1000).toFixed(1);
	const problem = `The clock of ${store} is ${seconds} seconds ${offset > 0 ? "ahead of" : "behind"} the clock of this machine.`;
	return [{ problem, remedy: "Let NTP set the clocks of all machines." }];
}

function reasonOf(error: unknown): string {
	// The error of a connection that several IP addresses refused has no message.
	const code = error instanceof Error && "code" in error ? String(error.code) : "";
	return describeError(error).message || code || "unknown reason";
}
