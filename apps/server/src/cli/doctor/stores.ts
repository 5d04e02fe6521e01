import { existsSync } from "node:fs";
import { askDatabase, openDatabase } from "../../database/open-database";
import { openRedis } from "../../redis";
import type { Configuration } from "../configuration";
import { describeError } from "../failure";
import { count } from "../output";
import { withUpgrade } from "../upgrade";
import { type CheckResult, resultOf, skipped } from "./finding";

const names = { sqlite: "SQLite", postgres: "PostgreSQL", mysql: "MySQL" };

export async function checkDatabase({ config, log }: Configuration): Promise<CheckResult> {
	const { database } = config.settings;
	if (database.type === "sqlite" && !existsSync(database.file)) {
		const problem = `There is no database at ${database.file}.`;
		const remedy = "Run migrate, or start the server; if there should be one, look at DATA_DIR.";
		return resultOf("database", [{ problem, remedy }], "");
	}
	const opened = openDatabase(config.settings, log);
	try {
		await askDatabase(opened);
		return resultOf("database", [], `${names[database.type]} answers`);
	} catch (error) {
		const problem = `The database does not answer: ${reasonOf(error)}`;
		const remedy =
			"Look at DATABASE_URL, and whether the database runs and can be reached from here.";
		return resultOf("database", [{ problem, remedy }], "");
	} finally {
		await opened.db.destroy();
	}
}

export async function checkSchema(configuration: Configuration): Promise<CheckResult> {
	try {
		return await withUpgrade(configuration, async ({ statements, refusals, notes }) => {
			const missing = {
				problem: `${count(statements.length, "statement")} would bring tables and indexes up to date.`,
				remedy: "See them with migrate --dry-run, make a backup, and run migrate.",
			};
			const findings = [
				...(statements.length > 0 ? [missing] : []),
				...refusals.map((refusal) => ({
					problem: `${refusal}.`,
					remedy: "Mend that by hand; migrate does not run before.",
				})),
				...notes.map((note) => ({ problem: `${note}.`, remedy: "Look at it by hand." })),
			];
			return resultOf("schema", findings, "tables and indexes are up to date");
		});
	} catch (error) {
		const problem = `The schema cannot be read: ${reasonOf(error)}`;
		return resultOf("schema", [{ problem, remedy: "Restore a backup if it is damaged." }], "");
	}
}

export async function checkRedis({ config, log }: Configuration): Promise<CheckResult> {
	const { redisUrl } = config.settings;
	if (!redisUrl) return skipped("redis", "REDIS_URL is not set: for one server that is fine");
	try {
		const redis = await openRedis(redisUrl, log);
		await redis.close();
		return resultOf("redis", [], "Redis answers");
	} catch (error) {
		const remedy = "Look at REDIS_URL, and whether Redis runs and can be reached from here.";
		return resultOf("redis", [{ problem: reasonOf(error), remedy }], "");
	}
}

function reasonOf(error: unknown): string {
	// A connection that was refused on several addresses has no message of its own.
	const code = error instanceof Error && "code" in error ? String(error.code) : "";
	return describeError(error).message || code || "no reason is known";
}
