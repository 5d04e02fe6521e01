// biome-ignore-all lint/correctness/noNodejsModules: the command runs in Node only
import { parseArgs } from "node:util";
import type { UpgradePlan } from "../upgrade";
import { loadConfig, muteBetterAuth } from "./shared/load-config";
import {
	type Command,
	confirm,
	type ExitCode,
	print,
	printError,
	UsageError,
} from "./shared/terminal";

const usage = `better-auth-tenant upgrade [--config <file>] [--dry-run] [--yes] [--json]

Upgrades the database of an app with Better Auth to the schema with tenants. Users are kept.

  --config <file>  the module that exports your auth, as "auth" or as its default; by default
                   auth.ts (or .js) here or in lib, server, auth or utils, also below src or app
  --dry-run        print the statements without running them
  --yes            run without asking
  --json           print the result as JSON
`;

const NAMES = { sqlite: "SQLite", postgres: "PostgreSQL", mysql: "MySQL" };

async function run(args: string[]): Promise<ExitCode> {
	const flags = readFlags(args);
	muteBetterAuth();
	const target = await loadConfig(flags.config);
	// Loaded late: Better Auth takes time to load, and the usage text does not need it.
	const { planUpgrade, toSqlScript } = await import("../upgrade");
	const plan = await planUpgrade(target);
	const script = toSqlScript(plan);
	const report = (ran: boolean) =>
		flags.json ? reportAsJson(plan, ran) : reportAsText(plan, script, ran);
	if (!flags.json) for (const note of plan.notes) printError(`Note: ${note}.`);
	if (plan.blockers.length > 0) {
		report(false);
		return 1;
	}
	if (plan.statements.length > 0 && !flags["dry-run"]) {
		if (!flags.json) print(script);
		const question = `Run ${describe(plan)}? Only a backup can undo this.`;
		if (!flags.yes && !(await confirm(question))) return 1;
		await plan.run();
		report(true);
		return 0;
	}
	report(false);
	return 0;
}

function readFlags(args: string[]) {
	const { positionals, values } = parseArgs({
		args,
		allowPositionals: true,
		options: {
			config: { type: "string" },
			"dry-run": { type: "boolean", default: false },
			yes: { type: "boolean", default: false },
			json: { type: "boolean", default: false },
		},
	});
	const [unexpected] = positionals;
	if (unexpected !== undefined) throw new UsageError(`Unexpected argument: ${unexpected}`);
	return values;
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

export const upgrade: Command = { usage, run };
