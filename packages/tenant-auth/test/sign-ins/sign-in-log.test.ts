import { twoFactor } from "better-auth/plugins";
import { cleanUp, type TenantEvent } from "better-auth-tenant";
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { untilHang } from "../../../../testing/time-limits";
import type { OpenDatabase } from "../support/databases/databases";
import { eachDatabase } from "../support/databases/each-database";
import { useIdentityProvider } from "../support/providers/identity-provider";
import { totpOf } from "../support/providers/totp";
import {
	EMAIL,
	type Instance,
	type InstanceOptions,
	makeInstance,
	PASSWORD,
} from "../support/worlds/instance";
import { addTenantAt, beginSocial, makeSocialApp } from "../support/worlds/social-app";

const DAY_MS = 24 * 60 * 60 * 1000;

/** "Why can Bob not get in?", on a real database. */
describe.each(eachDatabase)("the sign-in log on %s", (_, open) => {
	let on: OpenDatabase;
	let app: Instance;
	let tenantId: string;
	let userId: string;

	beforeAll(async () => {
		on = await open();
		const { db, type } = on;
		app = await makeInstance({
			on: { db, type },
			signInLog: true,
			advanced: { ipAddress: { ipAddressHeaders: ["x-forwarded-for"] } },
		});
	});

	afterAll(() => on.close());

	beforeEach(async () => {
		tenantId = await app.makeTenant();
		userId = (await app.signUp(tenantId)).body.user.id;
		await waitForRows(1);
		await on.db.deleteFrom("tenantSignIn").execute();
	});

	async function list(query: Record<string, string> = {}) {
		const answer = await app.manage("/tenant/sign-in/list", { query: { tenantId, ...query } });
		expect(answer.status, JSON.stringify(answer.body)).toBe(200);
		return answer;
	}

	/** They are stored in the background. */
	async function waitForRows(count: number) {
		return vi.waitFor(async () => {
			const answer = await list();
			expect(answer.body).toHaveLength(count);
			return answer.body;
		}, untilHang);
	}

	it("says who signed in, how and from where", async () => {
		const headers = { "x-forwarded-for": "203.0.113.7", "user-agent": "a browser" };
		expect((await app.signIn(tenantId, { headers })).status).toBe(200);
		expect(await waitForRows(1)).toEqual([
			{
				id: expect.any(String),
				createdAt: expect.any(String),
				result: "succeeded",
				reason: null,
				user: { id: userId, name: "User", email: EMAIL },
				method: "password",
				providerId: null,
				ipAddress: "203.0.113.7",
				userAgent: "a browser",
				attempts: 1,
			},
		]);
	});

	it("has the last sign-in of each of several users", async () => {
		const bob = (await app.signUp(tenantId, "bob@example.com")).body.user.id;
		await waitForRows(1);
		await app.signIn(tenantId);
		await app.signIn(tenantId);
		await app.signIn(tenantId, { password: "not the password" });
		await waitForRows(4);
		const all = (await list()).body as { id: string; result: string; user: { id: string } }[];
		const lastOf = (id: string) =>
			all.find(({ user, result }) => user.id === id && result === "succeeded");
		const latestOf = [userId, bob, userId, "nobody", ""].join(",");
		const latest = await list({ latestOf });
		expect(latest.body).toEqual([lastOf(userId), lastOf(bob)]);
		expect(latest.headers.get("x-next-cursor")).toBeNull();
		// Users of another tenant have none here.
		const other = await app.makeTenant();
		const query = { tenantId: other, latestOf };
		expect((await app.manage("/tenant/sign-in/list", { query })).body).toEqual([]);
		const filtered = { tenantId, latestOf: userId, result: "failed" };
		const answer = await app.manage("/tenant/sign-in/list", { query: filtered });
		expect([answer.status, answer.body.code]).toEqual([400, "VALIDATION_ERROR"]);
		const many = { tenantId, latestOf: Array.from({ length: 101 }, () => "x").join(",") };
		const refused = await app.manage("/tenant/sign-in/list", { query: many });
		expect([refused.status, refused.body.code]).toEqual([400, "VALIDATION_ERROR"]);
	});

	it("says why somebody could not, and contains no email that was entered", async () => {
		await app.signIn(tenantId, { password: "wrong horse battery" });
		await waitForRows(1);
		await app.signIn(tenantId, { email: "nobody@example.com" });
		await waitForRows(2);
		const body = { email: EMAIL, password: "wrong horse battery" };
		await app.call("/sign-in/email", { body, tenant: tenantId });
		const rows = await waitForRows(3);
		expect(rows.map((row: { reason: string; user: object }) => [row.reason, row.user])).toEqual([
			["INVALID_PASSWORD", expect.objectContaining({ id: userId })],
			["USER_NOT_FOUND", null],
			["INVALID_PASSWORD", expect.objectContaining({ id: userId })],
		]);
		const stored = await on.db.selectFrom("tenantSignIn").selectAll().execute();
		expect(JSON.stringify(stored)).not.toMatch(/nobody|example\.com|horse/);
	});

	it("finds the sign-ins of a user, of an email, of a result and of a time", async () => {
		await app.signIn(tenantId);
		await waitForRows(1);
		await app.signIn(tenantId, { password: "wrong horse battery" });
		await waitForRows(2);
		await app.signIn(tenantId, { email: "Nobody@example.com" });
		await waitForRows(3);
		const count = async (query: Record<string, string>) => (await list(query)).body.length;
		expect(await count({ userId })).toBe(2);
		expect(await count({ email: EMAIL })).toBe(2);
		expect(await count({ email: "nobody@EXAMPLE.com" })).toBe(1);
		expect(await count({ email: "nobod@example.com" })).toBe(0);
		expect(await count({ result: "failed" })).toBe(2);
		expect(await count({ reason: "USER_NOT_FOUND" })).toBe(1);
		expect(await count({ since: new Date(Date.now() + 60_000).toISOString() })).toBe(0);
		expect(await count({ until: new Date(Date.now() + 60_000).toISOString() })).toBe(3);
	});

	it("is read page by page", async () => {
		for (let n = 1; n <= 3; n += 1) {
			await app.signIn(tenantId);
			await waitForRows(n);
		}
		const first = await list({ limit: "2" });
		expect(first.headers.get("x-total-count")).toBe("3");
		const cursor = first.headers.get("x-next-cursor") ?? "";
		const second = await list({ limit: "2", cursor });
		const ids = [...first.body, ...second.body].map(({ id }: { id: string }) => id);
		expect(new Set(ids).size).toBe(3);
	});

	it("shows a tenant its own sign-ins only", async () => {
		const other = await app.makeTenant();
		await app.signIn(tenantId);
		await waitForRows(1);
		const answer = await app.manage("/tenant/sign-in/list", { query: { tenantId: other } });
		expect(answer.body).toEqual([]);
	});

	it("forgets a user who is deleted, but not that somebody signed in", async () => {
		const headers = { "x-forwarded-for": "203.0.113.7", "user-agent": "a browser" };
		const email = "grace@example.com";
		const other = (await app.signUp(tenantId, email)).body.user.id;
		await app.signIn(tenantId, { headers });
		await app.signIn(tenantId, { headers, email });
		await waitForRows(3);
		await app.manage("/tenant/user/delete", { body: { tenantId, userId } });
		const rows = await on.db.selectFrom("tenantSignIn").selectAll().execute();
		const nothing = { userId: null, emailDigest: null, ipAddress: null, userAgent: null };
		expect(rows.find((row) => row.userId === null)).toMatchObject({
			...nothing,
			result: "succeeded",
			method: "password",
		});
		const ofOther = rows.filter((row) => row.userId === other);
		expect(ofOther.map((row) => row.ipAddress)).toContain("203.0.113.7");
	});

	it("is cleaned up after 90 days, and deleted with the tenant", async () => {
		await app.signIn(tenantId);
		await waitForRows(1);
		const { adapter } = await app.auth.$context;
		const where = [{ field: "tenantId", value: tenantId }];
		const model = "tenantSignIn";
		const stored = await adapter.findOne<{ expiresAt: Date }>({ model, where });
		const days = ((stored?.expiresAt.getTime() ?? 0) - Date.now()) / DAY_MS;
		expect(Math.round(days)).toBe(90);
		expect((await cleanUp(app.auth)).signIns).toBe(0);
		await adapter.updateMany({ model, where, update: { expiresAt: new Date(Date.now() - 1000) } });
		expect((await cleanUp(app.auth)).signIns).toBe(1);
		await app.signIn(tenantId);
		await waitForRows(1);
		await app.manage("/tenant/delete", { body: { tenantId } });
		// Rows of other tests may be written late.
		const left = on.db.selectFrom("tenantSignIn").selectAll().where("tenantId", "=", tenantId);
		expect(await left.execute()).toEqual([]);
	});
});

