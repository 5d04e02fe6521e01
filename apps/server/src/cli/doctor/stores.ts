import { existsSync } from "node:fs";
import { type InspectedCredentials, inspectCredentials } from "better-auth-tenant";
import Libsql from "libsql";
import type { Auth } from "../../auth";
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
		if (damage === null) return resultOf("database", [], `${names[database.type]} answers`);
		const problem = `The SQLite file is damaged: ${damage}.`;
		return resultOf("database", [{ problem, remedy: "Stop the server and restore a backup." }], "");
	} catch (error) {
		const problem = `The database does not answer: ${reasonOf(error)}`;
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
		await redis.close();
		return resultOf("redis", [], "Redis answers");
	} catch (error) {
		const remedy = "Check REDIS_URL, that Redis is running, and that this machine can reach it.";
		return resultOf("redis", [{ problem: reasonOf(error), remedy }], "");
	}
}

function reasonOf(error: unknown): string {
	// The error of a connection that several IP addresses refused has no message.
	const code = error instanceof Error && "code" in error ? String(error.code) : "";
	return describeError(error).message || code || "unknown reason";
}

/** Further findings are only counted. */
const MAX_LISTED = 20;

/** Decrypts every stored credential. `onConfig` gets each enabled OAuth config, for further checks. */
export async function checkCredentials(
	auth: Auth,
	onConfig: (config: InspectedCredentials) => void,
): Promise<CheckResult> {
	let total = 0;
	let outdated = 0;
	const unreadable: InspectedCredentials[] = [];
	for await (const config of inspectCredentials(auth)) {
		total += 1;
		if (config.state === "outdated") outdated += 1;
		if (config.state === "unreadable") unreadable.push(config);
		if (config.enabled) onConfig(config);
	}
	const findings = [...describeUnreadable(unreadable), ...describeOutdated(outdated)];
	return resultOf("credentials", findings, `${count(total, "OAuth config")} can be decrypted`);
}

function describeUnreadable(unreadable: InspectedCredentials[]): Finding[] {
	const remedy =
		"Add the secret that encrypted it to BETTER_AUTH_SECRETS or BETTER_AUTH_SECRET, or set it again with oauth-config set.";
	const listed = unreadable.slice(0, MAX_LISTED).map(({ tenantId, providerId }) => ({
		problem: `The ${providerId} credentials of tenant ${tenantId} cannot be decrypted.`,
		remedy,
	}));
	const rest = unreadable.length - listed.length;
	if (rest === 0) return listed;
	const problem = `${count(rest, "more OAuth config")} cannot be decrypted.`;
	return [...listed, { problem, remedy }];
}

function describeOutdated(outdated: number): Finding[] {
	if (outdated === 0) return [];
	const subject = count(outdated, "OAuth config is", "OAuth configs are");
	const problem = `${subject} encrypted with an older secret.`;
	return [{ problem, remedy: "Run secrets rotate before you remove this secret." }];
}
