import { twoFactor } from "better-auth/plugins";
import type { TenantEvent } from "better-auth-tenant";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { openSqlite } from "../support/databases";
import { useIdentityProvider } from "../support/identity-provider";
import { EMAIL, type InstanceOptions, makeInstance, PASSWORD } from "../support/instance";
import { describeSignInLog } from "../support/sign-in-log-behaviors";
import { addTenantAt, beginSocial, makeSocialApp } from "../support/social-app";
import { totpOf } from "../support/totp";

describe("the sign-in log on SQLite", () => describeSignInLog(openSqlite));

describe("a flood of sign-ins", () => {
	it("is stored up to a limit per minute, with the number of those that were left out", async () => {
		const emailAndPassword = { enabled: false };
		const app = await makeInstance({ tenants: { signInLog: {} }, emailAndPassword });
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
		});
		expect(rows.filter(({ attempts }) => attempts > 1)).toEqual([
			expect.objectContaining({ result: "failed", attempts: 10, user: null, reason: null }),
		]);
	});

	it("says who got in, however many others fail in the same minute", async () => {
		const app = await makeInstance({ tenants: { signInLog: {} } });
		const tenantId = await app.makeTenant();
		await app.signUp(tenantId);
		const body = { tenantId, provider: "github" };
		for (let n = 0; n < 310; n += 1) await app.call("/tenant/sign-in/social", { body });
		await app.signIn(tenantId);
		await vi.waitFor(async () => {
			const query = { tenantId, result: "succeeded" };
			const { body } = await app.manage("/tenant/sign-in/list", { query });
			expect(body).toHaveLength(2);
		});
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
