import { randomBytes } from "node:crypto";
import { chmodSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { createPrivateDirectory } from "./private-directory";
import type { Settings } from "./settings";
import { StartError } from "./start-error";

/** The secrets that the server uses, and where they come from. */
export type Secrets = {
	/** Better Auth's secret. `null` with versioned secrets, if there was never another one. */
	secret: string | null;
	managementKeys: string[];
	/** Whether the management keys come from the settings. */
	fromSettings: boolean;
	/** A management key that this start generated, to be shown once. */
	newManagementKey: string | null;
	/** The file of the generated secrets. */
	file: string;
};

const storedSecrets = z.object({
	betterAuthSecret: z.string().min(32).optional(),
	managementKey: z.string().min(16).optional(),
});

type StoredSecrets = z.output<typeof storedSecrets>;

/**
 * Takes secrets from the settings, then those that an earlier start stored, and generates the rest.
 *
 * @throws StartError if the data directory or the file in it cannot be used
 */
export function loadSecrets(settings: Settings): Secrets {
	const file = join(settings.dataDir, "secrets.json");
	const stored = readStoredSecrets(file);
	const fromSettings = settings.managementKeys.length > 0;
	// With versioned secrets, an unversioned one is only needed to decrypt values older than them.
	const generated = settings.secrets.length > 0 ? null : generate();
	const secret = settings.secret ?? stored.betterAuthSecret ?? generated;
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
		// Keys in the settings replace the generated one, so that an operator can revoke it.
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
		createPrivateDirectory(dataDir);
	} catch (cause) {
		throw new StartError(`DATA_DIR cannot be created at ${dataDir} (${codeOf(cause)}).`, { cause });
	}
}

/** The secrets that an earlier start stored; none if the file does not exist. */
export function readStoredSecrets(file: string): StoredSecrets {
	try {
		const text = readFileSync(file, "utf8");
		chmodSync(file, 0o600);
		return storedSecrets.parse(JSON.parse(text));
	} catch (cause) {
		if (["ENOENT", "ENOTDIR"].includes(codeOf(cause))) return {};
		// A new secret would make stored credentials unreadable and sign everybody out.
		throw new StartError(
			`DATA_DIR contains ${file}, which cannot be read as the secrets of this server; restore it, or delete it to generate new ones.`,
			{ cause },
		);
	}
}

/** Writes a second file and renames it, so that a killed start does not leave half a file. */
function store(file: string, secrets: StoredSecrets): void {
	const draft = `${file}.${process.pid}.tmp`;
	try {
		writeFileSync(draft, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600, flush: true });
		renameSync(draft, file);
	} catch (cause) {
		rmSync(draft, { force: true });
		throw new StartError(`DATA_DIR: ${file} cannot be written (${codeOf(cause)}).`, { cause });
	}
}

function codeOf(error: unknown): string {
	return error instanceof Error && "code" in error ? String(error.code) : String(error);
}
