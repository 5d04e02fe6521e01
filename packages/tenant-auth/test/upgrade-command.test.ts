import { execFileSync, spawnSync } from "node:child_process";
import { copyFileSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { planUpgrade } from "better-auth-tenant/upgrade";
import { Kysely, SqliteDialect } from "kysely";
import Database from "libsql";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type HostDatabase, makeInstance, type Rows } from "./support/instance";
import { makePlainHost, runSql, schemaOf } from "./support/plain-host";
import { withTenants } from "./support/upgrade-behaviours";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const command = join(root, "packages/tenant-auth/dist/command/main.mjs");

/** As a host has it: in TypeScript, with the database's place from the environment. */
const config = `
import { betterAuth } from "better-auth";
import { tenantAuth } from "better-auth-tenant";
import { Kysely, SqliteDialect } from "kysely";
import Database from "libsql";

const database: Database.Database = new Database(process.env.DATABASE_FILE as string);
export const auth = betterAuth({
	baseURL: "http://localhost:3000",
	secret: "a secret of thirty-two characters or more",
	logger: { disabled: true },
	database: { db: new Kysely({ dialect: new SqliteDialect({ database }) }), type: "sqlite" },
	plugins: [tenantAuth()],
});
`;

let folder: string;
beforeAll(() => {
	// The package as it would be installed: built.
	execFileSync(process.execPath, ["scripts/ready.mjs", "--no-install"], {
		cwd: root,
		stdio: "pipe",
	});
	folder = mkdtempSync(join(tmpdir(), "upgrade-command-"));
	symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
	writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
	writeFileSync(join(folder, "auth.ts"), config);
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function onFile<T>(name: string, work: (on: HostDatabase) => Promise<T>): Promise<T> {
	const database = new Database(join(folder, name));
	const db = new Kysely<Rows>({ dialect: new SqliteDialect({ database }) });
	try {
		return await work({ db, type: "sqlite" });
	} finally {
		await db.destroy();
	}
}

/** A database of before there were tenants, with one user. */
const makeFile = (name: string) =>
	onFile(name, async (on) => (await makePlainHost(on)).signUp("ada@example.com"));

function run(args: string[], environment: Record<string, string> = {}, cwd = folder) {
	const { status, stdout, stderr } = spawnSync(process.execPath, [command, ...args], {
		cwd,
		env: { PATH: process.env.PATH, ...environment },
		encoding: "utf8",
	});
	return { status, stdout, stderr };
}

describe("the command", () => {
	it("prints a script and runs nothing, with --dry-run or with nobody to ask", async () => {
		await makeFile("dry.db");
		const before = await onFile("dry.db", schemaOf);
		const environment = { DATABASE_FILE: "dry.db" };

		const dry = run(["upgrade", "--config", "./auth.ts", "--dry-run"], environment);
		const unasked = run(["upgrade", "--config", "./auth.ts"], environment);

		expect(dry).toMatchObject({ status: 0, stderr: "" });
		expect(dry.stdout).toMatch(/^-- .*\npragma foreign_keys = 0;\n/);
		expect(unasked).toMatchObject({ status: 1, stderr: expect.stringContaining("--yes") });
		expect(unasked.stdout).toBe(dry.stdout);
		expect(await onFile("dry.db", schemaOf)).toEqual(before);
		// The script is one for the database's own shell, too.
		copyFileSync(join(folder, "dry.db"), join(folder, "by-hand.db"));
		new Database(join(folder, "by-hand.db")).exec(dry.stdout);
		await onFile("by-hand.db", async (on) => {
			expect(await planUpgrade(withTenants(on))).toMatchObject({ statements: [] });
		});
	}, 60_000);

	it("runs it with --yes, and finds nothing to do afterwards", async () => {
		const { cookie } = await makeFile("run.db");
		// As hosts often have it; the file is read as Better Auth's own command reads it.
		writeFileSync(join(folder, ".env"), "DATABASE_FILE=run.db");

		const first = run(["upgrade", "--config", "auth.ts", "--yes"]);
		const second = run(["upgrade", "--config", "auth.ts", "--yes", "--json"]);

		expect(first).toMatchObject({ status: 0, stderr: "" });
		expect(first.stdout).toMatch(/\nDone: \d+ statements on SQLite\.\n$/);
		expect(second.status).toBe(0);
		expect(JSON.parse(second.stdout)).toEqual({
			database: "sqlite",
			statements: [],
			refusals: [],
			notes: [],
			ran: false,
		});
		await onFile("run.db", async (on) => {
			const { call, makeTenant, signUp } = await makeInstance({ on });
			expect((await call("/get-session", { cookie })).body.user.tenantId).toBe(null);
			expect((await signUp(await makeTenant(), "ada@example.com")).status).toBe(200);
		});
	}, 60_000);

	it("says what it refuses", async () => {
		await makeFile("refused.db");
		await onFile("refused.db", (on) =>
			runSql(on, `create table letter (address text references "user" (email))`),
		);
		const args = ["upgrade", "--config", "auth.ts", "--yes"];
		const { status, stderr } = run(args, { DATABASE_FILE: "refused.db" });
		expect(status).toBe(1);
		expect(stderr).toMatch(/^Refused: letter has a foreign key to user\.email.*\.\n$/);
	}, 60_000);

	it("says in a sentence how it is called, and what it cannot import", () => {
		expect(run(["upgrade"])).toMatchObject({ status: 2, stdout: "" });
		expect(run(["upgrade", "--wrong"]).stderr).toMatch(/--wrong[\s\S]*--config <file>/);
		expect(run(["--help"])).toMatchObject({ status: 0, stderr: "" });
		expect(run(["upgrade", "--config", "none.ts"]).stderr).toMatch(
			/^There is no file .*none\.ts\n$/,
		);
		writeFileSync(join(folder, "empty.mjs"), "export const nothing = 0;");
		expect(run(["upgrade", "--config", "empty.mjs"]).stderr).toMatch(/neither as "auth" nor by/);
	}, 60_000);

	// Node 22.18 and newer read it.
	it.skipIf("typescript" in process.features && process.features.typescript)(
		"names a way to import TypeScript where there is none",
		() => {
			const elsewhere = mkdtempSync(join(tmpdir(), "upgrade-command-"));
			writeFileSync(join(elsewhere, "auth.ts"), config);
			const { status, stderr } = run(["upgrade", "--config", "auth.ts"], {}, elsewhere);
			rmSync(elsewhere, { recursive: true });
			expect(status).toBe(1);
			expect(stderr).toMatch(/^Node .* cannot import .*NODE_OPTIONS="--import tsx".*\n$/);
		},
	);
});
