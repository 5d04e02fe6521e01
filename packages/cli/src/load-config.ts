import { existsSync } from "node:fs";
import { extname, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { UpgradeTarget } from "better-auth-tenant/upgrade";
import { createJiti } from "jiti";

/** The description of the option `--config`. */
export const CONFIG =
	'the module that exports your auth, as "auth" or as its default; by default auth.ts (or .js) here or in lib, server, auth or utils, also below src or app';

const FOLDERS = ["", "lib/server/", "server/auth/", "server/", "auth/", "lib/", "utils/"];
const NAMES = ["auth", "auth.server", "auth/index", "auth/index.server"];
const EXTENSIONS = [".ts", ".tsx", ".mts", ".js", ".jsx", ".mjs"];

/** Where Better Auth's own command looks for the config, in the same order. */
const LOCATIONS = ["", "src/", "app/"].flatMap((root) =>
	FOLDERS.flatMap((folder) =>
		NAMES.flatMap((name) => EXTENSIONS.map((extension) => root + folder + name + extension)),
	),
);

function requireConfigFile(path: string | undefined): string {
	const found = path ?? LOCATIONS.find((location) => existsSync(location));
	if (found === undefined) {
		throw new Error(
			"No auth.ts found in this folder, in lib, server, auth or utils, or below src or app. Use --config <file>",
		);
	}
	const file = resolve(found);
	if (!existsSync(file)) throw new Error(`File not found: ${file}`);
	return file;
}

/**
 * Imports the app's own module and finds its Better Auth instance, or the options for one.
 *
 * @param path the module; by default it is looked for in the usual places
 */
export async function loadConfig(path: string | undefined): Promise<UpgradeTarget> {
	const file = requireConfigFile(path);
	// Better Auth's own command does the same. Variables that are already set are not changed.
	for (const env of [".env.local", ".env"]) if (existsSync(env)) process.loadEnvFile(env);
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

/** JavaScript is imported by Node, everything else by jiti, which Better Auth's own command uses too. */
function importFile(file: string): Promise<unknown> {
	if (/^\.[cm]?js$/.test(extname(file))) return import(pathToFileURL(file).href);
	const jiti = createJiti(file, {
		// The path aliases of the app's tsconfig.json.
		tsconfigPaths: true,
		jsx: true,
		// It exists for bundlers, and throws everywhere else.
		virtualModules: { "server-only": {} },
	});
	return jiti.import(file);
}

/**
 * Better Auth logs that the schema is wrong and that its own command should be run. That is the very
 * thing that the upgrade is about to do, so its log is muted. What the app prints goes to stderr:
 * stdout is for the statements.
 */
export function muteBetterAuth(): void {
	const print = console.error.bind(console);
	for (const method of ["log", "info", "debug", "warn", "error"] as const) {
		console[method] = (...values: unknown[]) => {
			if (!String(values[0]).includes("[Better Auth]:")) print(...values);
		};
	}
}
