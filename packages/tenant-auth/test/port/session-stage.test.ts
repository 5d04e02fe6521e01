import { APIError } from "@better-auth/core/error";
import { defineTenantPlugin, type NewSession, type TenantPart } from "better-auth-tenant";
import { describe, expect, it } from "vitest";
import { expectRefusal } from "../support/http/refusal";
import {
	CREDENTIALS,
	type InstanceOptions,
	makeInstance,
	PASSWORD,
} from "../support/worlds/instance";

const EMAIL = "ada@example.com";

async function makeApp(tenant: TenantPart, options: InstanceOptions = {}) {
	const app = await makeInstance({
		...options,
		plugins: [defineTenantPlugin({ id: "unseen", tenant })],
	});
	const tenantId = await app.makeTenant();
	const countSessions = async () =>
		(await app.db.selectFrom("session").select("id").execute()).length;
	const readSession = async (cookie: string) => (await app.call("/get-session", { cookie })).body;
	return { ...app, tenantId, countSessions, readSession };
}

describe("a plugin that takes part in sessions", () => {
	it("refuses a sign-in, which leaves no session and no event", async () => {
		let isRefused = false;
		const app = await makeApp({
			session: {
				before: async () => {
					if (isRefused) throw new APIError("FORBIDDEN", { code: "NOT_NOW", message: "Not now" });
				},
			},
		});
		await app.signUp(app.tenantId, EMAIL);
		const before = await app.countSessions();
		isRefused = true;
		expectRefusal(await app.signIn(app.tenantId), 403, "NOT_NOW");
		expect(await app.countSessions()).toBe(before);
	});

	it("hears of sessions of tenants, and of who creates them", async () => {
		const seen: Omit<NewSession, "endpoint">[] = [];
		const app = await makeApp({
			session: {
				after: async ({ endpoint: _, ...session }) => void seen.push(session),
			},
		});
		const { tenantId } = app;
		const { id: userId } = (await app.signUp(tenantId, EMAIL)).body.user;
		const body = { tenantId, userId, reason: "help" };
		expect((await app.manage("/tenant/user/impersonate", { body })).status).toBe(200);
		await app.call("/sign-up/email", { body: { ...CREDENTIALS, name: "Ada" } });
		expect(seen).toEqual([
			{ tenantId, userId, isByManagement: false },
			{ tenantId, userId, isByManagement: true },
		]);
	});

	it.each([false, true])(
		"ends sessions for as long as it says so, with the cookie cache: %s",
		async (isCached) => {
			let isValid = true;
			const app = await makeApp(
				{ session: { admits: async () => isValid } },
				isCached ? { session: { cookieCache: { enabled: true, maxAge: 300 } } } : {},
			);
			const { cookie } = await app.signUp(app.tenantId, EMAIL);
			const platform = await app.call("/sign-up/email", { body: { ...CREDENTIALS, name: "Ada" } });
			expect(await app.readSession(cookie)).toMatchObject({ user: { email: EMAIL } });
			isValid = false;
			const refused = await app.call("/get-session", { cookie });
			expect(refused.body).toBeNull();
			expect(refused.headers.get("set-cookie") ?? "").not.toMatch(/session_token=;/);
			expect(await app.readSession(platform.cookie)).toMatchObject({ user: { email: EMAIL } });
			isValid = true;
			expect(await app.readSession(cookie)).toMatchObject({ user: { email: EMAIL } });
		},
	);
});

describe("a plugin that hears of a sign-out", () => {
	it("hears of it after the session has ended, and of no other end", async () => {
		const seen: (string | undefined)[] = [];
		const app = await makeApp({
			session: { signedOut: async ({ path }) => void seen.push(path) },
		});
		const first = await app.signUp(app.tenantId, EMAIL);
		const second = await app.signIn(app.tenantId);
		await app.call("/revoke-session", {
			cookie: second.cookie,
			body: { token: first.body.token },
		});
		expect([seen, await app.countSessions()]).toEqual([[], 1]);
		await app.call("/sign-out", { cookie: second.cookie, body: {} });
		expect([seen, await app.countSessions()]).toEqual([["/sign-out"], 0]);
	});

	it("cannot keep the user signed in", async () => {
		const app = await makeApp({
			session: {
				signedOut: async () => {
					throw new Error("an outage");
				},
			},
		});
		const { cookie } = await app.signUp(app.tenantId, EMAIL);
		const answer = await app.call("/sign-out", { cookie, body: {} });
		expect([answer.status, answer.cookie, await app.countSessions()]).toEqual([200, "", 0]);
	});
});

describe("a plugin that admits people", () => {
	const CODE = "x-referral";

	async function makeReferrals() {
		const accepted: string[] = [];
		const app = await makeApp({
			admission: {
				isInvited: async ({ headers }, _, email) => headers?.get(CODE) === `for ${email}`,
				acceptUser: async ({ headers }, _trx, _tenantId, email) =>
					headers?.get(CODE) === `for ${email}`
						? {
								fields: { name: "Referred" },
								created: async ({ id }) => void accepted.push(id),
								undo: async () => {},
							}
						: null,
				isExpected: async () => false,
			},
		});
		const { tenantId, manage, call } = app;
		const policy = { signUp: { mode: "invite" } };
		await manage("/tenant/policy/update", { body: { tenantId, ...policy } });
		const signUp = (email: string, code?: string) =>
			call("/tenant/sign-up/email", {
				body: { tenantId, name: "Ada", email, password: PASSWORD },
				...(code ? { headers: { [CODE]: code } } : {}),
			});
		return { ...app, accepted, signUp };
	}

	it("lets them sign up where only invited people may", async () => {
		const { signUp, accepted } = await makeReferrals();
		expectRefusal(await signUp(EMAIL), 403, "INVITATION_REQUIRED");
		expectRefusal(await signUp(EMAIL, "for bob@example.com"), 403, "INVITATION_REQUIRED");
		const { status, body } = await signUp(EMAIL, `for ${EMAIL}`);
		expect([status, body.user.name]).toEqual([200, "Referred"]);
		expect(accepted).toEqual([body.user.id]);
	});

	it("is not asked again about people who are there", async () => {
		const { signUp, signIn, tenantId, accepted } = await makeReferrals();
		await signUp(EMAIL, `for ${EMAIL}`);
		expect((await signIn(tenantId)).status).toBe(200);
		expect(accepted).toHaveLength(1);
	});
});

describe("a tenant that admits only invited people", () => {
	it("admits nobody if no plugin invites people", async () => {
		const app = await makeInstance({ features: false });
		const tenantId = await app.makeTenant();
		const policy = { signUp: { mode: "invite" } };
		expect(
			(await app.manage("/tenant/policy/update", { body: { tenantId, ...policy } })).status,
		).toBe(200);
		const refused = await app.call("/tenant/sign-up/email", {
			body: { tenantId, name: "Ada", email: EMAIL, password: PASSWORD },
			headers: { "x-invitation-token": "any" },
		});
		expectRefusal(refused, 403, "INVITATION_REQUIRED");
	});
});
