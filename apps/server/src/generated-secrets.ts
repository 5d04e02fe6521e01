import { randomBytes } from "node:crypto";
import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Settings } from "./settings";
import { StartError } from "./start-error";

/** The secrets the server runs with, and where those that were not given come from. */
export type Secrets = {
	/** Better Auth's; `null` where numbered ones are given and there never was another. */
	secret: string | null;
	managementKeys: string[];
	/** Whether the management keys are the ones in the settings. */
	fromSettings: boolean;
	/** The management key that was generated on this very start, to be shown once. */
	newManagementKey: string | null;
	/** The file the generated secrets are kept in. */
	file: string;
};

type StoredSecrets = { betterAuthSecret?: string; managementKey?: string };

/**
 * Takes what the settings give, then what an earlier start has stored, and generates the rest.
 *
 * @throws StartError when the data directory or the file in it cannot be used
 */
export function loadSecrets(settings: Settings): Secrets {
	const file = join(settings.dataDir, "secrets.json");
	const stored = readStored(file);
	const fromSettings = settings.managementKeys.length > 0;
	// With numbered secrets, an unnumbered one is still what opens what is older than they are.
	const missing = settings.secrets.length > 0 ? null : generate();
	const secret = settings.secret ?? stored.betterAuthSecret ?? missing;
	const managementKey = stored.managementKey ?? generate();
	const kept: StoredSecrets = {
		...stored,
		...(settings.secret || !secret ? {} : { betterAuthSecret: secret }),
		...(fromSettings ? {} : { managementKey }),
	};
	if (JSON.stringify(kept) !== JSON.stringify(stored)) {
		createDataDir(settings.dataDir);
		store(file, kept);
	}

	return {
		secret,
		// Keys that are given replace the generated one: whoever sets them means to be rid of it.
		managementKeys: fromSettings ? settings.managementKeys : [managementKey],
		fromSettings,
		newManagementKey: fromSettings || stored.managementKey ? null : managementKey,
		file,
	};
}

function generate(): string {
	return randomBytes(32).toString("base64url");
}

function createDataDir(dataDir: string): void {
	try {
		mkdirSync(dataDir, { recursive: true, mode: 0o700 });
	} catch (cause) {
		throw new StartError(`DATA_DIR cannot be created at ${dataDir} (${codeOf(cause)}).`, { cause });
	}
}

/** What an earlier start has stored; nothing where there was none. */
export function readStored(file: string): StoredSecrets {
	try {
		const text = readFileSync(file, "utf8");
		chmodSync(file, 0o600);
		return parseStored(text);
	} catch (cause) {
		if (["ENOENT", "ENOTDIR"].includes(codeOf(cause))) return {};
		// Generating anew would make stored credentials unreadable and sign everybody out.
		throw new StartError(
			`DATA_DIR holds a file ${file} that cannot be read as the secrets of this server; restore it, or remove it to have new ones made.`,
			{ cause },
		);
	}
}

function parseStored(text: string): StoredSecrets {
	const value: unknown = JSON.parse(text);
	if (typeof value !== "object" || value === null) throw new TypeError("not an object");
	return {
		...pickString(value, "betterAuthSecret", 32),
		...pickString(value, "managementKey", 16),
	};
}

function pickString(value: object, name: keyof StoredSecrets, minLength: number): StoredSecrets {
	const found: unknown = Reflect.get(value, name);
	if (found === undefined) return {};
	if (typeof found === "string" && found.length >= minLength) return { [name]: found };
	throw new TypeError(`${name} is not usable`);
}

/** Written beside and moved into place, so that a start that is killed leaves no half of a file. */
function store(file: string, secrets: StoredSecrets): void {
	const draft = `${file}.${process.pid}.tmp`;
	try {
		writeFileSync(draft, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600, flush: true });
		renameSync(draft, file);
	} catch (cause) {
		rmSync(draft, { force: true });
		throw new StartError(`DATA_DIR does not let ${file} be written (${codeOf(cause)}).`, { cause });
	}
}

function codeOf(error: unknown): string {
	return error instanceof Error && "code" in error ? String(error.code) : String(error);
}
