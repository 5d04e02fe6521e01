import { resolve } from "node:path";

/** What the environment says; `null` is what the server works out for itself. */
export type Settings = {
	port: number;
	host: string;
	/** The origin callers see, such as `https://auth.example.com`. */
	baseUrl: string | null;
	secret: string | null;
	managementKeys: string[];
	/** An absolute path. */
	dataDir: string;
};

/** A start that cannot go on. The message is one sentence for the person who runs the server. */
export class StartError extends Error {
	override name = "StartError";
}

type Environment = Record<string, string | undefined>;

/**
 * Reads the settings. A variable that is set but empty counts as missing, as container tools write
 * it. Values of secrets never appear in an error.
 *
 * @throws StartError for the first setting that is wrong
 */
export function readSettings(environment: Environment, workingDirectory: string): Settings {
	const read = (name: string) => environment[name]?.trim() || null;
	return {
		port: parsePort(read("PORT")),
		host: parseHost(read("HOST")),
		baseUrl: parseBaseUrl(read("BETTER_AUTH_URL")),
		secret: parseSecret(read("BETTER_AUTH_SECRET")),
		managementKeys: parseManagementKeys(read("MANAGEMENT_KEYS")),
		dataDir: resolve(workingDirectory, read("DATA_DIR") ?? "data"),
	};
}

function parsePort(value: string | null): number {
	if (value === null) return 3000;
	const port = Number(value);
	if (/^\d+$/.test(value) && port <= 65_535) return port;
	throw new StartError(`PORT must be a number from 0 to 65535, but it is "${value}".`);
}

function parseHost(value: string | null): string {
	if (value === null) return "127.0.0.1";
	if (/^[\w.:%-]+$/.test(value)) return value;
	throw new StartError(
		`HOST must be an address or a host name such as 127.0.0.1 or 0.0.0.0, but it is "${value}".`,
	);
}

function parseBaseUrl(value: string | null): string | null {
	if (value === null) return null;
	const url = URL.canParse(value) ? new URL(value) : null;
	// Compared as a whole: a path, a query, a fragment or a password would be dropped in silence.
	if (url && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`) return url.origin;
	throw new StartError(
		"BETTER_AUTH_URL must be an http or https address without a path, such as https://auth.example.com.",
	);
}

function parseSecret(value: string | null): string | null {
	if (value === null || value.length >= 32) return value;
	throw new StartError(
		`BETTER_AUTH_SECRET must have at least 32 characters, but it has ${value.length}.`,
	);
}

function parseManagementKeys(value: string | null): string[] {
	const keys = value?.split(",").map((key) => key.trim()) ?? [];
	// What can be presented as a bearer token: visible characters without a gap.
	if (keys.every((key) => /^[!-~]+$/.test(key))) return keys;
	throw new StartError(
		"MANAGEMENT_KEYS must be a comma separated list of keys without spaces, none of them empty.",
	);
}
