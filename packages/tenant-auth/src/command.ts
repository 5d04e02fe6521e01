#!/usr/bin/env node
// biome-ignore-all lint/correctness/noNodejsModules: the command runs in Node only

/**
 * The program `better-auth-tenant`. The command line is a package of its own: it is needed only to upgrade
 * a database or to import users.
 *
 * @module
 */
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const app = createRequire(join(process.cwd(), "package.json"));

function findCommandLine(): string | null {
	try {
		return app.resolve("better-auth-tenant-cli");
	} catch (error) {
		const { code }: { code?: unknown } = Object(error);
		if (code !== "MODULE_NOT_FOUND") throw error;
		return null;
	}
}

const file = findCommandLine();
if (file) await import(pathToFileURL(file).href);
else {
	process.stderr.write(
		"Install the command line in your app with: npm install --save-dev better-auth-tenant-cli\n",
	);
	process.exitCode = 1;
}
