// Installs other runtimes for the tests: Bun, Deno, workerd (in miniflare), and better-sqlite3. They are
// large, so they are not dependencies. The definitions of OpenTelemetry are none either: as a dependency,
// they would change the version of a package that Better Auth uses. `testing/services.ts` finds all of them.
//
//   node scripts/install-runtimes.mjs

import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL("../node_modules/.cache/runtimes/", import.meta.url));

const manifest = JSON.stringify({
	private: true,
	dependencies: {
		// Newer versions have no protobuf definitions.
		"@opentelemetry/otlp-transformer": "0.203.0",
		"better-sqlite3": "13.0.3",
		bun: "1.4.4",
		deno: "2.9.5",
		miniflare: "4.20260426.0",
	},
});

if (readInstalled() !== manifest) install();

/** What a finished installation has written, or `null`. */
function readInstalled() {
	try {
		return readFileSync(`${folder}installed.json`, "utf8");
	} catch {
		return null;
	}
}

function install() {
	mkdirSync(folder, { recursive: true });
	writeFileSync(`${folder}package.json`, manifest);
	// The programs are in packages of their own. Scripts would only copy them.
	const args = ["install", "--ignore-scripts", "--no-package-lock", "--loglevel=error"];
	const { status } = spawnSync("npm", args, {
		cwd: folder,
		stdio: "inherit",
		shell: process.platform === "win32",
	});
	if (status === 0) writeFileSync(`${folder}installed.json`, manifest);
	else process.exitCode = 1;
}
