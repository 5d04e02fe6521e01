import { statSync } from "node:fs";
import { isLoopbackHost } from "@better-auth/core/utils/host";
import type { ServiceConfig } from "../../settings/service-config";
import { type Configuration, hasSecret } from "../configuration";
import { type CheckResult, type Finding, resultOf } from "./check-result";

/** Each setting was validated when it was read. This checks how they work together. */
export function checkSettings({ config }: Configuration): CheckResult {
	const findings = [
		...checkBaseUrl(config),
		...checkSecret(config),
		...checkManagementKeys(config),
		...checkEmail(config),
		...checkFileModes(config),
	];
	return resultOf("settings", findings, `clients use ${config.baseUrl}`);
}

function checkBaseUrl({ settings, baseUrl }: ServiceConfig): Finding[] {
	const isLocal = isLoopbackHost(new URL(baseUrl).hostname);
	if (!settings.baseUrl && !isLoopbackHost(settings.host)) {
		return [
			{
				problem: `Other machines can connect to HOST ${settings.host}, but links and cookies use ${baseUrl}.`,
				remedy: "Set BETTER_AUTH_URL to the URL that clients use.",
			},
		];
	}
	if (isLocal || baseUrl.startsWith("https:")) return [];
	return [
		{
			problem: `Passwords and cookies are sent unencrypted to ${baseUrl}.`,
			remedy: "Put a proxy with TLS in front, and set BETTER_AUTH_URL to its https URL.",
		},
	];
}

function checkSecret(config: ServiceConfig): Finding[] {
	const { settings } = config;
	if (!hasSecret(config)) {
		return [
			{
				problem: "There is no secret.",
				remedy: "Set BETTER_AUTH_SECRET, or start the server once to generate one in DATA_DIR.",
			},
		];
	}
	if (settings.database.type === "sqlite" || settings.secret || settings.secrets.length > 0)
		return [];
	return [
		{
			problem: "The secret is only in DATA_DIR. Other servers on this database do not have it.",
			remedy: `Set BETTER_AUTH_SECRET on every server to the secret in ${config.secrets.file}.`,
		},
	];
}

function checkManagementKeys({ settings }: ServiceConfig): Finding[] {
	if (settings.managementKeys.every((key) => key.length >= 16)) return [];
	return [
		{
			problem: "A management key has less than 16 characters and can be guessed.",
			remedy: "Generate a new one for MANAGEMENT_KEYS, for example with: openssl rand -base64 32",
		},
	];
}

function checkEmail({ email }: ServiceConfig): Finding[] {
	if (email !== "none") return [];
	return [
		{
			problem: "No email can be sent, so users cannot reset a password or verify an email.",
			remedy: "Set SMTP_URL and MAIL_FROM, and try it with: tenant-auth mail test <address>",
		},
	];
}

function checkFileModes({ settings, secrets }: ServiceConfig): Finding[] {
	const files = [
		secrets.file,
		...(settings.database.type === "sqlite" ? [settings.database.file] : []),
	];
	return files.filter(isReadableByOthers).map((file) => ({
		problem: `Other users of this machine can read ${file}.`,
		remedy: `Run: chmod 600 ${file}`,
	}));
}

function isReadableByOthers(file: string): boolean {
	const found = statSync(file, { throwIfNoEntry: false });
	return process.platform !== "win32" && found !== undefined && (found.mode & 0o077) !== 0;
}
