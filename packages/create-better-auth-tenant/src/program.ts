import { spawnSync } from "node:child_process";
import { relative } from "node:path";
import { setImmediate } from "node:timers/promises";
import { filesOf } from "./app-files";
import { readArguments, USAGE, UsageError } from "./arguments";
import { appName } from "./directory";
import { Canceled, resolveChoices } from "./questions";
import { writeFiles } from "./write-files";

/** 0: done. 1: failed or canceled. 2: wrong arguments. */
type ExitCode = 0 | 1 | 2;

const print = (line: string) => void process.stdout.write(`${line}\n`);
const printError = (line: string) => void process.stderr.write(`${line}\n`);

/**
 * Runs the program in the current directory.
 *
 * @param resources the folder with `templates` and `databases`
 */
export const run = (args: string[], resources: URL): Promise<ExitCode> =>
	createApp(args, resources).catch(report);

async function createApp(args: string[], resources: URL): Promise<ExitCode> {
	const given = readArguments(args);
	if (given.help) {
		print(USAGE);
		return 0;
	}
	const terminal = process.stdin.isTTY ? { output: process.stdout } : undefined;
	const { directory, ...choices } = await resolveChoices(given, terminal);
	// Ctrl-C must not leave a part of an app behind. Node calls a listener after the synchronous writes.
	process.on("SIGINT", () => process.exit(130));
	writeFiles(directory, filesOf({ ...choices, name: appName(directory) }, resources));
	// Two turns of the event loop: a signal that came during the writes ends the process here.
	await setImmediate();
	await setImmediate();
	print(`The app is in ${directory}.`);
	if (!given.install) {
		printCommands(directory, "npm install", "npm start");
		return 0;
	}
	if (install(directory)) {
		printCommands(directory, "npm start");
		return 0;
	}
	printError("npm install did not finish.");
	printCommands(directory, "npm install", "npm start");
	return 1;
}

function printCommands(directory: string, ...commands: string[]): void {
	const path = relative("", directory);
	print("\nNext:\n");
	for (const command of path ? [`cd ${quote(path)}`, ...commands] : commands) print(`  ${command}`);
}

function install(directory: string): boolean {
	const shell = process.platform === "win32";
	const args = ["install", "--no-audit", "--no-fund"];
	return spawnSync("npm", args, { cwd: directory, stdio: "inherit", shell }).status === 0;
}

const quote = (path: string) => (/^[\w./-]+$/.test(path) ? path : JSON.stringify(path));

function report(error: unknown): ExitCode {
	if (error instanceof Canceled) printError("Nothing was written.");
	else printError(error instanceof Error ? error.message : String(error));
	if (!(error instanceof UsageError)) return 1;
	printError("\nnpm create better-auth-tenant -- --help prints the options.");
	return 2;
}
