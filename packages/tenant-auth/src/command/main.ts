#!/usr/bin/env node
// biome-ignore-all lint/correctness/noNodejsModules: a command runs in Node, and nothing imports it
import { createInterface } from "node:readline/promises";
import { parseArgs } from "node:util";
import type { UpgradePlan } from "../upgrade";
import { loadConfig } from "./load-config";
import { describeCount, toScript } from "./printed-plan";

const USAGE = `better-auth-tenant upgrade --config <file> [--dry-run] [--yes] [--json]

Brings the database of a Better Auth host up to date for tenants, users and all.

  --config <file>  the module that exports the host's auth, as "auth" or by default
  --dry-run        print the statements and run none
  --yes            run them without asking
  --json           print what was found and done as JSON
`;

/** Done, or nothing to do; refused, failed or declined; called in a wrong way. */
type ExitCode = 0 | 1 | 2;

const say = (line: string) => void process.stdout.write(`${line}\n`);
const warn = (line: string) => void process.stderr.write(`${line}\n`);

async function main(): Promise<ExitCode> {
	const flags = readFlags();
	if (flags === null) return 2;
	if (flags.help) {
		say(USAGE);
		return 0;
	}
	const target = await loadConfig(flags.config);
	// Better Auth takes a while to load: not for a usage text.
	const { planUpgrade } = await import("../upgrade");
	const plan = await planUpgrade(target);
	const report = flags.json ? reportAsJson : reportToHuman;
	if (!flags.json) for (const note of plan.notes) warn(`Note: ${note}.`);
	if (plan.refusals.length > 0) return report(plan, false, 1);
	if (plan.statements.length === 0 || flags.dryRun) return report(plan, false, 0);
	if (!flags.json) say(toScript(plan));
	if (!flags.yes && !(await confirm(plan))) return 1;
	await plan.run();
	return report(plan, true, 0);
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
		const { config = "", help, yes, json, "dry-run": dryRun } = values;
		const isRight = positionals.join() === "upgrade" && config !== "";
		if (isRight || help) return { config, help, yes, json, dryRun };
		warn(USAGE);
	} catch (error) {
		warn(`${messageOf(error)}\n\n${USAGE}`);
	}
	return null;
}

async function confirm(plan: UpgradePlan): Promise<boolean> {
	if (!process.stdin.isTTY) {
		warn("Nobody is here to ask. --yes runs the statements, --dry-run only prints them.");
		return false;
	}
	const terminal = createInterface({ input: process.stdin, output: process.stderr });
	const answer = await terminal.question(
		`Run ${describeCount(plan)}? There is no way back but a backup. [y/N] `,
	);
	terminal.close();
	return /^y(es)?$/i.test(answer.trim());
}

function reportToHuman(plan: UpgradePlan, ran: boolean, code: ExitCode): ExitCode {
	for (const refusal of plan.refusals) warn(`Refused: ${refusal}.`);
	if (plan.refusals.length > 0) return code;
	if (plan.statements.length === 0) say("Nothing to do: the database is up to date.");
	else say(ran ? `Done: ${describeCount(plan)}.` : toScript(plan));
	return code;
}

function reportAsJson(plan: UpgradePlan, ran: boolean, code: ExitCode): ExitCode {
	const { database, statements, refusals, notes } = plan;
	say(JSON.stringify({ database, statements, refusals, notes, ran }, null, 2));
	return code;
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

const code = await main().catch((error) => {
	warn(messageOf(error));
	return 1;
});
// The host's pools would keep the process alive. What was written to a pipe has to be through first.
process.stdout.write("", () => process.stderr.write("", () => process.exit(code)));
