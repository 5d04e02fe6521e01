import { tenantAccess } from "better-auth-tenant";
import { type ImportedUser, importUsers } from "better-auth-tenant/imports";
import { describe, expect, it } from "vitest";
import { notEmpty } from "../../../../testing/not-empty";
import {
	type InstanceOptions,
	MANAGEMENT_KEY,
	makeInstance,
	ORIGIN,
} from "../support/worlds/instance";
import { sessionStores } from "../support/worlds/session-stores";

const roles = { agent: tenantAccess.newRole({ user: ["list"] }) };

async function makeWorld(options: InstanceOptions = {}) {
	const app = await makeInstance({ ...options, tenants: { roles, ...options.tenants } });
	const tenantId = await app.makeTenant();
	const run = async (...lines: unknown[]) => {
		const results = [];
		const typed = lines as ImportedUser[];
		for await (const result of importUsers(app.auth, { tenantId, lines: typed })) {
			results.push(result);
		}
		return results;
	};
	const codes = async (...lines: unknown[]) => (await run(...lines)).map(({ code }) => code);
	const userOf = async (userId: string | null | undefined) =>
		(await app.manage("/tenant/user/get", { query: { tenantId, userId: String(userId) } })).body
			.user;
	return { ...app, tenantId, run, codes, userOf };
}

const line = { externalId: "1", email: "ada@example.com" };

describe.each(sessionStores)("an import that disables a user, with sessions %s", (_, store) => {
	it("ends all sessions, and they do not come back", async () => {
		const { run, db, call, signUp, manage, tenantId } = await makeWorld(store());
		const { body, cookie } = await signUp(tenantId, line.email);
		const userId = body.user.id;
		const imported = { tenantId, externalId: line.externalId, userId, id: "imported" };
		await db.insertInto("tenantImportedUser").values(imported).execute();
		// Everything but `/get-session` reads the session from its store.
		const isSignedIn = async () => (await call("/list-sessions", { cookie })).status === 200;
		expect(await isSignedIn()).toBe(true);
		expect(await run({ ...line, disabled: true })).toMatchObject([{ status: "updated" }]);
		expect(await isSignedIn()).toBe(false);
		await manage("/tenant/user/enable", { body: { tenantId, userId } });
		expect(await isSignedIn()).toBe(false);
	});

	it("shows the user as it is now in sessions that go on", async () => {
		const { run, db, call, signUp, tenantId } = await makeWorld(store());
		const { body, cookie } = await signUp(tenantId, line.email);
		const userId = body.user.id;
		const imported = { tenantId, externalId: line.externalId, userId, id: "imported" };
		await db.insertInto("tenantImportedUser").values(imported).execute();
		await run({ ...line, name: "Grace", role: "admin" });
		const query = { disableCookieCache: "true" };
		const { user } = (await call("/get-session", { cookie, query })).body;
		expect(user).toMatchObject({ name: "Grace", tenantRole: "admin" });
	});
});

describe("the last owner", () => {
	it.each([{ role: "member" }, { role: "agent" }, { disabled: true }])(
		"stays in an import with %j, until there is another one",
		async (change) => {
			const { run, codes, userOf } = await makeWorld();
			const [owner] = await run({ ...line, role: "owner" });
			const before = await userOf(owner?.userId);
			const other = { externalId: "2", email: "bob@example.com" };
			expect(await codes({ ...line, ...change, name: "New" }, other)).toEqual(["LAST_OWNER", null]);
			expect(await userOf(owner?.userId)).toEqual(before);
			// In the order of the lines.
			const both = await codes({ ...other, role: "owner" }, { ...line, ...change });
			expect(both).toEqual([null, null]);
		},
	);

	it("is one of two whom an import removes", async () => {
		const { run, codes } = await makeWorld();
		const second = { externalId: "2", email: "bob@example.com" };
		await run({ ...line, role: "owner" }, { ...second, role: "owner" });
		const removed = await codes({ ...line, disabled: true }, { ...second, role: "member" });
		expect(removed).toEqual([null, "LAST_OWNER"]);
	});
});

