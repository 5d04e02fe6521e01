import type { UpgradePlan } from "better-auth-tenant/upgrade";
import type { Command } from "commander";
import { CONFIG, loadConfig, muteBetterAuth } from "./load-config";
import { confirm, type ExitCode, print, printError, requireValues } from "./terminal";

const NAMES = { sqlite: "SQLite", postgres: "PostgreSQL", mysql: "MySQL" };

interface Options {
	config?: string;
	dryRun?: boolean;
	yes?: boolean;
	json?: boolean;
}

export function addUpgrade(program: Command, end: (code: ExitCode) => void): void {
	const command = program
		.command("upgrade")
		.summary("upgrade the database of an app with Better Auth to the schema with tenants")
		.description(
			"Upgrades the database of an app with Better Auth to the schema with tenants. Users are kept.",
		)
		.option("--config <file>", CONFIG)
		.option("--dry-run", "print the statements without running them")
		.option("--yes", "run without asking")
		.option("--json", "print the result as JSON")
		.action(async (options: Options) => end(await upgrade(options)));
	requireValues(command);
}

async function upgrade({ config, dryRun, yes, json }: Options): Promise<ExitCode> {
	muteBetterAuth();
	const target = await loadConfig(config);
	// Loaded late: Better Auth takes time to load, and the help does not need it.
	const { planUpgrade, toSqlScript } = await import("better-auth-tenant/upgrade");
	const plan = await planUpgrade(target);
	const script = toSqlScript(plan);
	const report = (ran: boolean) =>
		json ? reportAsJson(plan, ran) : reportAsText(plan, script, ran);
	if (!json) for (const note of plan.notes) printError(`Note: ${note}.`);
	if (plan.blockers.length > 0) {
		report(false);
		return 1;
	}
	if (plan.statements.length > 0 && !dryRun) {
		if (!json) print(script);
		const question = `Run ${describe(plan)}? Only a backup can undo this.`;
		if (!yes && !(await confirm(question))) return 1;
		await plan.run();
		report(true);
		return 0;
	}
	report(false);
	return 0;
}

const describe = ({ database, statements }: UpgradePlan) =>
	`${statements.length} statements on ${NAMES[database]}`;

function reportAsText(plan: UpgradePlan, script: string, ran: boolean): void {
	for (const blocker of plan.blockers) printError(`Blocked: ${blocker}.`);
	if (plan.blockers.length > 0) return;
	if (plan.statements.length === 0) print("Nothing to do: the database is up to date.");
	else print(ran ? `Done: ${describe(plan)}.` : script);
}

function reportAsJson({ run: _, ...plan }: UpgradePlan, ran: boolean): void {
	print(JSON.stringify({ ...plan, ran }, null, 2));
}
