import { getMigrations } from "better-auth/db/migration";
import { planUpgrade } from "better-auth-tenant/upgrade";
import { CamelCasePlugin, Kysely, SqliteDialect } from "kysely";
import Database from "libsql";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type OpenDatabase, openSqlite } from "../support/databases/databases";
import { makeInstance, type Rows } from "../support/worlds/instance";
import { makePlainHost, runSql, schemaOf, sqlOf } from "../support/worlds/plain-host";
import { pluginWithoutRemovedFields, upgrade, withTenants } from "../support/worlds/upgraded-app";

let on: OpenDatabase;
beforeEach(async () => {
	on = await openSqlite();
});
afterEach(() => on.close());

async function run(...statements: string[]): Promise<unknown[]> {
	let rows: unknown[] = [];
	for (const statement of statements) rows = await runSql(on, statement);
	return rows;
}

/** Replaces Better Auth's table while it is empty. */
const replaceUserTable = (columns: string) =>
	run(`drop table "user"`, `create table "user" ${columns}`);

const REST = `"emailVerified" integer not null, "image" text, "createdAt" date not null, "updatedAt" date not null`;

describe("the user table, created again without its unique constraint", () => {
	it("keeps the app's columns, indexes, triggers, views and the rows of other tables", async () => {
		const plain = await makePlainHost(on);
		const ada = await plain.signUp("ada@example.com");
		const bob = await plain.signUp("bob@example.com");
		await run(
			"pragma foreign_keys = on",
			`alter table "user" add column nickname text not null default 'it''s, (none)' check (length(nickname) < 40)`,
			`alter table "user" add column shout text generated always as (upper(nickname)) virtual`,
			`create index by_nickname on "user" (nickname)`,
			"create table renames (who text, at text)",
			`create trigger renamed after update of name on "user" begin insert into renames values (new.id, 'now'); end`,
			`create trigger seen after insert on session begin update "user" set nickname = 'seen' where id = new.userId; end`,
			`create view emails as select email from "user"`,
			'create table note (author text references "user" (id) on delete cascade, body text)',
			`insert into note values ('${ada.userId}', 'mine')`,
			`delete from "user" where id = '${bob.userId}'`,
		);
		const rowBefore = await run(`select rowid, * from "user"`);

		await upgrade(on);

		const [row] = (await run(`select rowid, * from "user"`)) as object[];
		expect(row).toEqual({
			...(rowBefore[0] as object),
			...{ tenantId: "", tenantRole: null, disabledAt: null },
		});
		expect(await run("select body from note")).toEqual([{ body: "mine" }]);
		expect(await run("select userId from session")).toEqual([{ userId: ada.userId }]);
		expect(await run("select email from emails")).toEqual([{ email: "ada@example.com" }]);
		expect(await run("pragma foreign_keys")).toEqual([{ foreign_keys: 1 }]);
		expect(await run("pragma foreign_key_check")).toEqual([]);
		await run(`update "user" set name = 'Countess'`);
		expect(await run("select who from renames")).toEqual([{ who: ada.userId }]);
		await expect(run(`update "user" set nickname = '${"x".repeat(50)}'`)).rejects.toThrow(/CHECK/);
		const { call, makeTenant, signUp } = await makeInstance({ on });
		expect((await call("/get-session", { cookie: ada.cookie })).body.user.id).toBe(ada.userId);
		expect((await signUp(await makeTenant(), "ada@example.com")).status).toBe(200);
		expect(await run(`select distinct nickname from "user" where "tenantId" <> ''`)).toEqual([
			{ nickname: "seen" },
		]);
		expect(JSON.stringify(await schemaOf(on))).toContain("by_nickname");
		await run(`delete from "user"`);
		expect(await run("select * from note")).toEqual([]);
	});

	it.each([
		[
			"in its column",
			`("id" text primary key, "name" text, "email" text not null unique, ${REST})`,
		],
		[
			"with a name, a conflict clause and comments around it",
			`(id text primary key, -- unique, and (not) the email
				name text, email TEXT COLLATE NOCASE /* unique */ CONSTRAINT "one, (only)" UNIQUE ON CONFLICT ABORT NOT NULL, ${REST})`,
		],
		[
			"after the columns",
			`("id" text not null, [name] text default 'a, unique b', \`email\` text, ${REST},
				primary key (id), constraint one_email unique ("email" asc) on conflict abort, check (length(name) > 0))`,
		],
		[
			"on a table without rowids",
			`(id text primary key, name text, email text unique, ${REST}) without rowid`,
		],
	])("is found %s", async (_, columns) => {
		const plain = await makePlainHost(on);
		await replaceUserTable(columns);
		const { cookie } = await plain.signUp("ada@example.com");

		await upgrade(on);

		const { call, makeTenant, signUp } = await makeInstance({ on });
		expect((await call("/get-session", { cookie })).body.user.email).toBe("ada@example.com");
		expect((await signUp(await makeTenant(), "ada@example.com")).status).toBe(200);
	});

	it("does not use the id of a deleted user again", async () => {
		const options = { advanced: { database: { generateId: "serial" as const } } };
		const plain = await makePlainHost(on, options);
		await replaceUserTable(
			`(id integer primary key autoincrement, name text, email text unique, ${REST})`,
		);
		const ada = await plain.signUp("ada@example.com");
		const bob = await plain.signUp("bob@example.com");
		await run(`delete from "user" where id = ${bob.userId}`);

		await upgrade(on, options);

		const { makeTenant, signUp } = await makeInstance({ on, ...options });
		const { body } = await signUp(await makeTenant(), "ada@example.com");
		expect([ada.userId, bob.userId, body.user.id].map(Number)).toEqual([1, 2, 3]);
	});

	it("loses the columns of an earlier version in the same upgrade, and nothing else", async () => {
		const plain = await makePlainHost(on);
		const { cookie } = await plain.signUp("ada@example.com");
		await (await getMigrations(withTenants(on))).runMigrations();
		for (const table of ["user", "tenantOauthConfig"]) {
			const columns = await run(`select name from pragma_table_info('${table}')`);
			if (JSON.stringify(columns).includes("tenantSuspended")) continue;
			await run(`alter table "${table}" add column "tenantSuspended" integer`);
		}
		await run(`alter table "user" add column nickname text default 'none'`);
		const [before] = (await run(`select rowid, * from "user"`)) as Record<string, unknown>[];

		await upgrade(on, { plugins: [pluginWithoutRemovedFields()] });

		const { tenantSuspended: _, ...kept } = before ?? {};
		expect(await run(`select rowid, * from "user"`)).toEqual([kept]);
		const { call, makeTenant, signUp } = await makeInstance({ on });
		expect((await call("/get-session", { cookie })).body.user.email).toBe("ada@example.com");
		expect((await signUp(await makeTenant(), "ada@example.com")).status).toBe(200);
	});

	it("is unchanged if the upgrade fails in the middle", async () => {
		const plain = await makePlainHost(on);
		const { cookie } = await plain.signUp("ada@example.com");
		await run("pragma foreign_keys = on", `create index "tenantRow" on session (token)`);
		const before = await schemaOf(on);

		await expect(upgrade(on)).rejects.toThrow(/tenantRow.*at: create table "tenantRow"/i);

		expect(await schemaOf(on)).toEqual(before);
		expect(await run("pragma foreign_keys")).toEqual([{ foreign_keys: 1 }]);
		await run(`drop index "tenantRow"`);
		await upgrade(on);
		const { call } = await makeInstance({ on });
		expect((await call("/get-session", { cookie })).body.user.email).toBe("ada@example.com");
	});
});

