import type { Command } from "commander";
import { type Configuration, hasSecret, readConfiguration } from "../configuration";
import { checkCredentials } from "../doctor/credentials";
import { type CheckResult, resultOf, skipped } from "../doctor/finding";
import { checkProviders, ProviderHosts } from "../doctor/providers";
import { checkSettings } from "../doctor/settings";
import { checkDatabase, checkRedis, checkSchema } from "../doctor/stores";
import { describeError, Failure } from "../failure";
import { count, plain, printResult } from "../output";
import { openAuth } from "../with-auth";

type Options = { offline?: boolean; json?: boolean };

export function addDoctor(program: Command): void {
	program
		.command("doctor")
		.description(
			"look at settings, database, schema and indexes, stored credentials, Redis and the providers' hosts; nothing is changed",
		)
		.option("--offline", "do not ask the providers' hosts")
		.option("--json", "print every check as JSON")
		.action(doctor);
}

async function doctor(options: Options): Promise<void> {
	const checks = await examine(options);
	const found = checks.reduce((sum, { findings }) => sum + findings.length, 0);
	printResult(options, { healthy: found === 0, checks }, () =>
		[...checks.map(described), ...(found > 0 ? [""] : [])].join("\n"),
	);
	if (found === 0) return;
	throw new Failure(`${count(found, "thing")} to look at.`, { code: "FOUND" });
}

async function examine(options: Options): Promise<CheckResult[]> {
	let configuration: Configuration;
	try {
		configuration = readConfiguration();
	} catch (error) {
		const problem = describeError(error).message;
		const remedy = "Mend it: the server does not start with it. Nothing else was looked at.";
		return [resultOf("settings", [{ problem, remedy }], "")];
	}
	const settings = checkSettings(configuration);
	const database = await checkDatabase(configuration);
	const schema =
		database.status === "ok"
			? await checkSchema(configuration)
			: skipped("schema", "the database could not be asked");
	const redis = await checkRedis(configuration);
	const contents = await examineContents(options, configuration, schema);
	return [settings, database, schema, redis, ...contents];
}

/** What is stored can be looked at only where its tables are what they should be. */
async function examineContents(
	{ offline }: Options,
	configuration: Configuration,
	schema: CheckResult,
): Promise<CheckResult[]> {
	const hosts = new ProviderHosts();
	for (const [providerId, provider] of Object.entries(configuration.config.settings.providers)) {
		hosts.add(providerId, provider ?? null);
	}
	const credentials =
		schema.status === "ok" && hasSecret(configuration.config)
			? await withoutRedis(configuration, (auth) =>
					checkCredentials(auth, ({ providerId, options }) => hosts.add(providerId, options)),
				)
			: skipped("credentials", "they need a secret and an up to date database");
	const providers = offline
		? skipped("providers", "--offline")
		: await checkProviders(configuration, hosts);
	return [credentials, providers];
}

/** Credentials are in the database: a Redis that is away must not hide their state. */
const withoutRedis = (
	{ config, log }: Configuration,
	work: Parameters<typeof openAuth<CheckResult>>[1],
) =>
	openAuth({ config: { ...config, settings: { ...config.settings, redisUrl: null } }, log }, work);

const marks = { ok: "ok     ", problem: "PROBLEM", skipped: "skipped" };

function described({ check, status, summary, findings }: CheckResult): string {
	const lines = findings.map(
		({ problem, remedy }) => `         ${plain(problem)}\n           -> ${plain(remedy)}`,
	);
	return [`${marks[status]}  ${check.padEnd(12)} ${plain(summary)}`.trimEnd(), ...lines].join("\n");
}
