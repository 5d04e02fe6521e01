import { apiKey } from "@better-auth/api-key";
import {
	admin,
	bearer,
	deviceAuthorization,
	emailOTP,
	magicLink,
	multiSession,
	oneTimeToken,
	twoFactor,
} from "better-auth/plugins";
import { describe, expect, it } from "vitest";
import { makeMemoryStorage } from "../support/databases/memory-storage";
import { expectRefusal } from "../support/http/refusal";
import { type Answer, EMAIL, type InstanceOptions, PASSWORD } from "../support/worlds/instance";
import { makeTwoUsers } from "../support/worlds/two-tenants";

const stores: [string, () => InstanceOptions][] = [
	["the database", () => ({})],
	["secondary storage", () => ({ secondaryStorage: makeMemoryStorage() })],
];

async function setUp(options: InstanceOptions) {
	const app = await makeTwoUsers(options);
	const { a, manage, db } = app;
	const suspend = () => manage("/tenant/suspend", { body: { tenantId: a } });
	const resume = () => manage("/tenant/resume", { body: { tenantId: a } });
	const countSessions = async () =>
		(await db.selectFrom("session").select("id").where("tenantId", "=", a).execute()).length;
	return { ...app, suspend, resume, countSessions };
}

const expectSuspended = (answer: Answer) => {
	expectRefusal(answer, 403, "TENANT_SUSPENDED");
	expect(answer.cookie).not.toContain("session_token");
};

describe.each(stores)("while a tenant is suspended, with sessions in %s", (_, store) => {
	it("a link or a code by email signs nobody in, whether it names the tenant or not", async () => {
		const sent = { link: "", otp: "" };
		const { a, suspend, call, pathOf } = await setUp({
			...store(),
			plugins: [
				magicLink({
					sendMagicLink: async ({ url }) => {
						sent.link = url;
					},
				}),
				emailOTP({
					sendVerificationOTP: async ({ otp }) => {
						sent.otp = otp;
					},
				}),
			],
		});
		await call("/sign-in/magic-link", { tenant: a, body: { email: EMAIL } });
		await call("/email-otp/send-verification-otp", {
			tenant: a,
			body: { email: EMAIL, type: "sign-in" },
		});
		await suspend();
		const otp = { email: EMAIL, otp: sent.otp };
		expectSuspended(await call("/sign-in/email-otp", { tenant: a, body: otp }));
		expectSuspended(await call(pathOf(sent.link)));
		expectSuspended(await call("/sign-in/magic-link", { tenant: a, body: { email: EMAIL } }));
	});

	it("its sessions are not listed among those of the browser", async () => {
		const { a, b, signIn, suspend, resume, call } = await setUp({
			...store(),
			plugins: [multiSession()],
		});
		const inA = await signIn(a);
		const inB = await signIn(b);
		const jar = `${inB.cookie}; ${inA.cookie}`;
		const list = async (cookie: string) =>
			(await call("/multi-session/list-device-sessions", { cookie })).body.length;
		expect([await list(inA.cookie), await list(inB.cookie)]).toEqual([1, 1]);
		await suspend();
		expect([await list(inA.cookie), await list(inB.cookie)]).toEqual([0, 1]);
		expect((await call("/get-session", { cookie: jar })).body).toBeNull();
		await resume();
		expect(await list(inA.cookie)).toBe(1);
	});

	it("a bearer token, a one-time token and an API key are rejected", async () => {
		const { a, ada, suspend, resume, call } = await setUp({
			...store(),
			plugins: [bearer(), oneTimeToken(), apiKey({ enableSessionForAPIKeys: true })],
		});
		const { cookie } = ada;
		const key = (await call("/api-key/create", { cookie, body: { name: "robot" } })).body.key;
		const once = (await call("/one-time-token/generate", { cookie })).body.token;
		await suspend();
		const authorization = `Bearer ${ada.body.token}`;
		expect((await call("/get-session", { headers: { authorization } })).body).toBeNull();
		const exchanged = await call("/one-time-token/verify", { body: { token: once } });
		expect([exchanged.status >= 400, exchanged.cookie]).toEqual([true, ""]);
		const headers = { "x-api-key": key };
		expectSuspended(await call("/get-session", { headers, tenant: a }));
		// The cookie names the tenant, but signs nobody in.
		expectSuspended(await call("/get-session", { headers, cookie }));
		expect((await call("/list-sessions", { headers, cookie })).status).toBe(403);
		await resume();
		expect((await call("/get-session", { headers, tenant: a })).body.user.tenantId).toBe(a);
	});

	it("a second factor or an approval of a device from before is rejected", async () => {
		const codes: string[] = [];
		const { a, ada, signIn, suspend, call, db } = await setUp({
			...store(),
			plugins: [
				twoFactor({ otpOptions: { sendOTP: async ({ otp }) => void codes.push(otp) } }),
				deviceAuthorization({ interval: "1s" }),
			],
		});
		const { cookie } = ada;
		const client_id = "television";
		const device = await call("/device/code", { tenant: a, body: { client_id } });
		const { device_code, user_code } = device.body;
		await call("/device", { query: { user_code }, cookie });
		await call("/device/approve", { body: { userCode: user_code }, cookie });
		await call("/two-factor/enable", { body: { password: PASSWORD }, cookie });
		await db.updateTable("user").set({ twoFactorEnabled: 1 }).where("tenantId", "=", a).execute();
		const { cookie: pending } = await signIn(a);
		await call("/two-factor/send-otp", { method: "POST", cookie: pending });
		expect(codes).toHaveLength(1);
		await suspend();
		expectSuspended(
			await call("/two-factor/verify-otp", { body: { code: codes.at(-1) }, cookie: pending }),
		);
		const grant_type = "urn:ietf:params:oauth:grant-type:device_code";
		expectSuspended(
			await call("/device/token", { tenant: a, body: { grant_type, device_code, client_id } }),
		);
	});
});

