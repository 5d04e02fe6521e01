import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { organization } from "better-auth/plugins";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeInstance } from "../../tenant-auth/test/support/worlds/instance";
import { buildCommand, useProcess } from "./support/built-command";
import { makeCommandFolder } from "./support/command-folder";

let app: ReturnType<typeof makeCommandFolder>;
let installed: ReturnType<typeof useProcess>;

beforeAll(() => {
	app = makeCommandFolder();
	installed = useProcess(buildCommand(), app.folder);
});
afterAll(() => app.remove());

/** A new database with the tenant `acme`. */
const makeDatabase = (name: string) =>
	app.onFile(name, async (on) => {
		const { makeTenant } = await makeInstance({ on, plugins: [organization()] });
		await makeTenant("acme");
	});

const usersIn = (database: string) =>
	app.onFile(database, ({ db }) => db.selectFrom("user").selectAll().orderBy("email").execute());

const reportIn = (name: string) =>
	readFileSync(join(app.folder, name), "utf8")
		.trim()
		.split("\n")
		.map((line) => JSON.parse(line));

describe("the installed command", () => {
	it("finds the app, and imports a file", async () => {
		await makeDatabase("file.db");
		app.copyFixture("users.ndjson");
		const args = ["import", "users.ndjson", "--tenant", "acme", "--yes", "--json"];
		const { status, stdout } = installed.run(args, "file.db");
		expect([status, JSON.parse(stdout)]).toMatchObject([0, { created: 2, failed: 0 }]);
		expect(installed.run(["import"], "file.db")).toMatchObject({ status: 2, stdout: "" });
	});

	it.each(["SIGINT", "SIGKILL"] as const)("goes on after %s, to the same end", async (signal) => {
		const database = `${signal}.db`;
		await makeDatabase(database);
		const total = 3000;
		const lines = Array.from({ length: total }, (_, index) => ({
			externalId: `${index}`,
			email: `user-${index}@example.com`,
		}));
		const file = `${signal}.ndjson`;
		writeFileSync(join(app.folder, file), lines.map((line) => JSON.stringify(line)).join("\n"));
		const report = `${signal}-report.ndjson`;
		const args = ["import", file, "--tenant", "acme", "--yes", "--report", report];
		const code = await installed.interrupt(args, database, signal);
		expect(code).toBe(signal === "SIGINT" ? 130 : null);
		const before = (await usersIn(database)).length;
		expect(before).toBeGreaterThan(0);
		expect(before).toBeLessThan(total);
		// A crash may also cut a row of the report in half.
		appendFileSync(join(app.folder, report), '{"tenantId":"');
		const resumed = JSON.parse(
			await installed.run([...args, "--resume", "--json"], database).stdout,
		);
		expect(resumed.resumed).toBeGreaterThan(0);
		expect(resumed.created).toBe(total - before);
		expect(resumed.resumed + resumed.created + resumed.unchanged).toBe(total);
		expect(await usersIn(database)).toHaveLength(total);
		expect(new Set(reportIn(report).map(({ externalId }) => externalId)).size).toBe(total);
	});
});
