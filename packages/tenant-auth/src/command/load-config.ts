// biome-ignore-all lint/correctness/noNodejsModules: the command runs in Node only
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { extname, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { UpgradeTarget } from "../upgrade";

/** Imports the app's own module and finds its Better Auth instance, or the options for one. */
export async function loadConfig(path: string): Promise<UpgradeTarget> {
	const file = resolve(path);
	if (!existsSync(file)) throw new Error(`File not found: ${file}`);
	// Better Auth's own command does the same. Variables that are already set are not changed.
	if (existsSync(".env")) process.loadEnvFile(".env");
	const module = await importFile(file);
	const byDefault = readProperty(module, "default");
	const found = [
		readProperty(module, "auth"),
		readProperty(byDefault, "auth"),
		byDefault,
		readProperty(module, "options"),
	].find(isTarget);
	if (!found) throw new Error(`${file} must export Better Auth as "auth" or as its default`);
	// If the instance cannot start, stop here and not in the middle of the upgrade.
	if ("$context" in found) await found.$context;
	return found;
}

function readProperty(value: unknown, name: string): unknown {
	return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}

function isTarget(value: unknown): value is UpgradeTarget & { $context?: Promise<unknown> } {
	return typeof value === "object" && value !== null && ("options" in value || "plugins" in value);
}

/** Errors of Node for TypeScript that it cannot import, or only in part. */
const UNREADABLE = new Set<unknown>([
	"ERR_UNKNOWN_FILE_EXTENSION",
	"ERR_MODULE_NOT_FOUND",
	"ERR_UNSUPPORTED_DIR_IMPORT",
	"ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX",
]);

async function importFile(file: string): Promise<unknown> {
	try {
		return await import(pathToFileURL(file).href);
	} catch (error) {
		const code = readProperty(error, "code");
		if (!/^\.[cm]?tsx?$/.test(extname(file)) || !UNREADABLE.has(code)) throw error;
		const jiti = await findJiti(file);
		if (jiti) return jiti.import(file);
		throw new Error(
			`Node ${process.versions.node} cannot import ${file}. Install tsx and put NODE_OPTIONS="--import tsx" before the command`,
			{ cause: error },
		);
	}
}

/** Better Auth's own command brings jiti, if the app has that command installed. */
async function findJiti(file: string): Promise<{ import(file: string): Promise<unknown> } | null> {
	let path: string;
	try {
		path = createRequire(file).resolve("jiti");
	} catch {
		return null;
	}
	const { createJiti } = await import(pathToFileURL(path).href);
	return createJiti(file);
}
