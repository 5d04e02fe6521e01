import { fstatSync, mkdirSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { notEmpty } from "../../../testing/not-empty";
import { repeatLostMigrations } from "../src/database/migrate";
import { isOutage, StoreUnavailableError } from "../src/database/outage";
import { breakableConnection } from "./breakable-connection";
import { command } from "./cli-command";
import { databaseServers } from "./database-servers";
import { asManager, cookiesOf, newTenant, newUser, runningService } from "./running-service";
import { temporaryDirectory } from "./temporary-directory";

const failed = (message: string, fields: object) => Object.assign(new Error(message), fields);

test.each([
	["a refused connection", failed("", { code: "ECONNREFUSED" }), true],
	["two refused connections", new AggregateError([failed("", { code: "ECONNREFUSED" })]), true],
	["a cause", new Error("wrapped", { cause: failed("", { code: "EPIPE" }) }), true],
	["PostgreSQL stops", failed("terminating connection", { code: "57P01" }), true],
	["PostgreSQL has too many clients", failed("sorry", { code: "53300" }), true],
	["PostgreSQL's pool", new Error("timeout exceeded when trying to connect"), true],
	[
		"a client of PostgreSQL that was ended",
		new Error("Client was closed and is not queryable"),
		true,
	],
	["no time left", new StoreUnavailableError("No response"), true],
	["a closed connection", new Error("Connection terminated unexpectedly"), true],
	["a unique index", failed("duplicate key", { code: "23505" }), false],
	["MySQL has gone", failed("", { code: "PROTOCOL_CONNECTION_LOST" }), true],
	["a closed state", failed("Can't add new command", { fatal: true }), true],
	["a duplicate in MySQL", failed("", { code: "ER_DUP_ENTRY" }), false],
	["Redis is away", new Error("Stream isn't writeable and enableOfflineQueue is false"), true],
	["a full disk", failed("", { code: "SQLITE_FULL" }), true],
	["a constraint of SQLite", failed("", { code: "SQLITE_CONSTRAINT_UNIQUE" }), false],
	["PostgreSQL was demoted", failed("cannot execute INSERT", { code: "25006" }), true],
	["PostgreSQL does not know if it is done", failed("unknown", { code: "40003" }), true],
	["PostgreSQL ended what waits for us", failed("idle", { code: "25P03" }), true],
	["PostgreSQL canceled a statement", failed("canceling statement", { code: "57014" }), true],
	["a lost race in PostgreSQL", failed("could not serialize", { code: "40001" }), false],
	["MySQL is offline", failed("offline mode", { code: "ER_SERVER_OFFLINE_MODE" }), true],
	["MySQL closed an idle connection", failed("", { code: "ER_CLIENT_INTERACTION_TIMEOUT" }), true],
	["a node without a quorum", failed("WSREP has not", { code: "ER_UNKNOWN_COM_ERROR" }), true],
	["a read-only MySQL", failed("--read-only", { code: "ER_OPTION_PREVENTS_STATEMENT" }), true],
	["MariaDB ended the connection", failed("killed", { errno: 1927 }), true],
	["a wrong command", failed("ERR unknown command 'GETS'", { name: "ReplyError" }), false],
	["another error in these words", new Error("ASK somebody"), false],
	["a bug", new TypeError("x is not a function"), false],
])("%s", (_, error, expected) => {
	expect(isOutage(error)).toBe(expected);
});

test.each([
	"READONLY You can't write against a read only replica.",
	"OOM command not allowed when used memory > 'maxmemory'.",
	"MISCONF Redis is configured to save RDB snapshots, but it's unable to persist to disk.",
	"LOADING Redis is loading the dataset in memory",
	"MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'.",
	"NOREPLICAS Not enough good replicas to write.",
	"CLUSTERDOWN The cluster is down",
	"TRYAGAIN Multiple keys request during rehashing of slot",
	"MOVED 3999 127.0.0.1:6381",
	"ASK 3999 127.0.0.1:6381",
	"ERR max number of clients reached",
	"ERR Error running script (call to f_1): @user_script:2: @user_script: 2: -OOM command not allowed",
])("of Redis: %s", (message) => {
	expect(isOutage(failed(message, { name: "ReplyError" }))).toBe(true);
});

test("a database that does not write makes the server unready, and writes get 503", async () => {
	const service = await runningService();
	const { call, post, backend } = service;
	const tenantId = await newTenant(post);
	// SQLite refuses to grow, as on a full disk.
	const { db } = backend.database;
	await sql`pragma max_page_count = 1`.execute(db);
	const answer = await post(
		"/tenant/create",
		{ name: "x".repeat(200), slug: "globex", metadata: { text: "x".repeat(9000) } },
		asManager,
	);
	expect(answer.status).toBe(503);
	expect(answer.headers.get("retry-after")).toBe("5");
	expect((await call(`/api/auth/tenant/login-options?tenantId=${tenantId}`)).status).toBe(200);
});

test("/readyz tries a write again as soon as one has failed", async () => {
	const { call, post, backend } = await runningService();
	expect((await call("/readyz")).status).toBe(200);
	const { db } = backend.database;
	await db.schema.alterTable("service_job").renameTo("gone").execute();
	await sql`pragma max_page_count = 1`.execute(db);
	const metadata = { text: "x".repeat(9000) };
	expect(
		(await post("/tenant/create", { name: "B", slug: "globex", metadata }, asManager)).status,
	).toBe(503);
	expect((await call("/readyz")).status).toBe(503);
});

test("/readyz tries a write", async () => {
	const { call, backend } = await runningService();
	const { schema } = backend.database.db;
	await schema.alterTable("service_job").renameTo("gone").execute();
	const broken = await call("/readyz");
	expect(broken.status).toBe(503);
	expect(await broken.json()).toEqual({ status: "unavailable", checks: { database: "read-only" } });
	await schema.alterTable("gone").renameTo("service_job").execute();
	expect((await call("/readyz")).status).toBe(200);
});

test("doctor finds a damaged SQLite file", async () => {
	const DATA_DIR = temporaryDirectory();
	const service = await runningService({ DATA_DIR });
	const headers = { "x-tenant-id": await newTenant(service.post) };
	for (let i = 0; i < 30; i++) {
		await service.post("/tenant/sign-up/email", newUser(`user-${i}@example.com`), headers);
	}
	await service.close();
	const environment = {
		DATA_DIR,
		BETTER_AUTH_SECRET: "a secret for tests with 32 characters and more: 8dK2!x",
	};
	const examine = async () => {
		const { out } = await command(environment, ["doctor", "--json", "--offline"]);
		const { checks } = JSON.parse(out) as { checks: { check: string; findings: object[] }[] };
		return checks.find(({ check }) => check === "database")?.findings;
	};
	expect(await examine()).toEqual([]);
	const file = openSync(join(DATA_DIR, "auth.db"), "r+");
	// Whole pages of tables. The file can still be opened.
	const length = 6 * 4096;
	writeSync(file, Buffer.alloc(length, 0x5a), 0, length, fstatSync(file).size - length);
	expect(await examine()).toMatchObject([{ problem: expect.stringContaining("is damaged") }]);
});

test("doctor reports a SQLite file that cannot be opened, as on a full disk", async () => {
	const DATA_DIR = temporaryDirectory();
	mkdirSync(join(DATA_DIR, "auth.db"));
	const { out, code } = await command({ DATA_DIR }, ["doctor", "--json", "--offline"]);
	const { checks } = JSON.parse(out) as { checks: { check: string; findings: object[] }[] };
	expect(checks.find(({ check }) => check === "database")?.findings).toMatchObject([
		{
			problem: expect.stringContaining("does not respond"),
			remedy: expect.stringContaining("disk"),
		},
	]);
	expect(code).toBe(1);
});

test("a second start on a SQLite file logs no warning about its tables", async () => {
	const DATA_DIR = temporaryDirectory();
	await (await runningService({ DATA_DIR })).close();
	const { log } = await runningService({ DATA_DIR });
	expect(log()).not.toContain("different type");
});

test("a migration that another node of a Galera cluster has run meanwhile is looked at again", async () => {
	const exists = failed("Table 'tenant' already exists", { code: "ER_TABLE_EXISTS_ERROR" });
	const outcomes = [exists, exists, null, null];
	const migration = async () => {
		const outcome = outcomes.shift();
		if (outcome) throw outcome;
	};
	await repeatLostMigrations(migration, async () => {});
	expect(outcomes).toEqual([null]);
	const refused = failed("CREATE command denied", { code: "ER_TABLEACCESS_DENIED_ERROR" });
	const refusal = repeatLostMigrations(() => Promise.reject(refused));
	await expect(refusal).rejects.toBe(refused);
});

test("a table that another node is making is read again, and refused if it stays wrong", async () => {
	const unbounded = new Error(
		'Cannot create database index "a_idx" on existing table "a" because column "state" is not bounded for MySQL. Change it.',
	);
	const outcomes = [unbounded, null];
	let attempts = 0;
	const migration = async () => {
		attempts += 1;
		const outcome = outcomes.shift();
		if (outcome) throw outcome;
	};
	await repeatLostMigrations(migration, async () => {});
	expect(attempts).toBe(2);

	outcomes.push(...Array.from({ length: 10 }, () => unbounded));
	attempts = 0;
	await expect(repeatLostMigrations(migration, async () => {})).rejects.toBe(unbounded);
	expect(attempts).toBe(5);
});

const serversOfThisRun = databaseServers.filter(({ isMissing }) => !isMissing);

for (const { name, createDatabase } of serversOfThisRun) {
	describe(`an outage on ${name}`, () => {
		test("a second start logs no warning about its tables", async () => {
			const DATABASE_URL = await createDatabase();
			await (await runningService({ DATABASE_URL })).close();
			const { log } = await runningService({ DATABASE_URL });
			expect(log()).not.toContain("different type");
		});

		test("during an outage of the database every request gets 503, and works again afterwards", async () => {
			const connection = await breakableConnection(await createDatabase());
			const { post, call, baseUrl } = await runningService({ DATABASE_URL: connection.url });
			const tenantId = await newTenant(post);
			const headers = { "x-tenant-id": tenantId };
			const user = newUser("ada@example.com");
			const cookie = cookiesOf(await post("/tenant/sign-up/email", user, headers));
			const requests: Record<string, () => Promise<Response>> = {
				"sign-in": () => post("/tenant/sign-in/email", user, headers),
				"sign-in of core": () => post("/sign-in/email", user, headers),
				"sign-out": () => post("/sign-out", {}, { cookie, origin: baseUrl }),
				"sign-up": () => post("/tenant/sign-up/email", newUser("bob@example.com"), headers),
				"login options": () => call(`/api/auth/tenant/login-options?tenantId=${tenantId}`),
				management: () => post("/tenant/create", { name: "B", slug: "globex" }, asManager),
				overview: () => call("/service/overview", { headers: asManager }),
			};
			connection.interrupt();
			for (const [name, request] of notEmpty(Object.entries(requests))) {
				const answer = await request();
				expect([name, answer.status, answer.headers.get("retry-after")]).toEqual([name, 503, "5"]);
				expect(await answer.json()).toMatchObject({ code: "STORAGE_UNAVAILABLE" });
			}
			const request = "client_id=app&response_type=code";
			const page = await call(`/t/acme/oauth2/authorize?${request}`, {
				headers: { accept: "text/html" },
			});
			expect([page.status, page.headers.get("retry-after")]).toEqual([503, "5"]);
			expect(page.headers.get("content-type")).toContain("text/html");
			connection.restore();
			await expect
				.poll(async () => (await post("/tenant/sign-in/email", user, headers)).status)
				.toBe(200);
			for (const [name, request] of notEmpty(Object.entries(requests))) {
				expect([name, (await request()).status]).toEqual([name, 200]);
			}
		});
	});
}
