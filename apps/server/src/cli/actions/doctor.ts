import { type Configuration, hasSecret, readConfiguration } from "../configuration";
import { type CheckResult, resultOf, skipped } from "../doctor/check-result";
import { checkEmailServer } from "../doctor/email";
import { checkEventStream } from "../doctor/event-stream";
import { checkProviders, ProviderHosts } from "../doctor/providers";
import { checkRegions } from "../doctor/regions";
import { checkSaml } from "../doctor/saml";
import { checkSettings } from "../doctor/settings";
import { checkStoredSecrets } from "../doctor/stored-secrets";
import { checkDatabase, checkRedis, checkSchema } from "../doctor/stores";
import { count, describeError, Failure, plain, printResult } from "../output";
import { openAuth } from "../with-auth";

type Options = { offline?: boolean; json?: boolean };

export async function doctor(options: Options): Promise<void> {
	const checks = await runChecks(options);
	const found = checks.reduce((sum, { findings }) => sum + findings.length, 0);
	printResult(options, { healthy: found === 0, checks }, () =>
		[...checks.map(describe), ...(found > 0 ? [""] : [])].join("\n"),
	);
	if (found === 0) return;
	throw new Failure(`${count(found, "problem")} found.`, { code: "FOUND" });
}

async function runChecks(options: Options): Promise<CheckResult[]> {
	let configuration: Configuration;
	try {
		configuration = readConfiguration();
	} catch (error) {
		const problem = describeError(error).message;
		const remedy = "Correct it. The server does not start with it. Nothing else was checked.";
		return [resultOf("settings", [{ problem, remedy }], "")];
	}
	const settings = checkSettings(configuration);
	const database = await checkDatabase(configuration);
	const schema =
		database.status === "ok"
			? await checkSchema(configuration)
			: skipped("schema", "the database could not be read");
	const redis = await checkRedis(configuration);
	const contents = await checkContents(options, configuration, schema);
	const email = await checkEmailServer(configuration, options);
	const regions = await checkRegions(configuration, options);
	const stream = await checkEventStream(configuration, options);
	return [settings, database, schema, redis, email, ...contents, regions, stream];
}

/** Stored data can be checked only if the tables are up to date. */
async function checkContents(
	{ offline }: Options,
	configuration: Configuration,
	schema: CheckResult,
): Promise<CheckResult[]> {
	const hosts = new ProviderHosts();
	for (const [providerId, provider] of Object.entries(configuration.config.settings.providers)) {
		hosts.add(providerId, provider ?? null);
	}
	const needs = "needs a secret and an up-to-date database";
	const stored =
		schema.status === "ok" && hasSecret(configuration.config)
			? await withoutRedis(configuration, async (auth, { settings }) => [
					await checkStoredSecrets(auth, ({ providerId, options }) =>
						hosts.add(providerId, options),
					),
					settings.saml ? await checkSaml(auth) : skipped("saml", "SAML is off"),
				])
			: [skipped("credentials", needs), skipped("saml", needs)];
	const providers = offline
		? skipped("providers", "--offline")
		: await checkProviders(configuration, hosts);
	return [...stored, providers];
}

/** Secrets are in the database, so they can be checked even if Redis does not respond. */
const withoutRedis = (
	{ config, log }: Configuration,
	work: Parameters<typeof openAuth<CheckResult[]>>[1],
) =>
	openAuth({ config: { ...config, settings: { ...config.settings, redisUrl: null } }, log }, work);

const labels = { ok: "ok     ", problem: "PROBLEM", skipped: "skipped" };

function describe({ check, status, summary, findings }: CheckResult): string {
	const lines = findings.map(
		({ problem, remedy }) => `         ${plain(problem)}\n           -> ${plain(remedy)}`,
	);
	return [`${labels[status]}  ${check.padEnd(12)} ${plain(summary)}`.trimEnd(), ...lines].join(
		"\n",
	);
}
