import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { tenantAuth } from "better-auth-tenant";
import { tenantDomains } from "better-auth-tenant/domains";
import { tenantImports } from "better-auth-tenant/imports";
import { tenantInvitations } from "better-auth-tenant/invitations";
import { tenantSignIns } from "better-auth-tenant/sign-ins";
import { planUpgrade } from "better-auth-tenant/upgrade";
import { tenantWebhooks } from "better-auth-tenant/webhooks";
import { Kysely, SqliteDialect } from "kysely";
import Database from "libsql";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
	readEarlierTables,
	writeEarlierVersion,
} from "../../tenant-auth/test/support/earlier-version";
import {
	type HostDatabase,
	makeInstance,
	type Rows,
} from "../../tenant-auth/test/support/worlds/instance";
import { makePlainHost, runSql, schemaOf } from "../../tenant-auth/test/support/worlds/plain-host";
import { withTenants } from "../../tenant-auth/test/support/worlds/upgraded-app";
import { runCommand } from "./support/command-in-process";

const root = fileURLToPath(new URL("../../../", import.meta.url));

/** Plugins with tables that an earlier version had in `tenantAuth()`, in the order of the notes. */
const features = {
	tenantWebhooks,
	tenantDomains,
	tenantImports,
	tenantInvitations,
	tenantSignIns,
};

const PLUGIN = "better-auth-tenant of cli/upgrade.test.ts";

/**
 * A config as apps have it: in TypeScript, with the path of the database from the environment. The
 * plugin comes from its sources, which only the tests can import.
 */
const config = `
import { betterAuth } from "better-auth";
import { Kysely, SqliteDialect } from "kysely";
import Database from "libsql";

const { tenantAuth, ...features } = (globalThis as any)[Symbol.for("${PLUGIN}")];
const added = (process.env.FEATURES ?? "").split(" ").filter(Boolean);
const database: Database.Database = new Database(process.env.DATABASE_FILE as string);
export const auth = betterAuth({
	baseURL: "http://localhost:3000",
	secret: "a secret of thirty-two characters or more",
	logger: { disabled: true },
	database: { db: new Kysely({ dialect: new SqliteDialect({ database }) }), type: "sqlite" },
	plugins: [tenantAuth(), ...added.map((name) => features[name]())],
});
`;

let folder: string;
beforeAll(() => {
	Reflect.set(globalThis, Symbol.for(PLUGIN), { tenantAuth, ...features });
	folder = mkdtempSync(join(tmpdir(), "upgrade-command-"));
	symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
	writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
	writeFileSync(join(folder, "auth.ts"), config);
});
afterAll(() => {
	Reflect.deleteProperty(globalThis, Symbol.for(PLUGIN));
	rmSync(folder, { recursive: true, force: true });
});

async function onFile<T>(name: string, work: (on: HostDatabase) => Promise<T>): Promise<T> {
	const database = new Database(join(folder, name));
	const db = new Kysely<Rows>({ dialect: new SqliteDialect({ database }) });
	try {
		return await work({ db, type: "sqlite" });
	} finally {
		await db.destroy();
	}
}

/** A database from before there were tenants, with one user. */
const makeFile = (name: string) =>
	onFile(name, async (on) => (await makePlainHost(on)).signUp("ada@example.com"));

const run = (args: string[], environment: Record<string, string> = {}, cwd = folder) =>
	runCommand(args, { cwd, environment });

