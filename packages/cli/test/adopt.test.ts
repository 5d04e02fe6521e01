import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as plugin from "better-auth-tenant";
import * as imports from "better-auth-tenant/imports";
import { Kysely, SqliteDialect } from "kysely";
import Database from "libsql";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { notEmpty } from "../../../testing/not-empty";
import { blocksIn, root, textOf } from "../../../testing/pages";
import { blocksRunBy } from "../../../testing/shell-blocks";
import type { HostDatabase, Rows } from "../../tenant-auth/test/support/worlds/instance";
import { makeOwnTenants } from "../../tenant-auth/test/support/worlds/own-tenants";
import { runSql } from "../../tenant-auth/test/support/worlds/plain-host";
import { runCommand } from "./support/command-in-process";

const PAGE = "docs/from-tenant-column.md";
const PLUGIN = "better-auth-tenant of cli/adopt.test.ts";

/** The plugin comes from its sources, which only the tests can import. */
const config = (blocksIn(textOf(PAGE)).find(({ name }) => name === "auth.ts")?.text ?? "")
	.replaceAll(
		/^import (\{.*\}) from "better-auth-tenant.*$/gm,
		`const $1 = (globalThis as any)[Symbol.for("${PLUGIN}")];`,
	)
	.replace("export const auth", "const secret = 'a secret of thirty-two characters or more';\n$&")
	.replace("database,", "database, secret, logger: { disabled: true },");

const database = `
import { Kysely, SqliteDialect } from "kysely";
import Database from "libsql";

const dialect = new SqliteDialect({ database: new Database(process.env.DATABASE_FILE as string) });
export const database = { db: new Kysely({ dialect }), type: "sqlite" as const, transaction: true };
`;

let folder: string;
beforeAll(() => {
	Reflect.set(globalThis, Symbol.for(PLUGIN), { ...plugin, ...imports });
	folder = mkdtempSync(join(tmpdir(), "adopt-command-"));
	symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
	writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
	writeFileSync(join(folder, "auth.ts"), config);
	writeFileSync(join(folder, "database.ts"), database);
});
afterAll(() => {
	Reflect.deleteProperty(globalThis, Symbol.for(PLUGIN));
	rmSync(folder, { recursive: true, force: true });
});

async function onFile<T>(file: string, work: (on: HostDatabase) => Promise<T>): Promise<T> {
	const db = new Kysely<Rows>({
		dialect: new SqliteDialect({ database: new Database(join(folder, file)) }),
	});
	try {
		return await work({ db, type: "sqlite" });
	} finally {
		await db.destroy();
	}
}

/** An app with two tenants of its own, a user in each, and one without. */
const makeFile = (file: string) =>
	onFile(file, async (on) => {
		const plain = await makeOwnTenants({ ...on, close: async () => {} });
		await runSql(on, "insert into tenant values ('1', 'Acme', 'acme'), ('2', 'Globex', 'globex')");
		for (const [name, tenant] of notEmpty([
			["ada", "'1'"],
			["bob", "'2'"],
			["cleo", "null"],
		])) {
			const { userId } = await plain.signUp(`${name}@example.com`);
			await runSql(on, `update "user" set "tenantId" = ${tenant} where id = '${userId}'`);
		}
	});

const run = (file: string, ...args: string[]) =>
	runCommand(args, { cwd: folder, environment: { DATABASE_FILE: file } });

const tenantsOf = (file: string) =>
	onFile(file, (on) =>
		runSql(on, `select name, "tenantId", "authTenantId" from "user" order by email`),
	);

describe("adopt", () => {
	it("works as written in the guide", async () => {
		await makeFile("guide.db");
		const commands = blocksRunBy(import.meta.url, PAGE).flatMap((block) =>
			block.trim().split("\n"),
		);
		const results = [];
		for (const command of notEmpty(commands)) {
			const [, , ...args] = command.split(" ");
			results.push(await run("guide.db", ...args, "--yes"));
		}
		const [upgraded, dry, done] = results;
		expect(upgraded).toMatchObject({ status: 0, stderr: "" });
		const plan = `1: 1 users, new tenant acme
2: 1 users, new tenant globex
1 users have no value, and stay on the platform.
Rows that move: user 2, session 2, account 2.
`;
		expect(dry).toEqual({ status: 0, stdout: plan, stderr: "" });
		const last = "Done: 2 users moved into 2 tenants.\n";
		expect(done).toEqual({ status: 0, stdout: plan + last, stderr: "" });
		expect(await tenantsOf("guide.db")).toMatchObject([
			{ tenantId: "1", authTenantId: "1" },
			{ tenantId: "2", authTenantId: "2" },
			{ tenantId: null, authTenantId: "" },
		]);
	});

	it("changes nothing without a confirmation, or if something blocks it", async () => {
		await makeFile("blocked.db");
		await run("blocked.db", "upgrade", "--yes");
		const before = await tenantsOf("blocked.db");
		const asked = await run("blocked.db", "adopt", "customerId", "--table", "tenant");
		expect(asked).toMatchObject({ status: 1, stderr: expect.stringContaining("--yes") });
		// Values of one character are not slugs.
		const values = await run("blocked.db", "adopt", "user.customerId", "--yes");
		expect(values.status).toBe(1);
		expect(values.stderr).toMatch(/^Blocked: INVALID_TENANT 1: The slug "1" cannot be used\. /);
		const table = await run("blocked.db", "adopt", "tenantId", "--table", "nothing", "--yes");
		expect(table).toMatchObject({ status: 1, stderr: "There is no table nothing\n" });
		const column = ["adopt", "tenantId", "--table", "tenant", "--slug", "short"];
		expect((await run("blocked.db", ...column)).stderr).toBe(
			"The table tenant has no column short. It has: id, name, slug\n",
		);
		expect(await tenantsOf("blocked.db")).toEqual(before);
	});

	it("prints JSON", async () => {
		await makeFile("json.db");
		await run("json.db", "upgrade", "--yes");
		const args = ["adopt", "tenantId", "--table", "tenant", "--json"];
		const dry = await run("json.db", ...args, "--dry-run");
		expect(JSON.parse(dry.stdout)).toMatchObject({ isDryRun: true, staying: 1, conflicts: [] });
		const done = await run("json.db", ...args, "--yes");
		expect(JSON.parse(done.stdout)).toMatchObject({
			isDryRun: false,
			tenants: [
				{ id: "1", slug: "acme", users: 1 },
				{ id: "2", slug: "globex", users: 1 },
			],
		});
	});
});
