import { describe, expect, test, vi } from "vitest";
import { notEmpty } from "../../../testing/not-empty";
import { stopClock } from "../../../testing/stopped-clock";
import { scopedKeyCheck } from "../src/rate-limits/scoped-key-check";
import { newOperator, operatorPassword, signIn } from "./operator-accounts";
import { asManager, cookiesOf, newIp, newTenant, newUser, runningService } from "./running-service";

const wrong = (email: string) => ({ email, password: "wrong password" });

test("an office behind one address is not locked out", async () => {
	stopClock();
	const { post } = await runningService({ RATE_LIMIT_SIGN_IN: "3/60" });
	const office = newIp();
	// Ten people of ten tenants enter a wrong password.
	for (let i = 0; i < 10; i++) {
		const headers = { "x-tenant-id": await newTenant(post, `tenant-${i}`) };
		const answer = await post("/tenant/sign-in/email", wrong("ada@example.com"), headers, office);
		expect(answer.status).toBe(401);
	}
	// Ten people of one tenant enter the right one.
	const headers = { "x-tenant-id": await newTenant(post, "acme") };
	for (let i = 0; i < 10; i++) {
		const user = newUser(`user-${i}@example.com`);
		await post("/tenant/sign-up/email", user, headers);
		const answer = await post("/tenant/sign-in/email", user, headers, office);
		expect(answer.status).toBe(200);
	}
});

test("failed sign-ins to one account are limited over all addresses", async () => {
	stopClock();
	const { post } = await runningService({ RATE_LIMIT_ACCOUNT: "3/60" });
	const tenantId = await newTenant(post);
	const other = { "x-tenant-id": await newTenant(post, "globex") };
	const user = newUser("ada@example.com");
	await post("/tenant/sign-up/email", user, { "x-tenant-id": tenantId });
	const byHeader = (body: object) =>
		post("/tenant/sign-in/email", body, { "x-tenant-id": tenantId });
	// However the tenant and the email are written, it is one account.
	expect((await byHeader(wrong("ada@example.com"))).status).toBe(401);
	expect((await byHeader(wrong("ADA@example.com"))).status).toBe(401);
	const inBody = { ...wrong("ada@example.com"), tenantId };
	expect((await post("/tenant/sign-in/email", inBody)).status).toBe(401);
	const core = await post("/sign-in/email", user, { "x-tenant-id": tenantId });
	expect(core.status).toBe(429);
	expect(Number(core.headers.get("retry-after"))).toBeGreaterThan(0);
	expect(Number(core.headers.get("retry-after"))).toBeLessThanOrEqual(60);
	expect(await core.json()).toMatchObject({ code: "TOO_MANY_REQUESTS" });
	const ours = await byHeader(user);
	expect(ours.status).toBe(429);
	expect(ours.headers.has("retry-after")).toBe(true);
	expect(await ours.json()).toMatchObject({ code: "TOO_MANY_REQUESTS" });
	// The same email in another tenant, and after a while.
	expect((await post("/tenant/sign-in/email", user, other)).status).toBe(401);
	vi.setSystemTime(Date.now() + 60_000);
	expect((await byHeader(user)).status).toBe(200);
});

test("guesses of the code that a device shows are limited over all addresses", async () => {
	stopClock();
	const { call, post } = await runningService({ RATE_LIMIT_ACCOUNT: "3/60" });
	const tenantId = await newTenant(post);
	const signedUp = await post("/tenant/sign-up/email", newUser("ada@example.com"), {
		"x-tenant-id": tenantId,
	});
	const headers = { "x-tenant-id": tenantId, cookie: cookiesOf(signedUp) };
	const look = (code: string) => call(`/api/auth/device?user_code=${code}`, { headers });
	const approve = (userCode: string) =>
		post("/device/approve", { userCode }, { ...headers, origin: "http://localhost:3000" });
	expect((await look("BBBB-BBBC")).status).toBe(400);
	expect((await approve("BBBB-BBBD")).status).toBe(400);
	expect((await look("BBBB-BBBF")).status).toBe(400);
	expect((await look("BBBC-BBBB")).status).toBe(429);
	expect((await approve("BBBD-BBBB")).status).toBe(429);
});

