import { statSync } from "node:fs";
import { isLoopbackHost } from "@better-auth/core/utils/host";
import { type Configuration, hasSecret } from "../configuration";
import { type CheckResult, type Finding, resultOf } from "./finding";

/** What each setting may be on its own was asked when they were read: here is what they make together. */
export function checkSettings({ config }: Configuration): CheckResult {
	const findings = [
		...addressFindings(config),
		...secretFindings(config),
		...keyFindings(config),
		...fileFindings(config),
	];
	return resultOf("settings", findings, `callers use ${config.baseUrl}`);
}

type Config = Configuration["config"];

function addressFindings({ settings, baseUrl }: Config): Finding[] {
	const isLocal = isLoopbackHost(new URL(baseUrl).hostname);
	if (!settings.baseUrl && !isLoopbackHost(settings.host)) {
		return [
			{
				problem: `HOST ${settings.host} can be reached by others, but links and cookies are for ${baseUrl}.`,
				remedy: "Set BETTER_AUTH_URL to the address that callers use.",
			},
		];
	}
	if (isLocal || baseUrl.startsWith("https:")) return [];
	return [
		{
			problem: `Passwords and cookies go unencrypted to ${baseUrl}.`,
			remedy: "Put a proxy with TLS in front, and give BETTER_AUTH_URL its https address.",
		},
	];
}

function secretFindings(config: Config): Finding[] {
	const { settings } = config;
	if (!hasSecret(config)) {
		return [
			{
				problem: "There is no secret.",
				remedy: "Set BETTER_AUTH_SECRET, or start the server once to have one made in DATA_DIR.",
			},
		];
	}
	if (settings.database.type === "sqlite" || settings.secret || settings.secrets.length > 0)
		return [];
	return [
		{
			problem: "The secret is in DATA_DIR only, where other servers on this database lack it.",
			remedy: `Give every server the one in ${config.secrets.file} as BETTER_AUTH_SECRET.`,
		},
	];
}

function keyFindings({ settings }: Config): Finding[] {
	if (settings.managementKeys.every((key) => key.length >= 16)) return [];
	return [
		{
			problem: "A management key has less than 16 characters and can be guessed.",
			remedy: "Make a new one for MANAGEMENT_KEYS, such as with: openssl rand -base64 32",
		},
	];
}

function fileFindings({ settings, secrets }: Config): Finding[] {
	const files = [
		secrets.file,
		...(settings.database.type === "sqlite" ? [settings.database.file] : []),
	];
	return files.filter(isOpenToOthers).map((file) => ({
		problem: `Other users of this machine may read ${file}.`,
		remedy: `Run: chmod 600 ${file}`,
	}));
}

function isOpenToOthers(file: string): boolean {
	const found = statSync(file, { throwIfNoEntry: false });
	return process.platform !== "win32" && found !== undefined && (found.mode & 0o077) !== 0;
}