describe("an imported user", () => {
	it("has a role of the app, and no other", async () => {
		const { run, codes, userOf } = await makeWorld();
		const [made] = await run({ ...line, role: "agent" });
		expect((await userOf(made?.userId)).tenantRole).toBe("agent");
		const wrong = ["", "OWNER", "unknown", "__proto__", "constructor"];
		const found = await codes(...wrong.map((role) => ({ ...line, role })));
		expect(found).toEqual(["VALIDATION_ERROR", ...Array(4).fill("ROLE_NOT_FOUND")]);
		expect((await userOf(made?.userId)).tenantRole).toBe("agent");
	});

	it("has a new email that counts as not verified, unless the line says so", async () => {
		const { run, userOf } = await makeWorld();
		const [made] = await run({ ...line, emailVerified: true });
		await run({ ...line, email: "new@example.com" });
		expect((await userOf(made?.userId)).emailVerified).toBe(false);
		await run({ ...line, email: "new@example.com", emailVerified: true });
		await run({ ...line, email: "newer@example.com", emailVerified: true });
		expect(await userOf(made?.userId)).toMatchObject({
			email: "newer@example.com",
			emailVerified: true,
		});
	});
});

describe("a line", () => {
	it.each([
		{ name: "a\u0000b" },
		{ image: "a\u0000b" },
		{ accounts: [{ providerId: "git\u0000hub", accountId: "1" }] },
		{ accounts: [{ providerId: "github", accountId: "1\u0000" }] },
		{ createdAt: "1969-12-31T00:00:00Z" },
		{ createdAt: "9999-12-31T00:00:00Z" },
		{ createdAt: new Date(Date.now() + 86_400_000).toISOString() },
	])("that no database can store, or that makes no sense, is refused alone: %j", async (bad) => {
		const { run } = await makeWorld();
		const results = await run({ ...line, ...bad }, { externalId: "2", email: "b@example.com" });
		expect(results).toMatchObject([
			{ status: "failed", code: "VALIDATION_ERROR" },
			{ status: "created" },
		]);
	});

	it.each(["garbage", "a:b", "", ":", `${"0".repeat(32)}:${"0".repeat(127)}`])(
		"with a text that is not a hash of Better Auth is refused: %j",
		async (hash) => {
			// Better Auth's own hash, which these texts are not.
			const emailAndPassword = { enabled: true, password: {} };
			const { codes, signIn, tenantId } = await makeWorld({ emailAndPassword });
			const [code] = await codes({ ...line, password: { kind: "better-auth", hash } });
			expect(["UNSUPPORTED_PASSWORD_HASH", "VALIDATION_ERROR"]).toContain(code);
			expect((await signIn(tenantId, { email: line.email })).status).toBe(401);
		},
	);
});

describe("an NDJSON body", () => {
	const post = ({ auth }: Awaited<ReturnType<typeof makeWorld>>, tenantId: string, body: Buffer) =>
		auth.handler(
			new Request(`${ORIGIN}/api/auth/tenant/user/import`, {
				method: "POST",
				headers: {
					authorization: `Bearer ${MANAGEMENT_KEY}`,
					"content-type": "application/x-ndjson",
					"x-tenant-id": tenantId,
				},
				body: new Uint8Array(body),
			}),
		);

	it("that is not UTF-8 is refused, and nothing is imported", async () => {
		const world = await makeWorld();
		const good = Buffer.from(`${JSON.stringify(line)}\n`);
		const bad = Buffer.from('{"externalId":"2","email":"b@example.com","name":"\xe9"}', "latin1");
		const answer = await post(world, world.tenantId, Buffer.concat([good, bad]));
		expect([answer.status, (await answer.json()).code]).toEqual([400, "VALIDATION_ERROR"]);
		const { body } = await world.manage("/tenant/user/list", {
			query: { tenantId: world.tenantId },
		});
		expect(body).toEqual([]);
		const cut = await post(world, world.tenantId, Buffer.concat([good, Buffer.from([0xc3])]));
		expect(cut.status).toBe(400);
	});

	it("that is deeply nested, or not an object, fails line by line", async () => {
		const world = await makeWorld();
		const lines = ["[".repeat(100_000), "null", "5", '"text"', "{}", JSON.stringify(line)];
		const answer = await post(world, world.tenantId, Buffer.from(lines.join("\n")));
		expect(answer.status).toBe(200);
		expect(await answer.json()).toMatchObject({ created: 1, failed: 5 });
	});
});

