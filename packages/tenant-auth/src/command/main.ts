#!/usr/bin/env node
// biome-ignore-all lint/correctness/noNodejsModules: the command runs in Node only
import { createInterface } from "node:readline/promises";
import { parseArgs } from "node:util";
import type { UpgradePlan } from "../upgrade";
import { loadConfig, muteBetterAuth } from "./load-config";

const USAGE = `better-auth-tenant upgrade [--config <file>] [--dry-run] [--yes] [--json]

Upgrades the database of an app with Better Auth to the schema with tenants. Users are kept.

  --config <file>  the module that exports your auth, as "auth" or as its default; by default
                   auth.ts (or .js) here or in lib, server, auth or utils, also below src or app
  --dry-run        print the statements without running them
  --yes            run without asking
  --json           print the result as JSON
`;

/** 0: done, or nothing to do. 1: blocked, failed or declined. 2: wrong arguments. */
type ExitCode = 0 | 1 | 2;

const NAMES = { sqlite: "SQLite", postgres: "PostgreSQL", mysql: "MySQL" };

const print = (line: string) => void process.stdout.write(`${line}\n`);
const printError = (line: string) => void process.stderr.write(`${line}\n`);

async function main(): Promise<ExitCode> {
	const flags = readFlags();
	if (flags === null) return 2;
	if (flags.help) {
		print(USAGE);
		return 0;
	}
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
	if (plan.statements.length > 0 && !flags.dryRun) {
		if (!flags.json) print(script);
		if (!flags.yes && !(await confirm(plan))) return 1;
		await plan.run();
		report(true);
		return 0;
	}
	report(false);
	return 0;
}

function readFlags() {
	try {
		const { positionals, values } = parseArgs({
			allowPositionals: true,
			options: {
				config: { type: "string" },
				"dry-run": { type: "boolean", default: false },
				yes: { type: "boolean", default: false },
				json: { type: "boolean", default: false },
				help: { type: "boolean", default: false },
			},
		});
		const { config, help, yes, json, "dry-run": dryRun } = values;
		if (positionals.join() === "upgrade" || help) return { config, help, yes, json, dryRun };
		printError(USAGE);
	} catch (error) {
		printError(`${messageOf(error)}\n\n${USAGE}`);
	}
	return null;
}

async function confirm(plan: UpgradePlan): Promise<boolean> {
	if (!process.stdin.isTTY) {
		printError(
			"Without a terminal, nobody can confirm. Use --yes to run the statements or --dry-run to print them.",
		);
		return false;
	}
	const terminal = createInterface({ input: process.stdin, output: process.stderr });
	const answer = await terminal.question(
		`Run ${describe(plan)}? Only a backup can undo this. [y/N] `,
	);
	terminal.close();
	return /^y(es)?$/i.test(answer.trim());
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

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

const code = await main().catch((error) => {
	printError(messageOf(error));
	return 1;
});
// The app's pools would keep the process alive. Wait until everything is written to the pipes.
process.stdout.write("", () => process.stderr.write("", () => process.exit(code)));
