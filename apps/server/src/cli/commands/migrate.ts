import { existsSync } from "node:fs";
import { toSqlScript } from "better-auth-tenant/upgrade";
import type { Command } from "commander";
import { openDatabase } from "../../database/open-database";
import { type Configuration, readConfiguration } from "../configuration";
import { requireConfirmation } from "../confirm";
import { Failure } from "../failure";
import { count, printResult, say } from "../output";
import { type Upgrade, withUpgrade } from "../upgrade";

type Options = { dryRun?: boolean; yes?: boolean; json?: boolean };

export function addMigrate(program: Command): void {
	program
		.command("migrate")
		.description(
			"bring the database up to date, also one that a plain Better Auth has used until now",
		)
		.option("--dry-run", "print the SQL and run none of it")
		.option("--yes", "do not ask before tables that are there are changed")
		.option("--json", "print what was found and done as JSON")
		.action(migrate);
}

async function migrate(options: Options): Promise<void> {
	const configuration = readConfiguration();
	if (!options.dryRun) await makeFile(configuration);
	await withUpgrade(configuration, async (upgrade) => {
		const { statements, refusals, notes } = upgrade;
		for (const note of notes) say(options, `Note: ${note}.`);
		if (refusals.length > 0) {
			const sentences = refusals.map((refusal) => `Refused: ${refusal}.`);
			throw new Failure(sentences.join("\n"), { code: "MIGRATION_REFUSED" });
		}
		if (statements.length === 0 || options.dryRun) return report(options, upgrade, false);
		if (changesTables(upgrade)) {
			say(options, toSqlScript(upgrade));
			const warning = "This changes tables that are there. There is no way back but a backup.";
			await requireConfirmation(options, warning, "migrate");
		}
		await upgrade.run();
		report(options, upgrade, true);
	});
}

/** As the server makes it, for nobody else to read. */
async function makeFile({ config, log }: Configuration): Promise<void> {
	const { database } = config.settings;
	if (database.type !== "sqlite" || existsSync(database.file)) return;
	await openDatabase(config.settings, log).db.destroy();
}

const HARMLESS = /^(begin|commit|create (table|(unique )?index)|pragma)\b/i;

/** New tables take nothing from anybody. */
const changesTables = ({ statements }: Upgrade) => {
	const made = new Set(statements.flatMap(({ sql }) => /^create table \S+/i.exec(sql) ?? []));
	return made.size === 0 || statements.some(({ sql }) => !HARMLESS.test(sql.trim()));
};

function report(options: Options, upgrade: Upgrade, ran: boolean): void {
	const { database, statements, refusals, notes } = upgrade;
	printResult(options, { database, statements, refusals, notes, ran }, () => {
		if (statements.length === 0) return "The database is up to date.";
		return ran ? `Done: ${count(statements.length, "statement")}.` : toSqlScript(upgrade);
	});
}
