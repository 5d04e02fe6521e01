import { Command, InvalidArgumentError } from "commander";
import { type LoadOptions, load } from "./load";
import { describe, problemsOf } from "./report";

const number = (min: number, max: number) => (text: string) => {
	const value = Number(text);
	if (value >= min && value <= max) return value;
	throw new InvalidArgumentError(`It must be a number from ${min} to ${max}.`);
};

/** So much load must not go to another machine. */
function localUrl(url: string): string {
	const host = URL.canParse(url) ? new URL(url).hostname : "";
	if (["localhost", "127.0.0.1", "[::1]"].includes(host)) return url;
	throw new InvalidArgumentError("It must be a URL of this machine.");
}

type Options = Omit<LoadOptions, "seconds"> & { minutes: number; seconds?: number };

await new Command("npm run load --")
	.exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
	.description(
		"Starts a service on this machine, and signs in, reads sessions, and gets, refreshes and introspects tokens in many tenants at once.",
	)
	.option("--minutes <n>", "duration", number(0.1, 120), 10)
	.option("--seconds <n>", "duration in seconds, for a short run", number(1, 7200))
	.option(
		"--tenants <n>",
		"tenants, each with one user, one app and one OAuth config",
		number(2, 1e5),
		1000,
	)
	.option("--concurrency <n>", "concurrent requests", number(1, 256), 32)
	.option(
		"--postgres <url>",
		"PostgreSQL server; creates a database and drops it at the end (default: embedded SQLite)",
		localUrl,
	)
	.option("--redis <url>", "empty Redis database; it is emptied at the end", localUrl)
	.addHelpText(
		"after",
		"\nExit code 1: a response was wrong or from another tenant, or memory grew.",
	)
	.action(async ({ minutes, seconds = minutes * 60, ...options }: Options) => {
		const end = new AbortController();
		process.once("SIGINT", () => end.abort());
		const report = await load({ seconds, ...options }, console.log, end);
		console.log(`\n${describe(report)}`);
		process.exitCode = problemsOf(report).length > 0 ? 1 : 0;
	})
	.parseAsync();