describe("a flood of sign-ins", () => {
	it("is stored up to a limit per minute, with the number of those that were left out", async () => {
		const emailAndPassword = { enabled: false };
		const app = await makeInstance({ signInLog: true, emailAndPassword });
		const tenantId = await app.makeTenant();
		const now = Date.now();
		const clock = vi.spyOn(Date, "now").mockReturnValue(now);
		onTestFinished(() => clock.mockRestore());
		for (let n = 0; n < 310; n += 1) expect((await app.signIn(tenantId)).status).toBe(400);
		clock.mockReturnValue(now + 61_000);
		await app.signIn(tenantId);
		clock.mockRestore();
		const rows = await vi.waitFor(async () => {
			const query = { tenantId, limit: "1000" };
			const { body } = await app.manage("/tenant/sign-in/list", { query });
			expect(body).toHaveLength(302);
			return body as { attempts: number }[];
		}, untilHang);
		expect(rows.filter(({ attempts }) => attempts > 1)).toEqual([
			expect.objectContaining({ result: "failed", attempts: 10, user: null, reason: null }),
		]);
	});

	it("says who got in, however many others fail in the same minute", async () => {
		const app = await makeInstance({ signInLog: true });
		const tenantId = await app.makeTenant();
		await app.signUp(tenantId);
		const body = { tenantId, provider: "github" };
		for (let n = 0; n < 310; n += 1) await app.call("/tenant/sign-in/social", { body });
		await app.signIn(tenantId);
		await vi.waitFor(async () => {
			const query = { tenantId, result: "succeeded" };
			const { body } = await app.manage("/tenant/sign-in/list", { query });
			expect(body).toHaveLength(2);
		}, untilHang);
	});
});