describe("an upgrade that would delete rows of other tables together with the old table", () => {
	it("is rolled back", async () => {
		const database = new Database(":memory:");
		const db = new Kysely<Rows>({ dialect: new SqliteDialect({ database }) });
		on = { ...on, db };
		const plain = await makePlainHost(on);
		const { cookie } = await plain.signUp("ada@example.com");
		await run("pragma foreign_keys = on");
		// For example a driver that runs this statement on another connection.
		const prepare = database.prepare.bind(database);
		database.prepare = (sql) => prepare(sql === "pragma foreign_keys = 0" ? "select 1" : sql);

		await expect(upgrade(on)).rejects.toThrow(/lost something in .*session.*Nothing was changed/);

		const session = await plain.auth.api.getSession({ headers: new Headers({ cookie }) });
		expect(session?.user.email).toBe("ada@example.com");
		await db.destroy();
	});
});

describe("an upgrade", () => {
	it("does not change a unique index with a condition or an expression, and says so", async () => {
		await makePlainHost(on);
		await run(
			`create unique index whatever_case on "user" (lower(email))`,
			`create unique index of_verified on "user" (email) where "emailVerified" = 1`,
			`create unique index of_names on "user" (lower(name))`,
		);
		const { notes, blockers } = await planUpgrade(withTenants(on));
		expect(blockers).toEqual([]);
		expect(notes.map((note) => note.split(" ")[0]).sort()).toEqual([
			"of_verified",
			"whatever_case",
		]);
	});

	it("is blocked while two users have the same email, where no index prevented it", async () => {
		await makePlainHost(on);
		await replaceUserTable(`(id text primary key, name text, email text, ${REST})`);
		const values = (id: string) => `('${id}', 'A', 'ada@example.com', 0, null, 0, 0)`;
		await run(`insert into "user" values ${values("a")}, ${values("b")}`);
		const { blockers } = await planUpgrade(withTenants(on));
		expect(blockers.join()).toContain("1 value is in several rows of user");
	});

	it.each([
		["a dialect", (dialect: SqliteDialect) => dialect],
		["a dialect with its type", (dialect: SqliteDialect) => ({ dialect, type: "sqlite" as const })],
	])("accepts %s as the database", async (_, toDatabase) => {
		const database = new Database(":memory:");
		const options = { ...withTenants(on), database: toDatabase(new SqliteDialect({ database })) };
		await (await planUpgrade(options)).run();
		expect((await planUpgrade(options)).statements).toEqual([]);
		expect(database.prepare("select * from tenant").all()).toEqual([]);
	});

	it("says which databases it supports", async () => {
		const options = withTenants(on);
		const adapter = { ...options, database: () => ({}) as never };
		await expect(planUpgrade(adapter)).rejects.toThrow(/Drizzle, Prisma, .* npx auth generate /);
		const camelCase = {
			...options,
			database: { db: sqlOf(on).withPlugin(new CamelCasePlugin()), type: "sqlite" as const },
		};
		await expect(planUpgrade(camelCase)).rejects.toThrow("CamelCasePlugin");
		await expect(planUpgrade({ ...options, plugins: [] })).rejects.toThrow(
			/tenantAuth\(\) is not in/,
		);
	});
});
