import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { request } from "undici";
import { describe, expect, onTestFinished, test } from "vitest";
import { mysqlDatabase, postgresDatabase } from "../../../apps/server/test/temporary-database";
import { startApp } from "../../../examples/test/running-example";
import { services } from "../../../testing/services";
import type { Database } from "../src/databases";
import { FRAMEWORKS } from "../src/frameworks";
import { runStarter } from "./built-starter";

/** Creates an empty database. Returns the variables that the app needs for it. */
const databases: Record<Database, () => Promise<Record<string, string>>> = {
	sqlite: async () => ({}),
	postgres: async () => ({ DATABASE_URL: await postgresDatabase(services.postgres ?? "") }),
	mysql: async () => ({ DATABASE_URL: await mysqlDatabase(services.mysql ?? "") }),
	"drizzle-postgres": async () => ({
		DATABASE_URL: await postgresDatabase(services.postgres ?? ""),
	}),
};
const available = (Object.keys(databases) as Database[]).filter((database) => {
	if (database === "sqlite") return true;
	return services[database === "drizzle-postgres" ? "postgres" : database];
});

describe.skipIf(!services.examples).each(Object.keys(FRAMEWORKS))("an app with %s", (framework) => {
	test.each(available)(
		"and %s compiles, and one email signs in at two tenants",
		async (database) => {
			const app = createApp(framework, database);
			const { url, startOutput } = await startApp(app, await databases[database]());
			// Better Auth logs nothing, such as warnings about missing tables.
			expect(startOutput).not.toContain("[Better Auth]");
			const acme = await tenantAt(url, "acme");
			const globex = await tenantAt(url, "globex");
			const one = await acme("sign-up", "the password at Acme");
			const other = await globex("sign-up", "the password at Globex");
			expect([one.status, other.status]).toEqual([200, 200]);
			expect(one.userId).not.toBe(other.userId);

			expect(await acme("sign-in", "the password at Acme")).toEqual(one);
			expect(await globex("sign-in", "the password at Globex")).toEqual(other);
			expect((await acme("sign-in", "the password at Globex")).status).toBe(401);
			expect((await fetch(url)).status).toBe(200);
			compile(app);
			if (database === "drizzle-postgres") expect(generate(app)).toContain("No schema changes");
		},
	);
});

/** In the folder of the examples, where the packages are installed. */
function createApp(framework: string, database: string): string {
	const folder = join(services.examples ?? "", "generated");
	mkdirSync(folder, { recursive: true });
	const name = `${framework}-${database}`;
	onTestFinished(() => rmSync(join(folder, name), { recursive: true, force: true }));
	rmSync(join(folder, name), { recursive: true, force: true });
	const choices = ["--framework", framework, "--database", database, "--no-install"];
	expect(runStarter(folder, name, ...choices)).toMatchObject({ status: 0, stderr: "" });
	return join(folder, name);
}

/** Throws the output of the compiler. */
function compile(app: string): void {
	const tsc = join(services.examples ?? "", "node_modules/typescript/bin/tsc");
	execFileSync(process.execPath, [tsc, "--noEmit"], { cwd: app, stdio: "pipe", encoding: "utf8" });
}

/** Asks Drizzle whether the migrations of the app make the tables of its schema. */
const generate = (app: string): string =>
	execFileSync("npm", ["run", "generate"], { cwd: app, stdio: "pipe", encoding: "utf8" });

/** Sends what a page of a tenant would send. */
async function tenantAt(url: string, slug: string) {
	const api = `${url}/api/auth/tenant`;
	// Each tenant has a subdomain, which not every machine can look up. `fetch` would not send another
	// host than that of the URL.
	const host = `${slug}.${new URL(url).host}`;
	const headers = { "content-type": "application/json", host, origin: `http://${host}` };
	const options = await request(`${api}/login-options?slug=${slug}`, { headers });
	const { tenant } = (await options.body.json()) as { tenant: { id: string } };
	return async (action: "sign-up" | "sign-in", password: string) => {
		const { statusCode, body } = await request(`${api}/${action}/email`, {
			method: "POST",
			headers,
			body: JSON.stringify({
				tenantId: tenant.id,
				name: "Ada",
				email: "ada@example.com",
				password,
			}),
		});
		const { user } = (await body.json()) as { user?: { id: string } };
		return { status: statusCode, userId: user?.id };
	};
}
