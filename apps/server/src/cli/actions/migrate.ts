import { existsSync } from "node:fs";
import { toSqlScript } from "better-auth-tenant/upgrade";
import { openDatabase } from "../../database/open-database";
import { type Configuration, readConfiguration } from "../configuration";
import { requireConfirmation } from "../input";
import { count, Failure, printNote, printResult } from "../output";
import { type Upgrade, withUpgrade } from "../upgrade";

type Options = { dryRun?: boolean; yes?: boolean; json?: boolean };

export async function migrate(options: Options): Promise<void> {
	const configuration = readConfiguration();
	if (!options.dryRun) await createMissingFile(configuration);
	await withUpgrade(configuration, async (upgrade) => {
		const { statements, blockers, notes } = upgrade;
		for (const note of notes) printNote(options, `Note: ${note}.`);
		if (blockers.length > 0) {
			const lines = blockers.map((blocker) => `Not possible: ${blocker}.`);
			throw new Failure(lines.join("\n"), { code: "MIGRATION_REFUSED" });
		}
		if (statements.length === 0 || options.dryRun) return report(options, upgrade, false);
		if (changesExistingTables(upgrade)) {
			printNote(options, toSqlScript(upgrade));
			const warning = "This changes existing tables. Only a backup can undo it.";
			await requireConfirmation(options, warning, "migrate");
		}
		await upgrade.run();
		report(options, upgrade, true);
	});
}

/** Creates the SQLite file in the same way as the server, so that only this user can read it. */
async function createMissingFile({ config, log }: Configuration): Promise<void> {
	const { database } = config.settings;
	if (database.type !== "sqlite" || existsSync(database.file)) return;
	await openDatabase(config.settings, log).db.destroy();
}

const HARMLESS = /^(begin|commit|create (table|(unique )?index)|pragma)\b/i;

const changesExistingTables = ({ statements }: Upgrade) => {
	const created = new Set(statements.flatMap(({ sql }) => /^create table \S+/i.exec(sql) ?? []));
	return created.size === 0 || statements.some(({ sql }) => !HARMLESS.test(sql.trim()));
};

function report(options: Options, upgrade: Upgrade, ran: boolean): void {
	const { database, statements, blockers, notes } = upgrade;
	printResult(options, { database, statements, blockers, notes, ran }, () => {
		if (statements.length === 0) return "The database is up to date.";
		return ran ? `Done: ${count(statements.length, "statement")}.` : toSqlScript(upgrade);
	});
}