test("guesses of the password of a session's user are limited over all addresses", async () => {
	stopClock();
	const service = await runningService({ RATE_LIMIT_ACCOUNT: "3/60" });
	const operator = await newOperator(service, "owner");
	const body = { action: "tenant:export", tenantId: null };
	const user = newUser("ada@example.com");
	const tenantId = await newTenant(service.post);
	const signedUp = await service.post("/tenant/sign-up/email", { ...user, tenantId });
	const session = { cookie: cookiesOf(signedUp), origin: service.baseUrl };
	const guesses = {
		"/operator/confirm": (currentPassword: string) =>
			service.post("/operator/confirm", { ...body, currentPassword }, operator.headers),
		"/change-password": (currentPassword: string) =>
			service.post("/change-password", { currentPassword, newPassword: "x".repeat(12) }, session),
	};
	for (const [path, guess] of notEmpty(Object.entries(guesses))) {
		for (let n = 0; n < 3; n++)
			expect([path, (await guess(`guess ${n}`)).status]).toEqual([path, 400]);
		expect([path, (await guess(operatorPassword)).status]).toEqual([path, 429]);
	}
	// It locks nobody out: the password of a sign-in has attempts of its own.
	expect((await signIn(service, operator.email)).status).toBe(200);
	vi.setSystemTime(Date.now() + 60_000);
	expect((await guesses["/operator/confirm"](operatorPassword)).status).toBe(200);
});

test("who has a session cannot have more guesses with another name in each request", async () => {
	stopClock();
	const { post, baseUrl } = await runningService({ RATE_LIMIT_ACCOUNT: "3/60" });
	const tenantId = await newTenant(post);
	const signedUp = await post("/tenant/sign-up/email", { tenantId, ...newUser("ada@example.com") });
	const session = { cookie: cookiesOf(signedUp), origin: baseUrl };
	const statuses: number[] = [];
	for (const name of ["a", "b", "c", "d"]) {
		const guess = { password: "guess", email: `${name}@example.com`, username: name };
		statuses.push((await post("/verify-password", guess, session)).status);
	}
	expect(statuses).toEqual([400, 400, 400, 429]);
});

test("an address that is over its limit does not use up the attempts of an account", async () => {
	stopClock();
	const { post } = await runningService({
		RATE_LIMIT_SIGN_IN: "2/60",
		RATE_LIMIT_ACCOUNT: "4/60",
	});
	const headers = { "x-tenant-id": await newTenant(post) };
	const user = newUser("ada@example.com");
	await post("/tenant/sign-up/email", user, headers);
	const attacker = newIp();
	const statuses: number[] = [];
	for (let i = 0; i < 6; i++) {
		statuses.push(
			(await post("/tenant/sign-in/email", wrong(user.email), headers, attacker)).status,
		);
	}
	expect(statuses).toEqual([401, 401, 429, 429, 429, 429]);
	expect((await post("/tenant/sign-in/email", user, headers)).status).toBe(200);
});

test("emails that can be requested for one account are limited", async () => {
	stopClock();
	const { post, backend } = await runningService();
	const headers = { "x-tenant-id": await newTenant(post) };
	await post("/tenant/sign-up/email", newUser("ada@example.com"), headers);
	const request = async (email: string) =>
		(await post("/request-password-reset", { email }, headers)).status;
	for (let i = 0; i < 3; i++) expect(await request("ada@example.com")).toBe(200);
	expect(await request("ada@example.com")).toBe(429);
	expect(await request("bob@example.com")).toBe(200);
	expect(await backend.mailer.outbox?.list()).toHaveLength(3);
});

test("sign-ups of an address are limited, also those that succeed", async () => {
	stopClock();
	const { post } = await runningService({ RATE_LIMIT_SIGN_IN: "2/60" });
	const headers = { "x-tenant-id": await newTenant(post) };
	const ip = newIp();
	const signUp = async (name: string) =>
		(await post("/tenant/sign-up/email", newUser(`${name}@example.com`), headers, ip)).status;
	expect([await signUp("a"), await signUp("b"), await signUp("c")]).toEqual([200, 200, 429]);
});

test("requests of an address to an endpoint are limited, but not those with a management key", async () => {
	stopClock();
	const { call } = await runningService({ RATE_LIMIT: "5/10" });
	const ip = newIp();
	const ask = (path: string, headers = {}) => call(path, { headers }, ip);
	for (let i = 0; i < 5; i++) expect((await ask("/api/auth/get-session")).status).toBe(200);
	const refused = await ask("/api/auth/get-session");
	expect(refused.status).toBe(429);
	expect(refused.headers.get("retry-after")).toBe("10");
	expect(await refused.json()).toMatchObject({ code: "TOO_MANY_REQUESTS" });
	for (let i = 0; i < 20; i++) {
		expect((await ask("/api/auth/tenant/list", asManager)).status).toBe(200);
		expect((await ask("/service/info", asManager)).status).toBe(200);
	}
	expect((await ask("/api/auth/get-session", asManager)).status).toBe(200);
});

