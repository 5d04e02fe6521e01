import { describe, expect, it } from "vitest";
import { type Answer, makeInstance } from "./support/instance";
import { sessionStores } from "./support/session-stores";

const password = "correct horse battery";
const newPassword = "another horse battery";

/** Cookies that the answer takes away from the browser. */
const cleared = ({ headers }: Answer) =>
	headers.getSetCookie().filter((line) => /max-age=0\b/i.test(line) && /session/.test(line));

/** Calls that need a session, and what they need beside it. */
const needy: [string, object | undefined][] = [
	["/list-sessions", undefined],
	["/list-accounts", undefined],
	["/update-user", { name: "Taken over" }],
	["/update-session", { device: "stolen" }],
	["/change-password", { currentPassword: password, newPassword }],
	["/revoke-sessions", {}],
	["/revoke-other-sessions", {}],
];

describe.each(sessionStores)("sessions %s", (_, store) => {
	async function setUp() {
		const { session, ...rest } = store();
		const instance = await makeInstance({
			...rest,
			session: { ...session, additionalFields: { device: { type: "string", required: false } } },
		});
		const [own, other] = [await instance.makeTenant(), await instance.makeTenant()];
		const email = "ada@example.com";
		const mine = await instance.signUp(own, email);
		const theirs = await instance.signUp(other, email);
		const platform = await instance.call("/sign-up/email", {
			body: { name: "Ada", email, password },
		});
		const read = async (cookie: string, tenant?: string) =>
			instance.call("/get-session", { cookie, ...(tenant ? { tenant } : {}) });
		return { ...instance, own, other, email, mine, theirs, platform, read };
	}

	it("count in their own tenant, named or not", async () => {
		const { own, mine, read } = await setUp();
		for (const { body } of [await read(mine.cookie), await read(mine.cookie, own)]) {
			expect(body).toMatchObject({
				session: { token: mine.body.token, tenantId: own },
				user: { id: mine.body.user.id, tenantId: own },
			});
		}
	});

	it("a cookie of tenant A answers on B: no, and it stays good on A", async () => {
		const { other, mine, read } = await setUp();
		const refused = await read(mine.cookie, other);
		expect(refused.status).toBe(200);
		expect(refused.body).toBeNull();
		expect(cleared(refused)).toEqual([]);
		expect((await read(mine.cookie)).body.session.token).toBe(mine.body.token);
	});

	it.each(needy)(
		"a cookie of tenant A answers on B at %s: no, and nothing changes",
		async (path, body) => {
			const { call, other, mine, theirs, read } = await setUp();
			const refused = await call(path, {
				cookie: mine.cookie,
				tenant: other,
				...(body ? { body } : {}),
			});
			expect(refused.status).toBe(401);
			expect(cleared(refused)).toEqual([]);
			for (const { cookie, body: before } of [mine, theirs]) {
				const { body: now } = await read(cookie);
				expect(now.session.token).toBe(before.token);
				expect(now.user.name).toBe("User");
			}
		},
	);

	it("a cookie of tenant A signs out on B: it does not end the session of A", async () => {
		const { call, other, mine } = await setUp();
		const answer = await call("/sign-out", { body: {}, cookie: mine.cookie, tenant: other });
		expect(answer.status).toBeLessThan(500);
		expect(cleared(answer)).toEqual([]);
		const query = { disableCookieCache: "true" };
		const stillThere = await call("/get-session", { cookie: mine.cookie, query });
		expect(stillThere.body?.session.token).toBe(mine.body.token);
		expect((await call("/list-sessions", { cookie: mine.cookie })).body).toHaveLength(1);
	});

	it("a session with no tenant works everywhere: no", async () => {
		const { call, own, platform, read } = await setUp();
		expect((await read(platform.cookie)).body.session.tenantId).toBeNull();
		const refused = await read(platform.cookie, own);
		expect(refused.body).toBeNull();
		expect(cleared(refused)).toEqual([]);
		const list = await call("/list-sessions", { cookie: platform.cookie, tenant: own });
		expect(list.status).toBe(401);
		expect((await read(platform.cookie)).body.user.id).toBe(platform.body.user.id);
	});

	it("an unknown tenant in the header is an error, never the platform", async () => {
		const { call, mine, platform } = await setUp();
		for (const cookie of [mine.cookie, platform.cookie, ""]) {
			for (const path of ["/get-session", "/list-sessions", "/ok"]) {
				const { status, body } = await call(path, { cookie, tenant: "nobody" });
				if (path === "/ok" && status === 200) continue;
				expect([status, body.code]).toEqual([404, "TENANT_NOT_FOUND"]);
			}
		}
		const signIn = await call("/sign-in/email", {
			body: { email: "ada@example.com", password },
			tenant: "nobody",
		});
		expect([signIn.status, signIn.body.code, signIn.cookie]).toEqual([404, "TENANT_NOT_FOUND", ""]);
	});

	it("are listed and revoked inside their tenant only", async () => {
		const { call, own, mine, theirs, email, read } = await setUp();
		const again = await call("/tenant/sign-in/email", { body: { tenantId: own, email, password } });
		const list = await call("/list-sessions", { cookie: mine.cookie });
		expect(list.body.map(({ token }: { token: string }) => token).sort()).toEqual(
			[mine.body.token, again.body.token].sort(),
		);
		for (const { tenantId } of list.body) expect(tenantId).toBe(own);
		const foreign = await call("/revoke-session", {
			body: { token: theirs.body.token },
			cookie: mine.cookie,
		});
		expect(foreign.body).toEqual({ status: true });
		expect((await read(theirs.cookie)).body.session.token).toBe(theirs.body.token);
		await call("/revoke-session", { body: { token: again.body.token }, cookie: mine.cookie });
		const left = await call("/list-sessions", { cookie: mine.cookie });
		expect(left.body.map(({ token }: { token: string }) => token)).toEqual([mine.body.token]);
	});

	it("end with sign-out, with no header, in their own tenant", async () => {
		const { call, mine, theirs, read } = await setUp();
		const answer = await call("/sign-out", { body: {}, cookie: mine.cookie });
		expect(cleared(answer)).not.toEqual([]);
		const list = await call("/list-sessions", {
			cookie: mine.cookie,
			query: { disableCookieCache: "true" },
		});
		expect(list.status).toBe(401);
		expect((await read(theirs.cookie)).body.session.token).toBe(theirs.body.token);
	});

	it("a revoked session lives on in secondary storage or in the cookie cache: not for what matters", async () => {
		const { call, own, email, mine } = await setUp();
		const other = await call("/tenant/sign-in/email", { body: { tenantId: own, email, password } });
		await call("/revoke-other-sessions", { body: {}, cookie: mine.cookie });
		const change = await call("/change-password", {
			body: { currentPassword: password, newPassword },
			cookie: other.cookie,
		});
		expect(change.status).toBe(401);
		const fresh = await call("/get-session", {
			cookie: other.cookie,
			query: { disableCookieCache: "true" },
		});
		expect(fresh.body).toBeNull();
	});

	it("change the user and the password of their own tenant only", async () => {
		const { call, own, other, email, mine, theirs, read } = await setUp();
		await call("/update-user", { body: { name: "Renamed" }, cookie: mine.cookie });
		const changed = await call("/change-password", {
			body: { currentPassword: password, newPassword },
			cookie: mine.cookie,
		});
		expect(changed.status).toBe(200);
		const signIn = (tenantId: string, password: string) =>
			call("/tenant/sign-in/email", { body: { tenantId, email, password } });
		expect((await signIn(own, newPassword)).body.user.name).toBe("Renamed");
		expect((await signIn(own, password)).status).toBe(401);
		expect((await signIn(other, password)).body.user.name).toBe("User");
		expect((await signIn(other, newPassword)).status).toBe(401);
		expect((await read(theirs.cookie)).body.user.name).toBe("User");
	});

	it("of the platform and of tenants do not see each other's users", async () => {
		const { call, own, email, mine, platform } = await setUp();
		await call("/change-password", {
			body: { currentPassword: password, newPassword },
			cookie: platform.cookie,
		});
		const atTenant = await call("/tenant/sign-in/email", {
			body: { tenantId: own, email, password },
		});
		expect(atTenant.body.user.id).toBe(mine.body.user.id);
		const atPlatform = await call("/sign-in/email", { body: { email, password: newPassword } });
		expect(atPlatform.body.user).toMatchObject({ id: platform.body.user.id, tenantId: null });
		const wrong = await call("/sign-in/email", { body: { email, password } });
		expect(wrong.status).toBe(401);
	});

	it("give way to a new one when the browser signs in to another tenant", async () => {
		const { call, other, email, mine, read } = await setUp();
		const second = await call("/tenant/sign-in/email", {
			body: { tenantId: other, email, password },
			cookie: mine.cookie,
		});
		expect(second.body.session.tenantId).toBe(other);
		expect((await read(second.cookie)).body.session.tenantId).toBe(other);
		expect((await read(mine.cookie)).body.session.token).toBe(mine.body.token);
	});
});