it("an admin cannot impersonate in a suspended tenant, and can end an impersonation there", async () => {
	const { a, ada, suspend, call, db, sessionOf } = await setUp({
		tenants: { adminRoles: ["admin"] },
		plugins: [admin()],
	});
	const body = { name: "Operator", email: "operator@example.com", password: PASSWORD };
	const operator = await call("/sign-up/email", { body });
	await db
		.updateTable("user")
		.set({ role: "admin" })
		.where("id", "=", operator.body.user.id)
		.execute();
	const impersonate = () =>
		call("/admin/impersonate-user", {
			cookie: operator.cookie,
			tenant: a,
			body: { userId: ada.body.user.id },
		});
	const mask = (await impersonate()).cookie;
	expect(await sessionOf(mask)).toMatchObject({ user: { tenantId: a } });
	await suspend();
	expectSuspended(await impersonate());
	expect(await sessionOf(mask)).toBeNull();
	const left = await call("/admin/stop-impersonating", { method: "POST", cookie: mask });
	expect(left.status).toBe(200);
	expect(await sessionOf(left.cookie)).toMatchObject({ user: { tenantId: null } });
});

it("a cached session is rejected at once if the request names the tenant, else when the cache expires", async () => {
	const { a, ada, suspend, call } = await setUp({
		session: { cookieCache: { enabled: true, maxAge: 300 } },
	});
	const { cookie } = ada;
	await suspend();
	expectSuspended(await call("/get-session", { cookie, tenant: a }));
	expect((await call("/get-session", { cookie })).body.user.tenantId).toBe(a);
	const later = await call("/get-session", { cookie, query: { disableCookieCache: "true" } });
	expect(later.body).toBeNull();
});

it.each([
	["", []],
	[", also with multi-session", [multiSession()]],
])("a user of a suspended tenant can sign out%s", async (_, plugins) => {
	const { ada, suspend, resume, call, countSessions, sessionOf } = await setUp({ plugins });
	await suspend();
	expect((await call("/sign-out", { body: {}, cookie: ada.cookie })).status).toBe(200);
	expect(await countSessions()).toBe(0);
	await resume();
	expect(await sessionOf(ada.cookie)).toBeNull();
});

it("a storage entry of an older version is never used as a session", async () => {
	const { a, ada, signIn, suspend, resume, call } = await setUp({
		secondaryStorage: makeMemoryStorage(),
	});
	await suspend();
	const token = `tenant-suspended-${a}`;
	const forged = `better-auth.session_token=${token}.signature`;
	const body = { email: "new@example.com", password: PASSWORD, name: "New" };
	expect((await call("/sign-up/email", { cookie: forged, body })).status).toBe(200);
	const revoked = await call("/revoke-session", { cookie: ada.cookie, body: { token } });
	expect(revoked.status).toBeLessThan(500);
	expect((await signIn(a)).status).toBe(403);
	await resume();
	expect((await signIn(a)).status).toBe(200);
});