test("a valid key with scopes is not limited either, but an expired, revoked or wrong one is", async () => {
	stopClock();
	const { call, backend } = await runningService({ RATE_LIMIT: "2/10" });
	const { api } = backend.auth;
	const newKey = (expiresAt?: Date) =>
		api.createOperatorKey({ body: { name: "ci", scopes: ["tenant:list"], expiresAt } });
	const asking = (key: string) => {
		const ip = newIp();
		const headers = { authorization: `Bearer ${key}` };
		return async () => (await call("/api/auth/tenant/list", { headers }, ip)).status;
	};
	const times = async (ask: () => Promise<number>) => {
		const answers: number[] = [];
		for (let i = 0; i < 4; i++) answers.push(await ask());
		return answers;
	};
	const valid = await newKey();
	const ask = asking(valid.key);
	expect(await times(ask)).toEqual([200, 200, 200, 200]);
	expect(await times(asking("tak_wrong"))).toEqual([403, 403, 429, 429]);

	const expiring = await newKey(new Date(Date.now() + 60_000));
	const askExpiring = asking(expiring.key);
	expect(await times(askExpiring)).toEqual([200, 200, 200, 200]);
	vi.setSystemTime(Date.now() + 60_000);
	expect(await times(askExpiring)).toEqual([403, 403, 429, 429]);

	await api.revokeOperatorKey({ body: { id: valid.id } });
	vi.setSystemTime(Date.now() + 1000);
	expect(await times(ask)).toEqual([403, 403, 429, 429]);
});

test("wrong keys are not looked up again and again, and do not push out a valid one", async () => {
	stopClock();
	const { backend } = await runningService();
	const { key } = await backend.auth.api.createOperatorKey({
		body: { name: "ci", scopes: ["tenant:list"] },
	});
	let lookups = 0;
	const db = backend.database.db.withPlugin({
		transformQuery: ({ node }) => {
			lookups += 1;
			return node;
		},
		transformResult: async ({ result }) => result,
	});
	const isScopedKey = scopedKeyCheck(db);
	const attacker = newIp();
	expect(await isScopedKey(key, newIp())).toBe(true);
	expect(await isScopedKey("not-a-key-with-scopes", attacker)).toBe(false);
	expect(lookups).toBe(1);
	for (let i = 0; i < 5000; i++) expect(await isScopedKey(`tak_${i}`, attacker)).toBe(false);
	expect(lookups).toBe(21);
	for (let i = 0; i < 100; i++) await isScopedKey("tak_same", newIp());
	expect(lookups).toBe(22);
	// The owner of a valid key has another address, or has used the key before.
	vi.setSystemTime(Date.now() + 2000);
	expect(await isScopedKey(key, attacker)).toBe(true);
	expect(lookups).toBe(23);
	const answers = await Promise.all(Array.from({ length: 50 }, () => isScopedKey(key, newIp())));
	expect([new Set(answers), lookups]).toEqual([new Set([true]), 23]);
});

test("a key with scopes does not lift the limit of failed sign-ins", async () => {
	stopClock();
	const { post, backend } = await runningService({ RATE_LIMIT_SIGN_IN: "2/60" });
	const tenantId = await newTenant(post);
	const { key } = await backend.auth.api.createOperatorKey({
		body: { name: "metrics", scopes: ["service:metrics"] },
	});
	const ip = newIp();
	const headers = { "x-tenant-id": tenantId, authorization: `Bearer ${key}` };
	const guess = async () =>
		(await post("/tenant/sign-in/email", wrong("ada@example.com"), headers, ip)).status;
	expect([await guess(), await guess(), await guess()]).toEqual([401, 401, 429]);
});

test("a short management key is limited like a wrong one", async () => {
	stopClock();
	const { call } = await runningService({ RATE_LIMIT: "2/10", MANAGEMENT_KEYS: "short" });
	const ip = newIp();
	const ask = async (key: string) => {
		const headers = { authorization: `Bearer ${key}` };
		return (await call("/api/auth/tenant/list", { headers }, ip)).status;
	};
	expect([await ask("guess"), await ask("other"), await ask("short")]).toEqual([403, 403, 429]);
});