describe("a line that reaches for what it may not have", () => {
	it.each([
		{ tenantId: "another" },
		{ id: "another" },
		{ userId: "another" },
		{ tenantRole: "owner" },
		{ disabledAt: null },
		{ password: { kind: "better-auth", hash: "x", userId: "another" } },
		{ accounts: [{ providerId: "google", accountId: "1", userId: "another" }] },
		{ accounts: [{ providerId: "credential", accountId: "1" }] },
	])("with %j fails", async (more) => {
		const { codes, db } = await makeWorld();
		expect(await codes({ ...line, ...more })).toEqual(["VALIDATION_ERROR"]);
		expect(await db.selectFrom("user").selectAll().execute()).toEqual([]);
	});

	it.each(["__proto__", "constructor", "toString", "hasOwnProperty"])(
		"with the key %s fails, or changes nothing but itself",
		async (key) => {
			const { tenantId, auth, db } = await makeWorld();
			const lines = [
				`{"externalId":"1","email":"a@example.com","${key}":{"role":"owner","disabled":true}}`,
				`{"externalId":"2","email":"b@example.com","role":"${key}"}`,
				`{"externalId":"3","email":"c@example.com","password":{"kind":"${key}","hash":"x"}}`,
				`{"externalId":"${key}","email":"d@example.com","name":"${key}"}`,
			];
			const results = [];
			for await (const result of importUsers(auth, { tenantId, lines })) results.push(result);
			expect(results.map(({ code }) => code).slice(1)).toEqual([
				...["ROLE_NOT_FOUND", "UNSUPPORTED_PASSWORD_HASH", null],
			]);
			expect(Object.prototype).not.toHaveProperty("role");
			const users = await db.selectFrom("user").selectAll().execute();
			for (const user of notEmpty(users))
				expect(user).toMatchObject({ tenantRole: null, disabledAt: null });
		},
	);

	it("with an id, an email and an account of another tenant's user creates its own user", async () => {
		const { auth, db, makeTenant, run, tenantId } = await makeWorld();
		const other = await makeTenant();
		const victim = { ...line, accounts: [{ providerId: "google", accountId: "1" }] };
		const there = importUsers(auth, { tenantId: other, lines: [{ ...victim, name: "Victim" }] });
		for await (const { status } of there) expect(status).toBe("created");
		const before = await db.selectFrom("user").selectAll().where("tenantId", "=", other).execute();
		const results = await run(
			{ ...victim, name: "Mine", disabled: true },
			// The id of the row, as if it were one of this tenant's external ids.
			{ externalId: String(before[0]?.id), email: "mine@example.com" },
		);
		expect(results.map(({ status }) => status)).toEqual(["created", "created"]);
		const after = await db.selectFrom("user").selectAll().where("tenantId", "=", other).execute();
		expect(after).toEqual(before);
		const own = await db.selectFrom("user").selectAll().where("tenantId", "=", tenantId).execute();
		expect(own).toHaveLength(2);
	});

	it("with an email that is another one in other letters fails", async () => {
		const { codes } = await makeWorld();
		const emails = [
			...["ada@example.com", "ADA@example.com", "ada@EXAMPLE.com"],
			// Full width, Kelvin sign, long s, combining accent, zero width space, right-to-left override
			...[
				"ａda@example.com",
				"\u212Ada@example.com",
				"ada@example.\u017Fom",
				"a\u0301da@example.com",
			],
			...["ada\u200B@example.com", "\u202Eada@example.com"],
			...[
				"ada@example.com\n",
				"ada@example.com\r\nbcc: x@example.com",
				" ada@example.com",
				"ada@example.com\0",
			],
		];
		const lines = emails.map((email, index) => ({ externalId: String(index), email }));
		const [first, ...others] = await codes(...lines);
		expect(first).toBeNull();
		expect(others.slice(0, 2)).toEqual(["EMAIL_TAKEN", "EMAIL_TAKEN"]);
		expect(new Set(others.slice(2))).toEqual(new Set(["VALIDATION_ERROR"]));
	});

	it("with a huge text fails alone", async () => {
		const { run } = await makeWorld();
		const huge = "x".repeat(1024 * 1024);
		const results = await run(
			{ ...line, externalId: huge },
			{ ...line, name: huge },
			{ ...line, image: huge },
			{ ...line, email: `${huge}@example.com` },
			{ ...line, password: { kind: "better-auth", hash: huge } },
			{ ...line, accounts: Array(1000).fill({ providerId: "google", accountId: "1" }) },
			{ ...line, [huge]: 1 },
			line,
		);
		expect(results.map(({ code }) => code)).toEqual([...Array(7).fill("VALIDATION_ERROR"), null]);
		for (const { message } of notEmpty(results)) expect(String(message).length).toBeLessThan(300);
	});
});
