// Runs the worker in workerd, the runtime of Cloudflare, as `wrangler dev` does. Then creates the tables,
// and two tenants at the first start.
import { build } from "esbuild";
import { Miniflare } from "miniflare";

const { PORT = "8787", BETTER_AUTH_SECRET = "", MANAGEMENT_KEY = "" } = process.env;
const origin = `http://localhost:${PORT}`;

const { outputFiles } = await build({
	entryPoints: ["src/worker.ts"],
	bundle: true,
	write: false,
	format: "esm",
	target: "es2022",
	conditions: ["workerd", "worker", "browser"],
	external: ["node:*"],
});

const worker = new Miniflare({
	modules: [{ type: "ESModule", path: "worker.mjs", contents: outputFiles[0].text }],
	compatibilityDate: "2026-04-01",
	compatibilityFlags: ["nodejs_compat"],
	bindings: { BETTER_AUTH_URL: origin, BETTER_AUTH_SECRET, MANAGEMENT_KEY },
	d1Databases: { DB: "app" },
	d1Persist: process.env.DATA_DIR ?? "data",
	host: "localhost",
	port: Number(PORT),
});
await worker.ready;

await manage("/migrate");
await manage("/api/auth/tenant/create", { name: "Acme", slug: "acme" });
await manage("/api/auth/tenant/create", { name: "Globex", slug: "globex" });
console.log(`Open ${origin}`);

async function manage(path, body) {
	const response = await fetch(`${origin}${path}`, {
		method: "POST",
		headers: { authorization: `Bearer ${MANAGEMENT_KEY}`, "content-type": "application/json" },
		body: JSON.stringify(body ?? {}),
	});
	// At the second start, the tenants exist.
	if (!response.ok && response.status !== 409) throw new Error(await response.text());
}