type SignIn = Extract<TenantEvent, { type: `sign-in.${string}` }>;

async function makeApp(options: InstanceOptions = {}) {
	const signIns: [string, SignIn["data"]][] = [];
	const onEvent = ({ type, data }: TenantEvent) => {
		if (type.startsWith("sign-in.")) signIns.push([type, data as SignIn["data"]]);
	};
	const app = await makeInstance({ ...options, tenants: { ...options.tenants, onEvent } });
	const tenantId = await app.makeTenant();
	const { body, cookie } = await app.signUp(tenantId);
	signIns.length = 0;
	return { ...app, signIns, tenantId, userId: body.user.id as string, cookie };
}

describe("sign-in events", () => {
	it("say that the tenant is suspended, at our path and at core's", async () => {
		const { manage, signIn, call, signIns, tenantId } = await makeApp();
		await manage("/tenant/suspend", { body: { tenantId } });
		expect((await signIn(tenantId)).status).toBe(403);
		const body = { email: EMAIL, password: PASSWORD };
		expect((await call("/sign-in/email", { body, tenant: tenantId })).status).toBe(403);
		const refused = [
			"sign-in.failed",
			expect.objectContaining({ reason: "TENANT_SUSPENDED", userId: null, method: "password" }),
		];
		expect(signIns).toEqual([refused, refused]);
	});

	it("do not exist for an unknown tenant, the platform, and malformed input", async () => {
		const { signIn, call, signIns, tenantId } = await makeApp();
		await signIn("unknown");
		await call("/sign-in/email", { body: { email: EMAIL, password: PASSWORD } });
		await call("/tenant/sign-in/email", { body: { tenantId } });
		expect(signIns).toEqual([]);
	});

	it("say that the email is not verified", async () => {
		const emailAndPassword = { enabled: true, requireEmailVerification: true };
		const { signIn, signIns, tenantId, userId } = await makeApp({ emailAndPassword });
		expect((await signIn(tenantId)).status).toBe(403);
		expect(signIns).toEqual([
			["sign-in.failed", expect.objectContaining({ reason: "EMAIL_NOT_VERIFIED", userId })],
		]);
	});

	it("say that the user has no password", async () => {
		const { db, signIn, signIns, tenantId, userId } = await makeApp();
		await db.updateTable("account").set({ providerId: "github" }).execute();
		expect((await signIn(tenantId)).status).toBe(401);
		expect(signIns).toEqual([
			["sign-in.failed", expect.objectContaining({ reason: "NO_PASSWORD", userId })],
		]);
	});

	it("say that the policy refuses the method or the sign-up, and that the policy changed", async () => {
		const events: TenantEvent[] = [];
		const app = await makeInstance({
			tenants: { onEvent: (event) => void events.push(event) },
			socialProviders: { github: { clientId: "id", clientSecret: "secret" } },
		});
		const tenantId = await app.makeTenant();
		await app.signUp(tenantId);
		events.length = 0;
		const policy = { signUp: { mode: "closed" }, signIn: { methods: ["social"] } };
		await app.manage("/tenant/policy/update", { body: { tenantId, ...policy } });
		await app.signIn(tenantId);
		await app.signUp(tenantId, "grace@example.com");
		const body = { email: EMAIL, password: PASSWORD };
		await app.call("/sign-in/email", { body, tenant: tenantId });
		const reasons = events.map(({ type, data }) => [type, "reason" in data && data.reason]);
		expect(reasons).toEqual([
			["policy.updated", false],
			["sign-in.failed", "SIGN_IN_METHOD_NOT_ALLOWED"],
			["sign-in.failed", expect.stringMatching(/^SIGN_(UP|IN_METHOD)_NOT_ALLOWED$/)],
			["sign-in.failed", "SIGN_IN_METHOD_NOT_ALLOWED"],
		]);
		expect(events[0]?.data).toEqual({ fields: ["signIn", "signUp"] });
	});

	it("say that the user is disabled", async () => {
		const { manage, signIn, signIns, tenantId, userId } = await makeApp();
		await manage("/tenant/user/disable", { body: { tenantId, userId } });
		expect((await signIn(tenantId)).status).toBe(403);
		expect(signIns).toEqual([
			["sign-in.failed", expect.objectContaining({ reason: "USER_DISABLED", userId })],
		]);
	});

	it("say that an owner signed in with a link of management", async () => {
		const { db, call, manage, signIns, tenantId, userId } = await makeApp();
		await db.updateTable("user").set({ tenantRole: "owner" }).execute();
		const body = { tenantId, userId, reason: "locked out" };
		const link = await manage("/tenant/user/sign-in-link", { body });
		await call(link.body.url);
		await call(link.body.url);
		expect(signIns.map(([type]) => type)).toEqual(["sign-in.succeeded"]);
		expect(signIns[0]?.[1]).toMatchObject({ userId, method: "sign-in-link" });
	});

	it("say which provider is unknown", async () => {
		const { call, signIns, tenantId } = await makeApp();
		await call("/tenant/sign-in/social", { body: { tenantId, provider: "github" } });
		expect(signIns).toEqual([
			[
				"sign-in.failed",
				expect.objectContaining({
					...{ reason: "PROVIDER_NOT_FOUND", method: "social", providerId: "github" },
				}),
			],
		]);
	});

	describe("of a social sign-in", () => {
		const gitlab = useIdentityProvider("gitlab");

		it("say that it succeeded, or what the provider answered", async () => {
			const events: TenantEvent[] = [];
			const app = await makeSocialApp({
				tenants: { onEvent: (event) => void events.push(event) },
			});
			const { tenantId } = await addTenantAt(app, "gitlab", gitlab);
			const person = gitlab.addPerson({ email: "social@example.com" });
			for (const consent of ["allow", "deny"] as const) {
				const { browser, url } = await beginSocial(app, { tenantId, provider: "gitlab" });
				await browser.follow(url, { as: person, consent });
			}
			const signIns = events.filter(({ type }) => type.startsWith("sign-in."));
			const how = { method: "social", providerId: "gitlab" };
			expect(signIns.map(({ type, data }) => [type, data])).toEqual([
				["sign-in.succeeded", expect.objectContaining({ ...how, userId: expect.any(String) })],
				["sign-in.failed", expect.objectContaining({ ...how, reason: "access_denied" })],
			]);
		});
	});

	it("say that a hook of the app refused it", async () => {
		const { createAuthMiddleware, APIError } = await import("better-auth/api");
		const before = createAuthMiddleware(async ({ path }) => {
			if (path === "/sign-in/email") throw new APIError("FORBIDDEN", { code: "NOT_TODAY" });
		});
		const { call, signIn, signIns, tenantId } = await makeApp({ hooks: { before } });
		await signIn(tenantId);
		const body = { email: EMAIL, password: PASSWORD };
		await call("/sign-in/email", { body, tenant: tenantId });
		expect(signIns.map(([type, data]) => [type, "reason" in data && data.reason])).toEqual([
			["sign-in.failed", "NOT_TODAY"],
			["sign-in.failed", "NOT_TODAY"],
		]);
	});

	it("say that a second factor is required, that it is wrong, and that it is right", async () => {
		const app = await makeApp({ plugins: [twoFactor()] });
		const { call, signIn, signIns, tenantId, userId, cookie } = app;
		const enabled = await call("/two-factor/enable", { body: { password: PASSWORD }, cookie });
		const uri: string = enabled.body.totpURI;
		await call("/two-factor/verify-totp", { body: { code: totpOf(uri) }, cookie });
		expect(signIns).toEqual([]);

		const challenged = await signIn(tenantId);
		expect(challenged.body.twoFactorRedirect).toBe(true);
		const verify = (code: string) =>
			call("/two-factor/verify-totp", { body: { code }, cookie: challenged.cookie });
		expect((await verify("000000")).status).toBe(401);
		expect((await verify(totpOf(uri))).status).toBe(200);
		expect(signIns).toEqual([
			["sign-in.challenged", expect.objectContaining({ userId, method: "password" })],
			["sign-in.failed", expect.objectContaining({ reason: "INVALID_CODE", userId })],
			["sign-in.succeeded", expect.objectContaining({ userId, method: "two-factor" })],
		]);
	});
});

describe("a sign-in without a tenant", () => {
	it("says in the log where the user was looked for, if there is none", async () => {
		const logged: string[] = [];
		const log = (_: string, message: string) => void logged.push(message);
		const { call, makeTenant, signUp } = await makeInstance({ logger: { log } });
		const tenantId = await makeTenant();
		await signUp(tenantId);
		const body = { email: EMAIL, password: PASSWORD };
		const hint = expect.stringContaining("looked for on the platform");
		logged.length = 0;
		expect((await call("/sign-in/email", { body })).status).toBe(401);
		expect(logged).toEqual(["User not found", hint]);
		logged.length = 0;
		await call("/sign-in/email", { body: { ...body, email: "x@example.com" }, tenant: tenantId });
		expect(logged).toEqual(["User not found"]);
		logged.length = 0;
		await call("/sign-up/email", { body: { ...body, name: "Ada" } });
		await call("/sign-in/email", { body: { ...body, password: "wrong password" } });
		expect(logged).toEqual(["Invalid password"]);
	});
});