test("limits can be switched off", async () => {
	stopClock();
	const off = { RATE_LIMIT: "off", RATE_LIMIT_SIGN_IN: "off", RATE_LIMIT_ACCOUNT: "off" };
	const { post, call } = await runningService(off);
	const ip = newIp();
	for (let i = 0; i < 40; i++) {
		expect((await post("/sign-in/email", wrong("ada@example.com"), {}, ip)).status).toBe(401);
	}
	expect((await call("/api/auth/get-session", {}, ip)).status).toBe(200);
});

test("the endpoints of an issuer have limits of their own, which can be off", async () => {
	stopClock();
	const { call, post } = await runningService({
		RATE_LIMIT: "4/60",
		RATE_LIMIT_AUTHORIZE: "off",
		RATE_LIMIT_TOKEN: "2/60",
		RATE_LIMIT_INTROSPECT: "6/60",
	});
	await newTenant(post);
	const statuses = async (path: string, method: string) => {
		const app = newIp();
		const init = method === "POST" ? { method, body: new URLSearchParams({ token: "x" }) } : {};
		const answers: number[] = [];
		for (let i = 0; i < 8; i++) {
			answers.push((await call(`/t/acme/oauth2/${path}`, init, app)).status);
		}
		return answers.indexOf(429);
	};
	expect(await statuses("authorize?client_id=none", "GET")).toBe(-1);
	expect(await statuses("token", "POST")).toBe(2);
	expect(await statuses("revoke", "POST")).toBe(2);
	expect(await statuses("introspect", "POST")).toBe(6);
	expect(await statuses("userinfo", "GET")).toBe(6);
	expect(await statuses("end-session", "GET")).toBe(4);
});

/** A tenant with an admin who is signed in. */
async function withAdmin(environment: Record<string, string> = {}) {
	stopClock();
	// The sign-in below is at a new device. Tests count the emails after it.
	const service = await runningService({ NEW_DEVICE_EMAILS: "false", ...environment });
	const tenantId = await newTenant(service.post);
	const user = newUser("admin@example.com");
	const tenant = { "x-tenant-id": tenantId };
	await service.post("/tenant/user/create", { tenantId, ...user, role: "admin" }, asManager);
	const response = await service.post("/tenant/sign-in/email", user, tenant);
	expect(response.status).toBe(200);
	const headers = { ...tenant, cookie: cookiesOf(response), origin: service.baseUrl };
	const invite = (email: string) =>
		service.post("/tenant/invitation/create", { email, role: "member" }, headers);
	const sentTo = async (to: string) =>
		((await service.backend.mailer.outbox?.list()) ?? []).filter((mail) => mail.to === to);
	return { ...service, tenantId, tenant, headers, invite, sentTo };
}

test("invitations to one address are limited, and refused before anything changes", async () => {
	const { post, headers, invite, sentTo } = await withAdmin();
	const { id: invitationId } = (await (await invite("bob@example.com")).json()) as { id: string };
	const resend = () => post("/tenant/invitation/resend", { invitationId }, headers);
	// One window for both, however the address is written.
	expect((await resend()).status).toBe(200);
	expect((await resend()).status).toBe(200);
	for (const refused of [await resend(), await invite("Bob@example.com")]) {
		expect(refused.status).toBe(429);
		expect(await refused.json()).toMatchObject({ code: "TOO_MANY_REQUESTS" });
	}
	expect(await sentTo("bob@example.com")).toHaveLength(3);
	expect((await invite("carl@example.com")).status).toBe(200);
	vi.setSystemTime(Date.now() + 60_000);
	expect((await resend()).status).toBe(200);
});

test("whoever may not invite does not learn who was invited", async () => {
	const { post, invite, tenant } = await withAdmin();
	for (let i = 0; i < 3; i++) await invite("bob@example.com");
	const invitation = { email: "bob@example.com", role: "member" };
	expect((await post("/tenant/invitation/create", invitation, tenant)).status).toBe(401);
});

test("emails of one kind are limited for a tenant, and leave other kinds alone", async () => {
	const { post, tenant, invite, sentTo } = await withAdmin({ RATE_LIMIT_TENANT_EMAIL: "2/3600" });
	expect((await invite("a@example.com")).status).toBe(200);
	expect((await invite("b@example.com")).status).toBe(200);
	expect((await invite("c@example.com")).status).toBe(429);
	const reset = await post("/request-password-reset", { email: "admin@example.com" }, tenant);
	expect(reset.status).toBe(200);
	expect(await sentTo("admin@example.com")).toHaveLength(1);
	expect(await sentTo("c@example.com")).toHaveLength(0);
});

