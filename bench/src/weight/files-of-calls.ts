/**
 * Prints how many files of the plugin run in a call: those with a named function that ran, if the same
 * call has run before. It runs as one file, made from this one and the sources of the plugin.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { Session } from "node:inspector/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDatabase } from "../host/database";
import { MANAGEMENT_KEY, makeHost, ORIGIN } from "../host/host";
import { replaceGitlab } from "../host/identity-provider";
import { tenantId } from "../seeding/identities";
import { seedDatabase } from "../seeding/seed-database";
import { perform, type RequestMaker, tenantOperations } from "../setup/operations";

const bundle = readFileSync(new URL(import.meta.url), "utf8");
const population = { tenants: 1, users: 1 };
const folder = mkdtempSync(join(tmpdir(), "better-auth-tenant-weight-"));
const address = `file:${join(folder, "weight.db")}`;
replaceGitlab();
await seedDatabase({ address, ...population });
const database = openDatabase(address);
const host = makeHost(database, { subject: "tenant" });
const session = new Session();
session.connect();
await session.post("Profiler.enable");
await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });

const operations = tenantOperations(host, population);
let lifetime = 3600;
const updatePolicy = () =>
	new Request(`${ORIGIN}/api/auth/tenant/policy/update`, {
		method: "POST",
		headers: { "content-type": "application/json", authorization: `Bearer ${MANAGEMENT_KEY}` },
		body: JSON.stringify({ tenantId: tenantId(0), session: { lifetime: lifetime++ } }),
	});
const counts = {
	"sign-in": await countFiles(operations["sign-in"]),
	callback: await countFiles(operations.callback),
	"get-session": await countFiles(operations["get-session"]),
	"policy update": await countFiles(updatePolicy),
};
await database.close();
rmSync(folder, { recursive: true });
console.log(JSON.stringify(counts));

async function countFiles(makeRequest: RequestMaker): Promise<number> {
	for (let warm = 0; warm < 3; warm++) await perform(host, await makeRequest(0));
	const request = await makeRequest(0);
	// Forgets what has run until now.
	await session.post("Profiler.takePreciseCoverage");
	await perform(host, request);
	const { result } = await session.post("Profiler.takePreciseCoverage");
	const called = result
		.filter(({ url }) => url === import.meta.url)
		.flatMap(({ functions }) => functions)
		.filter(({ functionName, ranges }) => functionName && ranges[0]?.count);
	return new Set(called.flatMap(({ ranges }) => fileAt(ranges[0]?.startOffset ?? 0))).size;
}

/** esbuild writes the path of each file above its code. */
function fileAt(offset: number): string[] {
	const path =
		bundle
			.slice(0, offset)
			.match(/^\/\/ \S+\.(ts|mjs)$/gm)
			?.at(-1) ?? "";
	return path.includes("packages/tenant-auth/src/") ? [path] : [];
}
