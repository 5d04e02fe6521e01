// Starts the service in a process of its own, creates two tenants, and registers this app once, for all
// tenants.
import { spawn } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const { SERVICE_PORT = "3000", DATA_DIR = "data" } = process.env;
export const authUrl = `http://localhost:${SERVICE_PORT}`;

/** Returns the credentials of the app at the service. */
export async function startService(application, settings = {}) {
	const program = fileURLToPath(
		import.meta.resolve("better-auth-tenant-server/bin/tenant-auth.mjs"),
	);
	const service = spawn(process.execPath, [program, "serve"], {
		env: { ...process.env, ...settings, PORT: SERVICE_PORT, BETTER_AUTH_URL: authUrl, DATA_DIR },
		stdio: ["ignore", "pipe", "inherit"],
	});
	process.on("exit", () => service.kill());
	process.on("SIGINT", () => process.exit());
	process.on("SIGTERM", () => process.exit());
	// It does not start if another program has its port, and says so.
	service.on("close", (code) => process.exit(code ?? 1));
	await untilItListens(service.stdout);
	await manage("/tenant/create", { name: "Acme", slug: "acme" });
	await manage("/tenant/create", { name: "Globex", slug: "globex" });
	const file = join(DATA_DIR, "application.json");
	if (!existsSync(file)) {
		const created = await manage("/operator/application/create", application);
		writeFileSync(file, JSON.stringify(created), { mode: 0o600 });
	}
	return JSON.parse(readFileSync(file, "utf8"));
}

/** Not a request to its port: another service there would answer it. */
function untilItListens(output) {
	return new Promise((resolve) => {
		let text = "";
		output.on("data", (chunk) => {
			text += chunk;
			if (/^Listening on|"localUrl"/m.test(text)) resolve();
		});
	});
}

/** The first start of the service has generated the key. */
async function manage(path, body) {
	const { managementKey } = JSON.parse(readFileSync(join(DATA_DIR, "secrets.json"), "utf8"));
	const response = await fetch(`${authUrl}/api/auth${path}`, {
		method: "POST",
		headers: { authorization: `Bearer ${managementKey}`, "content-type": "application/json" },
		body: JSON.stringify(body),
	});
	// At the second start, the tenants exist.
	if (!response.ok && response.status !== 409) throw new Error(await response.text());
	return response.json();
}
