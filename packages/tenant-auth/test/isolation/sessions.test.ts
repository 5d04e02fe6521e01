import { expect } from "vitest";
import { notEmpty } from "../../../../testing/not-empty";
import { expectRefusal } from "../support/http/refusal";
import { type Answer, CREDENTIALS, makeInstance, PASSWORD } from "../support/worlds/instance";
import { sessionStores } from "../support/worlds/session-stores";
import { describeVariations } from "../support/worlds/variations";
import { useWorld } from "../support/worlds/world";

const newPassword = "another horse battery";

/** The session cookies that the answer deletes. */
const deletedCookies = ({ headers }: Answer) =>
	headers.getSetCookie().filter((line) => /max-age=0\b/i.test(line) && /session/.test(line));

/** Calls that need a session, and their bodies. */
const callsWithSession: [string, object | undefined][] = [
	["/list-sessions", undefined],
	["/list-accounts", undefined],
	["/update-user", { name: "Taken over" }],
	["/update-session", { device: "stolen" }],
	["/change-password", { currentPassword: PASSWORD, newPassword }],
	["/revoke-sessions", {}],
	["/revoke-other-sessions", {}],
];

describeVariations("sessions %s", sessionStores, (store, it) => {
	const world = useWorld(async () => {
		const { session, ...rest } = store();
		const instance = await makeInstance({
			...rest,
			session: { ...session, additionalFields: { device: { type: "string", required: false } } },
		});
		const [own, other] = [await instance.makeTenant(), await instance.makeTenant()];
		const mine = await instance.signUp(own);
		const theirs = await instance.signUp(other);
		const platform = await instance.call("/sign-up/email", {
			body: { name: "Ada", ...CREDENTIALS },
		});
		const read = async (cookie: string, tenant?: string) =>
			instance.call("/get-session", { cookie, ...(tenant ? { tenant } : {}) });
		return { ...instance, own, other, mine, theirs, platform, read };
	});

	it("are valid in their own tenant, whether the request names it or not", async () => {
		const { own, mine, read } = world();
		for (const { body } of [await read(mine.cookie), await read(mine.cookie, own)]) {
			expect(body).toMatchObject({
				session: { token: mine.body.token, tenantId: own },
				user: { id: mine.body.user.id, tenantId: own },
			});
		}
	});

	it("are ignored in another tenant, and stay valid in their own", async () => {
		const { other, mine, read } = world();
		const refused = await read(mine.cookie, other);
		expect(refused.status).toBe(200);
		expect(refused.body).toBeNull();
		expect(deletedCookies(refused)).toEqual([]);
		expect((await read(mine.cookie)).body.session.token).toBe(mine.body.token);
	});

	it.each(callsWithSession)(
		"are rejected in another tenant by %s, which changes nothing",
		async (path, body) => {
			const { call, other, mine, theirs, read } = world();
			const refused = await call(path, {
				cookie: mine.cookie,
				tenant: other,
				...(body ? { body } : {}),
			});
			expect(refused.status).toBe(401);
			expect(deletedCookies(refused)).toEqual([]);
			for (const { cookie, body: before } of [mine, theirs]) {
				const { body: now } = await read(cookie);
				expect(now.session.token).toBe(before.token);
				expect(now.user.name).toBe("User");
			}
		},
	);

	it("do not end when the browser signs out of another tenant", async () => {
		const { call, other, mine } = world();
		const answer = await call("/sign-out", { body: {}, cookie: mine.cookie, tenant: other });
		expect(answer.status).toBeLessThan(500);
		expect(deletedCookies(answer)).toEqual([]);
		const query = { disableCookieCache: "true" };
		const stillThere = await call("/get-session", { cookie: mine.cookie, query });
		expect(stillThere.body?.session.token).toBe(mine.body.token);
		expect((await call("/list-sessions", { cookie: mine.cookie })).body).toHaveLength(1);
	});

	it("of the platform are rejected in a tenant, and stay valid on the platform", async () => {
		const { call, own, platform, read } = world();
		expect((await read(platform.cookie)).body.session.tenantId).toBeNull();
		const refused = await read(platform.cookie, own);
		expect(refused.body).toBeNull();
		expect(deletedCookies(refused)).toEqual([]);
		const list = await call("/list-sessions", { cookie: platform.cookie, tenant: own });
		expect(list.status).toBe(401);
		expect((await read(platform.cookie)).body.user.id).toBe(platform.body.user.id);
	});

	it("are rejected with an unknown tenant in the header, also on the platform", async () => {
		const { call, mine, platform } = world();
		for (const cookie of [mine.cookie, platform.cookie, ""]) {
			for (const path of ["/get-session", "/list-sessions", "/ok"]) {
				const answer = await call(path, { cookie, tenant: "nobody" });
				if (path === "/ok" && answer.status === 200) continue;
				expectRefusal(answer, 404, "TENANT_NOT_FOUND");
			}
		}
		const signIn = await call("/sign-in/email", {
			body: CREDENTIALS,
			tenant: "nobody",
		});
		expectRefusal(signIn, 404, "TENANT_NOT_FOUND");
		expect(signIn.cookie).toBe("");
	});

	it("are listed and revoked inside their tenant only", async () => {
		const { call, signIn, own, mine, theirs, read } = world();
		const again = await signIn(own);
		const list = await call("/list-sessions", { cookie: mine.cookie });
		expect(list.body.map(({ token }: { token: string }) => token).sort()).toEqual(
			[mine.body.token, again.body.token].sort(),
		);
		for (const { tenantId } of notEmpty(list.body)) expect(tenantId).toBe(own);
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

	it("end with a sign-out that names no tenant, in their own tenant only", async () => {
		const { call, mine, theirs, read } = world();
		const answer = await call("/sign-out", { body: {}, cookie: mine.cookie });
		expect(deletedCookies(answer)).not.toEqual([]);
		const list = await call("/list-sessions", {
			cookie: mine.cookie,
			query: { disableCookieCache: "true" },
		});
		expect(list.status).toBe(401);
		expect((await read(theirs.cookie)).body.session.token).toBe(theirs.body.token);
	});

	it("that were revoked cannot change a password, and do not survive a fresh read", async () => {
		const { call, signIn, own, mine } = world();
		const other = await signIn(own);
		await call("/revoke-other-sessions", { body: {}, cookie: mine.cookie });
		const change = await call("/change-password", {
			body: { currentPassword: PASSWORD, newPassword },
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
		const { call, signIn, own, other, mine, theirs, read } = world();
		await call("/update-user", { body: { name: "Renamed" }, cookie: mine.cookie });
		const changed = await call("/change-password", {
			body: { currentPassword: PASSWORD, newPassword },
			cookie: mine.cookie,
		});
		expect(changed.status).toBe(200);
		const withNewPassword = { password: newPassword };
		expect((await signIn(own, withNewPassword)).body.user.name).toBe("Renamed");
		expect((await signIn(own)).status).toBe(401);
		expect((await signIn(other)).body.user.name).toBe("User");
		expect((await signIn(other, withNewPassword)).status).toBe(401);
		expect((await read(theirs.cookie)).body.user.name).toBe("User");
	});

	it("of the platform and of tenants do not see each other's users", async () => {
		const { call, signIn, own, mine, platform } = world();
		await call("/change-password", {
			body: { currentPassword: PASSWORD, newPassword },
			cookie: platform.cookie,
		});
		expect((await signIn(own)).body.user.id).toBe(mine.body.user.id);
		const atPlatform = await call("/sign-in/email", {
			body: { ...CREDENTIALS, password: newPassword },
		});
		expect(atPlatform.body.user).toMatchObject({ id: platform.body.user.id, tenantId: null });
		const wrong = await call("/sign-in/email", { body: CREDENTIALS });
		expect(wrong.status).toBe(401);
	});

	it("are replaced in the browser by a sign-in to another tenant, and stay valid", async () => {
		const { signIn, other, mine, read } = world();
		const second = await signIn(other, { cookie: mine.cookie });
		expect(second.body.session.tenantId).toBe(other);
		expect((await read(second.cookie)).body.session.tenantId).toBe(other);
		expect((await read(mine.cookie)).body.session.token).toBe(mine.body.token);
	});
});
