import { existsSync, readdirSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { betterAuth } from "better-auth";
import { getMigrations } from "better-auth/db/migration";
import type { BuiltInProviderId } from "better-auth-tenant";
import { Kysely, SqliteDialect } from "kysely";
import Libsql from "libsql";
import { describe, expect, onTestFinished, test } from "vitest";
import { command } from "./cli-command";
import { newTenant, newUser, runningService } from "./running-service";
import { temporaryDirectory } from "./temporary-directory";

const older = "the older secret of the server with 32 characters: k3!hZ";
const newest = "the newest secret of the server with 32 characters: 9Qd&2vW8";
const clientSecret = "client-secret-that-nobody-sees";

/** Uses a server to create a tenant with OAuth configs. */
async function createWithServer(
	environment: Record<string, string>,
	configs: Partial<Record<BuiltInProviderId, Record<string, unknown>>>,
) {
	const { backend, close } = await runningService(environment);
	const { id } = await backend.auth.api.createTenant({ body: { name: "Acme", slug: "acme" } });
	for (const [providerId, options] of Object.entries(configs)) {
		await backend.auth.api.registerTenantOAuthConfig({
			body: {
				tenantId: id,
				providerId: providerId as BuiltInProviderId,
				clientId: "client",
				clientSecret,
				options,
			},
		});
	}
	await close();
	return id;
}

describe("a tenant", () => {
	test("is created, shown and deleted with commands that never print the client secret", async () => {
		const dataDir = join(temporaryDirectory(), "data");
		const printed: string[] = [];
		const settings = { DATA_DIR: dataDir, BETTER_AUTH_SECRET: older };
		const recorded = async (answer: ReturnType<typeof command>) => {
			const { out, err } = await answer;
			printed.push(out, err);
			return answer;
		};
		const run = (args: string[]) => recorded(command(settings, args));
		const dry = await run(["migrate", "--dry-run"]);
		expect([dry.code, existsSync(dataDir)]).toEqual([0, false]);
		expect(dry.out).toContain('create table "tenant"');

		expect((await run(["migrate"])).code).toBe(0);
		const created = await run(["tenant", "create", "acme", "--name", "Acme Inc", "--json"]);
		expect(JSON.parse(created.out)).toMatchObject({ slug: "acme", name: "Acme Inc" });
		const set = ["oauth-config", "set", "acme", "github", "--client-id", "the-client"];
		const registered = await recorded(command(settings, set, `${clientSecret}\n`));
		expect(registered.out).toContain("/tenant/callback/github");
		const shown = await run(["tenant", "show", "acme"]);
		expect(shown.out).toMatch(/^providers +github$/m);
		const listed = await run(["tenant", "list", "--search", "acm", "--json"]);
		expect(JSON.parse(listed.out)).toMatchObject({ total: 1, tenants: [{ slug: "acme" }] });
		const configs = await run(["oauth-config", "list", "acme", "--json"]);
		expect(JSON.parse(configs.out)).toMatchObject([{ clientId: "the-client", enabled: true }]);
		const removed = await run(["oauth-config", "delete", "acme", "github", "--yes"]);
		expect(removed).toMatchObject({ code: 0, out: "Deleted the github config of acme.\n" });
		expect((await run(["oauth-config", "list", "acme"])).out).toContain("has no OAuth configs");

		const rejected = await recorded(command(settings, ["tenant", "delete", "acme"]));
		expect([rejected.code, rejected.err]).toEqual([1, expect.stringContaining("--yes")]);
		const deleted = await run(["tenant", "delete", "acme", "--yes", "--json"]);
		expect(JSON.parse(deleted.out)).toMatchObject({ deleted: { slug: "acme" } });
		const gone = await run(["tenant", "show", "acme", "--json"]);
		expect([gone.code, JSON.parse(gone.err).error.code]).toEqual([1, "TENANT_NOT_FOUND"]);
		expect(printed.join()).not.toContain(clientSecret);
	});

	test("has an OAuth config that does not pass its test if its host does not exist", async () => {
		const settings = { DATA_DIR: join(temporaryDirectory(), "data"), BETTER_AUTH_SECRET: older };
		await command(settings, ["migrate"]);
		await command(settings, ["tenant", "create", "acme", "--name", "Acme Inc"]);
		const options = JSON.stringify({ issuer: "https://gitlab.example.com" });
		const set = ["oauth-config", "set", "acme", "gitlab", "--client-id", "x", "--options", options];
		await command(settings, set, `${clientSecret}\n`);
		const tested = await command(settings, ["oauth-config", "test", "acme", "gitlab"]);
		expect(tested.code).toBe(1);
		expect(tested.out).toMatch(/^client +failed +The provider did not respond$/m);
		expect(tested.out + tested.err).not.toContain(clientSecret);
		const json = await command(settings, ["oauth-config", "test", "acme", "gitlab", "--json"]);
		expect([json.code, JSON.parse(json.out).ok]).toEqual([1, false]);
	});

	test("accepts no client secret as an argument; wrong usage has exit code 2", async () => {
		const set = ["oauth-config", "set", "acme", "github", "--client-id", "x"];
		const answer = await command({}, [...set, "--client-secret", clientSecret]);
		expect(answer).toMatchObject({ code: 2, out: "" });
		expect(answer.err).toContain("unknown option");
		expect(answer.err).not.toContain(clientSecret);
		const { code, out, err } = await command({}, ["tenant", "destroy", "--json"]);
		expect([code, out]).toEqual([2, ""]);
		expect(JSON.parse(err).error).toMatchObject({
			code: "USAGE",
			message: expect.stringMatching(/^unknown command/),
		});
	});
});

test("a database of Better Auth without tenants is migrated after a confirmation and keeps its users", async () => {
	const dataDir = temporaryDirectory();
	const file = new Libsql(join(dataDir, "auth.db"));
	const db = new Kysely({ dialect: new SqliteDialect({ database: file }) });
	const options = {
		database: { db, type: "sqlite" as const, transaction: true },
		baseURL: "http://localhost",
		secret: older,
		emailAndPassword: { enabled: true },
	};
	await (await getMigrations(options)).runMigrations();
	const user = { name: "Ada", email: "ada@example.com", password: "correct horse battery" };
	await betterAuth(options).api.signUpEmail({ body: user });
	await db.destroy();

	const settings = { DATA_DIR: dataDir, BETTER_AUTH_SECRET: older };
	const rejected = await command(settings, ["migrate"]);
	expect([rejected.code, rejected.err]).toEqual([1, expect.stringContaining("--yes")]);
	const done = await command(settings, ["migrate", "--yes", "--json"]);
	expect(JSON.parse(done.out)).toMatchObject({ database: "sqlite", ran: true, blockers: [] });

	const { backend } = await runningService(settings, { realPasswords: true });
	const { api } = backend.auth;
	const { email, password } = user;
	expect((await api.signInEmail({ body: { email, password } })).user.email).toBe(email);
	const { id: tenantId } = await api.createTenant({ body: { name: "Acme", slug: "acme" } });
	const joined = await api.signUpEmailTenant({ body: { ...user, tenantId } });
	expect(joined.user.email).toBe(email);
});

test("stored credentials are re-encrypted with the newest secret, and then the older one can be removed", async () => {
	const dataDir = temporaryDirectory();
	const before = { DATA_DIR: dataDir, BETTER_AUTH_SECRET: older };
	await createWithServer(before, { github: {}, google: {} });
	const rejected = await command(before, ["secrets", "rotate"]);
	expect([rejected.code, rejected.err]).toEqual([
		1,
		expect.stringContaining("BETTER_AUTH_SECRETS"),
	]);
	const versioned = { BETTER_AUTH_SECRETS: `1:${newest}` };
	const rotated = await command({ ...before, ...versioned }, ["secrets", "rotate", "--json"]);
	const none = { total: 0, reencrypted: 0, unreadable: 0 };
	expect(JSON.parse(rotated.out)).toEqual({
		total: 2,
		reencrypted: 2,
		unreadable: [],
		tables: {
			tenantOauthConfig: { total: 2, reencrypted: 2, unreadable: 0 },
			tenantWebhook: none,
			twoFactor: none,
			jwks: none,
		},
	});
	const checked = await command({ DATA_DIR: dataDir, ...versioned }, ["doctor", "--offline"]);
	expect(checked).toMatchObject({ code: 0, err: "" });
	expect(checked.out).toContain("2 OAuth configs can be decrypted");
});

describe("the doctor", () => {
	test("finds credentials that cannot be decrypted, a host that does not answer and a missing Redis", async () => {
		const host = createServer((_, response) => response.end()).listen(0, "127.0.0.1");
		onTestFinished(() => void host.close());
		await new Promise((resolve) => host.once("listening", resolve));
		const { port } = host.address() as AddressInfo;
		const settings = {
			DATA_DIR: temporaryDirectory(),
			BETTER_AUTH_SECRET: older,
			ALLOW_PRIVATE_PROVIDER_HOSTS: "true",
		};
		const tenantId = await createWithServer(settings, {
			gitlab: { issuer: `http://127.0.0.1:${port}` },
			paybin: { issuer: "http://127.0.0.1:1" },
		});
		const { code, out } = await command(
			{ ...settings, BETTER_AUTH_SECRET: newest, REDIS_URL: "redis://:hidden@127.0.0.1:1" },
			["doctor", "--json"],
		);
		expect(code).toBe(1);
		const { healthy, checks } = JSON.parse(out);
		expect(healthy).toBe(false);
		const problems = Object.fromEntries(
			checks.map(({ check, findings }: { check: string; findings: { problem: string }[] }) => [
				check,
				findings.map(({ problem }) => problem).sort(),
			]),
		);
		expect(problems).toEqual({
			settings: [],
			database: [],
			"event-stream": [],
			schema: [],
			redis: [expect.stringContaining("REDIS_URL")],
			saml: [],
			email: [],
			credentials: [
				`The gitlab credentials of tenant ${tenantId} cannot be decrypted.`,
				`The paybin credentials of tenant ${tenantId} cannot be decrypted.`,
			],
			providers: [expect.stringContaining("paybin at http://127.0.0.1:1 does not respond")],
			regions: [],
		});
		for (const secret of [older, newest, clientSecret, "hidden"]) expect(out).not.toContain(secret);
	});

	test("reports a wrong setting and creates nothing", async () => {
		const directory = temporaryDirectory();
		const settings = { DATA_DIR: join(directory, "data"), DATABASE_URL: "oracle://db" };
		const { code, out } = await command(settings, ["doctor"]);
		expect([code, out]).toEqual([1, expect.stringContaining("DATABASE_URL must be")]);
		expect(readdirSync(directory)).toEqual([]);
	});
});

test("a tenant is changed, suspended and resumed, and its users and audit events are listed", async () => {
	const settings = { DATA_DIR: temporaryDirectory(), BETTER_AUTH_SECRET: older };
	const run = async (...args: string[]) => {
		const answer = await command(settings, [...args, "--json"]);
		expect(answer.err).toBe("");
		return JSON.parse(answer.out);
	};
	const service = await runningService(settings);
	const headers = { "x-tenant-id": await newTenant(service.post) };
	await service.post("/tenant/sign-up/email", newUser("ada@example.com"), headers);
	await service.close();

	expect(await run("tenant", "update", "acme", "--name", "Acme Ltd")).toMatchObject({
		name: "Acme Ltd",
	});
	expect(await run("tenant", "suspend", "acme")).toMatchObject({ suspendedAt: expect.any(String) });
	expect((await run("tenant", "resume", "acme")).suspendedAt ?? null).toBeNull();
	expect(await run("user", "list", "acme", "--search", "ada")).toMatchObject({
		total: 1,
		users: [{ email: "ada@example.com" }],
	});
	const { events } = await run("audit", "list", "acme", "--limit", "3");
	expect(events.map(({ action }: { action: string }) => action)).toEqual([
		"tenant:resume",
		"tenant:suspend",
		"tenant:update",
	]);
	const nothing = await command(settings, ["tenant", "update", "acme"]);
	expect(nothing.code).toBe(2);
	const text = await command(settings, ["user", "list", "acme"]);
	expect(text.out).toContain("ada@example.com");
});

test("--version prints the version", async () => {
	const answer = await command({}, ["--version"]);
	expect(answer).toMatchObject({ code: 0, out: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) });
});