test("an answer does not tell that an email was over the limit of its tenant", async () => {
	const { post, tenant, sentTo } = await withAdmin({ RATE_LIMIT_TENANT_EMAIL: "1/3600" });
	const request = async (email: string) => {
		const response = await post("/request-password-reset", { email }, tenant);
		return [response.status, await response.json()];
	};
	await request("admin@example.com");
	const known = await request("admin@example.com");
	expect(known).toEqual(await request("nobody@example.com"));
	expect(await sentTo("admin@example.com")).toHaveLength(1);
});

test("emails that name no address in the request are limited too", async () => {
	const { post, headers, sentTo } = await withAdmin();
	for (let i = 0; i < 6; i++) await post("/delete-user", { callbackURL: "/" }, headers);
	expect(await sentTo("admin@example.com")).toHaveLength(3);
});

describe("wrong passwords of somebody else do not lock out", () => {
	/** A user who has signed in before, and whose account somebody else has tried too often. */
	async function withLockedAccount() {
		stopClock();
		const service = await runningService({ RATE_LIMIT_ACCOUNT: "3/60" });
		const headers = { "x-tenant-id": await newTenant(service.post) };
		const user = newUser("ada@example.com");
		const home = newIp();
		const signedUp = await service.post("/tenant/sign-up/email", user, headers, home);
		const signIn = async (body: object, more: Record<string, string> = {}, ip = newIp()) =>
			(await service.post("/tenant/sign-in/email", body, { ...headers, ...more }, ip)).status;
		for (let i = 0; i < 5; i++) await signIn(wrong(user.email));
		return { ...service, user, headers, home, signIn, signedUp };
	}

	/** Without the session, as after a sign-out. */
	const knownOnly = (cookies: string) =>
		cookies
			.split("; ")
			.filter((cookie) => cookie.includes("known_"))
			.join("; ");

	test("a browser in which the user has signed in before", async () => {
		const { user, signIn, signedUp } = await withLockedAccount();
		const cookie = knownOnly(cookiesOf(signedUp));
		expect(cookie).not.toBe("");
		expect(await signIn(user)).toBe(429);
		expect(await signIn(user, { cookie })).toBe(200);
		// It has as many attempts as the account, and no more.
		for (let i = 0; i < 3; i++) expect(await signIn(wrong(user.email), { cookie })).toBe(401);
		expect(await signIn(user, { cookie })).toBe(429);
	});

	test("an address with a session of the user", async () => {
		const { user, home, signIn } = await withLockedAccount();
		expect(await signIn(user, {}, home)).toBe(200);
		for (let i = 0; i < 3; i++) expect(await signIn(wrong(user.email), {}, home)).toBe(401);
		expect(await signIn(user, {}, home)).toBe(429);
	});

	test("but the cookie of another user, of another tenant, or a forged one does not help", async () => {
		const { post, user, headers, signIn, signedUp } = await withLockedAccount();
		const own = knownOnly(cookiesOf(signedUp));
		const [name = ""] = own.split("=");
		const eve = await post("/tenant/sign-up/email", newUser("eve@example.com"), headers);
		const there = { "x-tenant-id": await newTenant(post, "globex") };
		const elsewhere = await post("/tenant/sign-up/email", user, there);
		for (const other of [eve, elsewhere]) {
			const value = knownOnly(cookiesOf(other)).replace(/^[^=]+/, "");
			expect(await signIn(user, { cookie: `${name}${value}` })).toBe(429);
		}
		const forged = own.replace(/=./, "=x");
		expect(await signIn(user, { cookie: forged })).toBe(429);
	});

	test("an operator either, who is of no tenant", async () => {
		stopClock();
		const service = await runningService({ RATE_LIMIT_ACCOUNT: "3/60" });
		const { email, cookie } = await newOperator(service, "owner");
		const signIn = async (password: string, more: Record<string, string> = {}) =>
			(await service.post("/sign-in/email", { email, password }, more)).status;
		for (let i = 0; i < 5; i++) await signIn("wrong password");
		expect(await signIn(operatorPassword)).toBe(429);
		expect(await signIn(operatorPassword, { cookie: knownOnly(cookie) })).toBe(200);
	});

	test("the cookie does not sign in", async () => {
		const { call, headers, signedUp } = await withLockedAccount();
		const known = { ...headers, cookie: knownOnly(cookiesOf(signedUp)) };
		expect(await (await call("/api/auth/get-session", { headers: known })).json()).toBeNull();
	});
});