describe("the command", () => {
	it("prints a script and runs nothing, with --dry-run or without a terminal", async () => {
		await makeFile("dry.db");
		const before = await onFile("dry.db", schemaOf);
		const environment = { DATABASE_FILE: "dry.db" };

		const dry = await run(["upgrade", "--config", "./auth.ts", "--dry-run"], environment);
		const unconfirmed = await run(["upgrade", "--config", "./auth.ts"], environment);

		expect(dry).toMatchObject({ status: 0, stderr: "" });
		expect(dry.stdout).toMatch(/^-- .*\npragma foreign_keys = 0;\n/);
		expect(unconfirmed).toMatchObject({ status: 1, stderr: expect.stringContaining("--yes") });
		expect(unconfirmed.stdout).toBe(dry.stdout);
		expect(await onFile("dry.db", schemaOf)).toEqual(before);
		// The database's own shell can run the script too.
		copyFileSync(join(folder, "dry.db"), join(folder, "by-hand.db"));
		new Database(join(folder, "by-hand.db")).exec(dry.stdout);
		await onFile("by-hand.db", async (on) => {
			expect(await planUpgrade(withTenants(on))).toMatchObject({ statements: [] });
		});
	});

	it("runs the statements with --yes, and finds nothing to do afterwards", async () => {
		const { cookie } = await makeFile("run.db");
		// Many apps have this file. Better Auth's own command reads it too.
		writeFileSync(join(folder, ".env"), "DATABASE_FILE=run.db");

		const first = await run(["upgrade", "--config", "auth.ts", "--yes"]);
		const second = await run(["upgrade", "--config", "auth.ts", "--yes", "--json"]);

		expect(first).toMatchObject({ status: 0, stderr: "" });
		expect(first.stdout).toMatch(/\nDone: \d+ statements on SQLite\.\n$/);
		expect(second.status).toBe(0);
		expect(JSON.parse(second.stdout)).toEqual({
			database: "sqlite",
			statements: [],
			storageEntries: 0,
			blockers: [],
			notes: [],
			ran: false,
		});
		await onFile("run.db", async (on) => {
			const { call, makeTenant, signUp } = await makeInstance({ on });
			expect((await call("/get-session", { cookie })).body.user.tenantId).toBe(null);
			expect((await signUp(await makeTenant(), "ada@example.com")).status).toBe(200);
		});
	});

	it("prints what blocks it", async () => {
		await makeFile("blocked.db");
		await onFile("blocked.db", (on) =>
			runSql(on, `create table newsletter (email text references "user" (email))`),
		);
		const args = ["upgrade", "--config", "auth.ts", "--yes"];
		const { status, stderr } = await run(args, { DATABASE_FILE: "blocked.db" });
		expect(status).toBe(1);
		expect(stderr).toMatch(/^Blocked: newsletter has a foreign key to user\.email.*\.\n$/);
	});

	const moved = Object.keys(features);

	it.each([
		["all plugins", moved],
		["no other plugin", []],
		...moved.map((name): [string, string[]] => [name, [name]]),
	])("keeps all rows of an earlier version in an app with %s", async (name, plugins) => {
		const absent = moved.filter((each) => !plugins.includes(each));
		const file = `${name}.db`;
		const before = await onFile(file, async (on) => {
			await writeEarlierVersion(on);
			return readEarlierTables(on);
		});
		const args = ["upgrade", "--config", "auth.ts", "--yes"];
		const environment = { DATABASE_FILE: file, FEATURES: plugins.join(" ") };

		const first = await run(args, environment);
		const second = await run(args, environment);

		expect(first).toMatchObject({ status: 0, stderr: second.stderr });
		expect(first.stdout).toMatch(/\nDone: \d+ statements on SQLite\.\n$/);
		expect(second.stdout).toBe("Nothing to do: the database is up to date.\n");
		const named = [...second.stderr.matchAll(/^Note: There are rows of (\w+)\(\)/gm)];
		expect(named.map(([, plugin]) => plugin)).toEqual(absent);
		expect(await onFile(file, readEarlierTables)).toEqual(before);
	});

	it("prints which plugin has the name of a table", async () => {
		await makeFile("hooks.db");
		await onFile("hooks.db", (on) => runSql(on, `create table "tenantWebhook" (id text)`));
		const args = ["upgrade", "--config", "auth.ts", "--yes"];
		const environment = { DATABASE_FILE: "hooks.db", FEATURES: "tenantWebhooks" };
		const { status, stderr } = await run(args, environment);
		expect(status).toBe(1);
		expect(stderr).toMatch(/^Blocked: The table tenantWebhook is not of tenantWebhooks: /);
		expect(stderr).toContain("tenantWebhooks({ schema: { tenantWebhook: ");
		expect((await run(args, { ...environment, FEATURES: "" })).status).toBe(0);
	});

	it("finds the config, and reads TypeScript with path aliases and server-only modules", async () => {
		const app = join(folder, "app-with-aliases");
		const write = (path: string, text: string) => {
			mkdirSync(dirname(join(app, path)), { recursive: true });
			writeFileSync(join(app, path), text);
		};
		// No "type": most apps with a bundler have none, and Node would read .ts files as CommonJS.
		write("package.json", "{}");
		write("tsconfig.json", '{ "extends": "./config/base.json" } // a comment');
		write("config/base.json", '{ "compilerOptions": { "paths": { "@/*": ["../src/*"] } } }');
		write("src/lib/db.ts", 'export { file as DATABASE } from "./file";');
		write("src/lib/file.ts", "export const file: string = process.env.DATABASE_FILE as string;");
		write(
			"src/lib/auth.ts",
			config
				.replace(
					"\nimport",
					'\nimport "server-only";\nimport { DATABASE } from "@/lib/db";\nimport',
				)
				.replace("process.env.DATABASE_FILE as string", "DATABASE")
				.replace("logger: { disabled: true },", "")
				.concat('console.log("the app is loaded");'),
		);
		await makeFile("aliases.db");
		const environment = { DATABASE_FILE: join(folder, "aliases.db") };
		const dry = await run(["upgrade", "--dry-run"], environment, app);
		expect(dry).toMatchObject({ status: 0, stderr: "the app is loaded\n" });
		expect(dry.stdout).toMatch(/^-- .*\npragma foreign_keys = 0;\n/);
		const done = await run(["upgrade", "--yes", "--json"], environment, app);
		expect(JSON.parse(done.stdout)).toMatchObject({ ran: true, blockers: [] });
	});

	it("prints its usage, where it looked for the config, and what it cannot import", async () => {
		const nowhere = mkdtempSync(join(tmpdir(), "upgrade-command-"));
		const lost = await run(["upgrade"], {}, nowhere);
		rmSync(nowhere, { recursive: true });
		expect(lost).toMatchObject({ status: 1, stdout: "" });
		expect(lost.stderr).toMatch(/^No auth\.ts found .*Use --config <file>\n$/);
		expect(await run([])).toMatchObject({ status: 2, stdout: "" });
		expect((await run(["upgrade", "--wrong"])).stderr).toMatch(/--wrong[\s\S]*--config <file>/);
		expect(await run(["--help"])).toMatchObject({ status: 0, stderr: "" });
		expect((await run(["upgrade", "--config", "none.ts"])).stderr).toMatch(
			/^File not found: .*none\.ts\n$/,
		);
		writeFileSync(join(folder, "empty.mjs"), "export const nothing = 0;");
		expect((await run(["upgrade", "--config", "empty.mjs"])).stderr).toMatch(
			/must export Better Auth as "auth"/,
		);
	});
});
