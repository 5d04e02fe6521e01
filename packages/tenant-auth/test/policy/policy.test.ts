import { emailOTP, magicLink, twoFactor } from "better-auth/plugins";
import { runAcrossTenants } from "better-auth-tenant";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { possiblyEmpty } from "../../../../testing/not-empty";
import type { OpenDatabase } from "../support/databases/databases";
import { eachDatabase } from "../support/databases/each-database";
import { expectRefusal } from "../support/http/refusal";
import { totpOf } from "../support/providers/totp";
import {
	type Answer,
	EMAIL,
	type Instance,
	makeInstance,
	PASSWORD,
} from "../support/worlds/instance";

const BREACHED = "password of a breach";
const MINUTE = 60;

/** The flows of a tenant's policy, on any database. */
describe.each(eachDatabase)("a tenant's policy on %s", (_, open) => {
	let on: OpenDatabase;
	let app: Instance;
	let tenantId: string;
	const mails: { email: string; token: string }[] = [];

	beforeAll(async () => {
		on = await open();
		const { db, type } = on;
		app = await makeInstance({
			on: { db, type },
			emailVerification: { sendVerificationEmail: async () => {} },
			plugins: [
				magicLink({ sendMagicLink: async (mail) => void mails.push(mail) }),
				emailOTP({ sendVerificationOTP: async () => {} }),
				twoFactor(),
			],
			tenants: {
				isBreachedPassword: (password) => {
					if (password === "outage of the check") throw new Error("outage");
					return password === BREACHED;
				},
			},
		});
	});

	beforeEach(async () => {
		tenantId = await app.makeTenant();
		mails.length = 0;
	});

	afterEach(() => vi.useRealTimers());

	afterAll(() => on.close());

	const update = async (policy: object, tenant = tenantId): Promise<Answer> =>
		app.manage("/tenant/policy/update", { body: { tenantId: tenant, ...policy } });
	const get = async (): Promise<Answer> =>
		app.manage("/tenant/policy/get", { query: { tenantId } });
	const session = async (cookie: string) => (await app.call("/get-session", { cookie })).body;
	const loginOptions = async () =>
		(await app.call("/tenant/login-options", { query: { tenantId } })).body;

	describe("the policy", () => {
		it("has defaults, keeps what a change does not name, and is audited", async () => {
			const defaults = (await get()).body;
			expect(defaults).toEqual({
				signUp: { mode: "open", emailDomains: null },
				signIn: { methods: null, providers: null, fallbackToGlobal: true },
				password: { minLength: null, rejectBreached: false },
				session: { lifetime: null, idleTime: null },
				secondFactor: { required: false },
			});
			await update({ signUp: { mode: "closed" } });
			const changed = await update({ password: { minLength: 20 } });
			expect(changed.status).toBe(200);
			const policy = (await get()).body;
			expect(policy).toEqual(changed.body);
			expect([policy.signUp.mode, policy.password.minLength]).toEqual(["closed", 20]);
			const query = { tenantId, action: "policy:update" };
			const { body: events } = await app.manage("/tenant/audit/list", { query });
			expect(events.map(({ detail }: { detail: object }) => detail)).toContainEqual({
				password: { minLength: 20 },
			});
		});

		it("loses none of two changes at once", async () => {
			const answers = await Promise.all([
				update({ signUp: { mode: "invite" } }),
				update({ password: { minLength: 12 } }),
			]);
			const lost = answers.filter(({ status }) => status !== 200);
			for (const answer of possiblyEmpty(lost)) expectRefusal(answer, 409, "WRITE_CONFLICT");
			const policy = (await get()).body;
			const isKept = [policy.signUp.mode === "invite", policy.password.minLength === 12];
			expect(isKept.filter(Boolean)).toHaveLength(answers.length - lost.length);
		});

		it("of one tenant says nothing about another", async () => {
			const other = await app.makeTenant();
			await update({ signUp: { mode: "closed" } });
			expect((await app.signUp(other)).status).toBe(200);
		});

		it("cannot require what the app does not have", async () => {
			const answer = await update({ signIn: { methods: ["passkey"] } });
			expectRefusal(answer, 400, "INVALID_POLICY");
			expect(answer.body.message).toContain("passkey");
		});
	});

	describe("sign-up", () => {
		it("is refused for a known and an unknown email alike, in a closed tenant", async () => {
			await app.signUp(tenantId);
			await update({ signUp: { mode: "closed" } });
			expectRefusal(await app.signUp(tenantId), 403, "SIGN_UP_NOT_ALLOWED");
			expectRefusal(await app.signUp(tenantId, "new@example.com"), 403, "SIGN_UP_NOT_ALLOWED");
			expect((await app.signIn(tenantId)).status).toBe(200);
			expect(await loginOptions()).toMatchObject({ signUp: "closed", email: { signUp: false } });
		});

		it("is refused at core's own path, and by a magic link for a new user", async () => {
			await update({ signUp: { mode: "closed" } });
			const body = { name: "Ada", email: EMAIL, password: PASSWORD };
			const atCore = await app.call("/sign-up/email", { tenant: tenantId, body });
			expectRefusal(atCore, 403, "SIGN_UP_NOT_ALLOWED");
			await app.call("/sign-in/magic-link", { tenant: tenantId, body: { email: EMAIL } });
			const query = { token: String(mails[0]?.token) };
			const clicked = await app.call("/magic-link/verify", { query });
			expect(clicked.cookie).not.toContain("session_token");
			expect(await countUsers()).toBe(0);
		});

		it("needs an invitation in a tenant by invitation", async () => {
			await update({ signUp: { mode: "invite" } });
			expectRefusal(await app.signUp(tenantId), 403, "INVITATION_REQUIRED");
		});

		/** What a tenant does not take, with a policy and its code. */
		const refused: [string, object, string][] = [
			["in a closed tenant", { mode: "closed" }, "SIGN_UP_NOT_ALLOWED"],
			[
				"with another email domain",
				{ mode: "invite", emailDomains: ["acme.com"] },
				"EMAIL_DOMAIN_NOT_ALLOWED",
			],
		];

		it.each(refused)("is refused for invited people too, %s", async (_, signUp, code) => {
			const body = { tenantId, email: EMAIL, role: "member" };
			const invited = await app.manage("/tenant/invitation/create", { body });
			await update({ signUp });
			const answer = await app.call("/tenant/sign-up/email", {
				body: { tenantId, name: "Ada", email: EMAIL, password: PASSWORD },
				headers: { "x-invitation-token": invited.body.token },
			});
			expectRefusal(answer, 403, code);
			expect(await countUsers()).toBe(0);
		});

		it.each(refused)("has no invitation that nobody could accept, %s", async (_, signUp, code) => {
			const body = { tenantId, email: EMAIL, role: "admin" };
			const before = await app.manage("/tenant/invitation/create", { body });
			await update({ signUp });
			expectRefusal(await app.manage("/tenant/invitation/create", { body }), 403, code);
			const again = { tenantId, invitationId: before.body.id };
			expectRefusal(await app.manage("/tenant/invitation/resend", { body: again }), 403, code);
			// Somebody who has an account gets the role.
			await update({ signUp: { mode: "open", emailDomains: null } });
			await app.signUp(tenantId);
			await update({ signUp });
			expect((await app.manage("/tenant/invitation/create", { body })).status).toBe(200);
		});

		it("is limited to email domains, exactly these", async () => {
			const changed = await update({ signUp: { emailDomains: ["Example.COM", "bücher.example"] } });
			expect(changed.body.signUp.emailDomains).toEqual(["example.com", "xn--bcher-kva.example"]);
			expect((await app.signUp(tenantId, "Ada@EXAMPLE.com")).status).toBe(200);
			for (const email of [
				"ada@sub.example.com",
				"ada@example.com.evil.org",
				"ada@notexample.com",
			]) {
				expectRefusal(await app.signUp(tenantId, email), 403, "EMAIL_DOMAIN_NOT_ALLOWED");
			}
			expect(await countUsers()).toBe(1);
		});
	});

	describe("sign-in", () => {
		it("is refused before the password is verified, if passwords are not allowed", async () => {
			await app.signUp(tenantId);
			await update({ signIn: { methods: ["magic-link"] } });
			expectRefusal(await app.signIn(tenantId), 403, "SIGN_IN_METHOD_NOT_ALLOWED");
			const wrong = await app.signIn(tenantId, { password: "a wrong password" });
			expectRefusal(wrong, 403, "SIGN_IN_METHOD_NOT_ALLOWED");
			const body = { email: EMAIL };
			const reset = await app.call("/request-password-reset", { tenant: tenantId, body });
			expectRefusal(reset, 403, "SIGN_IN_METHOD_NOT_ALLOWED");
			await app.call("/sign-in/magic-link", { tenant: tenantId, body });
			const query = { token: String(mails[0]?.token) };
			expect((await app.call("/magic-link/verify", { query })).cookie).toContain("session_token");
		});

		it("with a link that was sent before the policy changed is refused", async () => {
			await app.signUp(tenantId);
			const body = { email: EMAIL };
			await app.call("/sign-in/magic-link", { tenant: tenantId, body });
			await update({ signIn: { methods: ["password"] } });
			const query = { token: String(mails[0]?.token) };
			const clicked = await app.call("/magic-link/verify", { query });
			expectRefusal(clicked, 403, "SIGN_IN_METHOD_NOT_ALLOWED");
			expect(clicked.cookie).not.toContain("session_token");
		});

		it("shows exactly what is allowed", async () => {
			expect(await loginOptions()).toMatchObject({
				methods: ["password", "magic-link", "email-otp"],
				email: { signIn: true, signUp: true },
			});
			await update({ signIn: { methods: ["email-otp", "social"] }, password: { minLength: 14 } });
			expect(await loginOptions()).toMatchObject({
				methods: ["email-otp"],
				email: { signIn: false, signUp: false, reset: false },
				password: { minLength: 14 },
			});
		});

		it("ends for a disabled user, with all sessions", async () => {
			const { cookie, body } = await app.signUp(tenantId);
			const { adapter } = await app.auth.$context;
			await runAcrossTenants(() =>
				adapter.update({
					model: "user",
					where: [{ field: "id", value: body.user.id }],
					update: { disabledAt: new Date() },
				}),
			);
			expect(await session(cookie)).toBeNull();
			expectRefusal(await app.signIn(tenantId), 403, "USER_DISABLED");
			const wrong = await app.signIn(tenantId, { password: "a wrong password" });
			expectRefusal(wrong, 401, "INVALID_EMAIL_OR_PASSWORD");
		});
	});

	describe("new passwords", () => {
		it("have the tenant's length at sign-up, reset and change", async () => {
			const { cookie } = await app.signUp(tenantId);
			await update({ password: { minLength: 30 } });
			expectRefusal(await app.signUp(tenantId, "b@example.com"), 400, "PASSWORD_TOO_SHORT");
			const changed = await app.call("/change-password", {
				cookie,
				body: { currentPassword: PASSWORD, newPassword: "a short password" },
			});
			expectRefusal(changed, 400, "PASSWORD_TOO_SHORT");
			expect((await app.signIn(tenantId)).status).toBe(200);
		});

		it("hide whether a user exists, at a sign-in with a short password", async () => {
			await app.signUp(tenantId);
			await update({ password: { minLength: 30 } });
			for (const email of [EMAIL, "unknown@example.com"]) {
				const answer = await app.signIn(tenantId, { email, password: "a wrong one" });
				expectRefusal(answer, 401, "INVALID_EMAIL_OR_PASSWORD");
			}
		});

		it("do not use up the link of a reset", async () => {
			const { body } = await app.signUp(tenantId);
			await update({ password: { minLength: 30 } });
			const { internalAdapter } = await app.auth.$context;
			const { runInTenant } = await import("better-auth-tenant");
			await runInTenant(app.auth, tenantId, () =>
				internalAdapter.createVerificationValue({
					identifier: `reset-password:token-of-${tenantId}`,
					value: body.user.id,
					expiresAt: new Date(Date.now() + 60_000),
				}),
			);
			const reset = (newPassword: string) =>
				app.call("/reset-password", { body: { token: `token-of-${tenantId}`, newPassword } });
			expectRefusal(await reset("a short password"), 400, "PASSWORD_TOO_SHORT");
			const long = "a password of more than thirty characters";
			expect((await reset(long)).status).toBe(200);
			expect((await app.signIn(tenantId, { password: long })).status).toBe(200);
		});

		it("are not in a known breach, and an outage of the check is a 503", async () => {
			await update({ password: { rejectBreached: true } });
			const breached = await app.signUp(tenantId, EMAIL, BREACHED);
			expectRefusal(breached, 400, "PASSWORD_COMPROMISED");
			const outage = await app.signUp(tenantId, EMAIL, "outage of the check");
			expectRefusal(outage, 503, "PASSWORD_CHECK_UNAVAILABLE");
			expect(outage.headers.get("retry-after")).not.toBeNull();
			expect(await countUsers()).toBe(0);
			expect((await app.signUp(tenantId)).status).toBe(200);
		});
	});

	describe("sessions", () => {
		const passTime = (seconds: number) => {
			vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + seconds * 1000 });
		};

		it("end after their lifetime, however they are used", async () => {
			await update({ session: { lifetime: 30 * MINUTE } });
			const { cookie, body } = await app.signUp(tenantId);
			const end = new Date(body.session.expiresAt).getTime();
			expect(end).toBeLessThanOrEqual(Date.now() + 30 * MINUTE * 1000);
			passTime(20 * MINUTE);
			const used = await session(cookie);
			expect(new Date(used.session.expiresAt).getTime()).toBe(end);
			passTime(11 * MINUTE);
			expect(await session(cookie)).toBeNull();
		});

		it("that started before the policy end too", async () => {
			const { cookie } = await app.signUp(tenantId);
			await update({ session: { lifetime: 30 * MINUTE } });
			expect(await session(cookie)).not.toBeNull();
			passTime(31 * MINUTE);
			expect(await session(cookie)).toBeNull();
		});

		it("end if they are not used, and go on if they are", async () => {
			await update({ session: { idleTime: 10 * MINUTE } });
			const { cookie } = await app.signUp(tenantId);
			for (let used = 0; used < 3; used += 1) {
				passTime(8 * MINUTE);
				expect(await session(cookie)).not.toBeNull();
			}
			passTime(11 * MINUTE);
			expect(await session(cookie)).toBeNull();
		});
	});

	describe("a required second factor", () => {
		it("lets a user without one only set it up", async () => {
			await update({ secondFactor: { required: true } });
			const { cookie, body } = await app.signUp(tenantId);
			expect(body.secondFactorRequired).toBe(true);
			const refused = await app.call("/get-session", { cookie });
			expect(refused.body).toBeNull();
			expect(refused.headers.get("set-cookie")).toBeNull();
			const update_ = await app.call("/update-user", { cookie, body: { name: "Eve" } });
			expect(update_.status).toBe(401);
			const current = await app.call("/tenant/current", { cookie });
			expectRefusal(current, 403, "SECOND_FACTOR_REQUIRED");
			const permissions = await app.call("/tenant/permissions", { cookie });
			expectRefusal(permissions, 403, "SECOND_FACTOR_REQUIRED");

			const enabled = await app.call("/two-factor/enable", {
				cookie,
				body: { password: PASSWORD },
			});
			expect(enabled.status).toBe(200);
			const code = totpOf(enabled.body.totpURI);
			const verified = await app.call("/two-factor/verify-totp", { cookie, body: { code } });
			expect(verified.status).toBe(200);
			expect((await session(verified.cookie)).user.email).toBe(EMAIL);
			const again = await app.signIn(tenantId);
			expect(again.body).toMatchObject({ twoFactorRedirect: true });
		});
	});

	async function countUsers(): Promise<number> {
		const { adapter } = await app.auth.$context;
		const where = [{ field: "tenantId", value: tenantId }];
		return runAcrossTenants(() => adapter.count({ model: "user", where }));
	}
});
