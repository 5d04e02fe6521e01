// biome-ignore-all lint/correctness/noNodejsModules: a command runs in Node, and nothing imports it
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { extname, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { UpgradeTarget } from "../upgrade";

type Module = Record<string, unknown>;

/** Imports the host's own module and finds what it made of Better Auth, or its options. */
export async function loadConfig(path: string): Promise<UpgradeTarget> {
	const file = resolve(path);
	if (!existsSync(file)) throw new Error(`There is no file ${file}`);
	// As Better Auth's own command does; what is set already stays.
	if (existsSync(".env")) process.loadEnvFile(".env");
	const module = await importFile(file);
	const byDefault = module.default as Module | undefined;
	const found = [module.auth, byDefault?.auth, byDefault, module.options].find(isTarget);
	if (!found) throw new Error(`${file} exports Better Auth neither as "auth" nor by default`);
	// A host whose start fails says so here and not half-way.
	if ("$context" in found) await found.$context;
	return found;
}

function isTarget(value: unknown): value is UpgradeTarget & { $context?: Promise<unknown> } {
	return typeof value === "object" && value !== null && ("options" in value || "plugins" in value);
}

/** What Node says of TypeScript that it does not read, or reads in part only. */
const UNREADABLE = new Set<unknown>([
	"ERR_UNKNOWN_FILE_EXTENSION",
	"ERR_MODULE_NOT_FOUND",
	"ERR_UNSUPPORTED_DIR_IMPORT",
	"ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX",
]);

async function importFile(file: string): Promise<Module> {
	try {
		return await import(pathToFileURL(file).href);
	} catch (error) {
		const { code } = error as { code?: unknown };
		if (!/^\.[cm]?tsx?$/.test(extname(file)) || !UNREADABLE.has(code)) throw error;
		const jiti = await findJiti(file);
		if (jiti) return await jiti.import(file);
		throw new Error(
			`Node ${process.versions.node} cannot import ${file}: install tsx and put NODE_OPTIONS="--import tsx" before the command`,
			{ cause: error },
		);
	}
}

interface Jiti {
	import(file: string): Promise<Module>;
}

/** It comes with Better Auth's own command, where the host has that installed. */
async function findJiti(file: string): Promise<Jiti | null> {
	let path: string;
	try {
		path = createRequire(file).resolve("jiti");
	} catch {
		return null;
	}
	const { createJiti } = await import(pathToFileURL(path).href);
	return createJiti(file);
}
