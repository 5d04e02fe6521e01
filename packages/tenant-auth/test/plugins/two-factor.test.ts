import { twoFactor, username } from "better-auth/plugins";
import { getCurrentTenantId } from "better-auth-tenant";
import { describe, expect, it } from "vitest";
import { expectRefusal } from "../support/http/refusal";
import { totpOf } from "../support/providers/totp";
import {
	type Answer,
	CREDENTIALS,
	type InstanceOptions,
	PASSWORD,
} from "../support/worlds/instance";
import { makeTwoUsers, orders, stores } from "../support/worlds/two-tenants";
import { describeVariations } from "../support/worlds/variations";
import { useWorld } from "../support/worlds/world";

interface Mail {
	otp: string;
	userId: string;
	tenantId: string | null;
}

/** Both users have the same email and a second factor. */
async function setUp(options: InstanceOptions = {}) {
	const mails: Mail[] = [];
	const plugin = twoFactor({
		otpOptions: {
			digits: 12,
			sendOTP: async ({ otp, user }) => {
				mails.push({ otp, userId: user.id, tenantId: await getCurrentTenantId() });
			},
		},
	});
	const app = await makeTwoUsers({ ...options, plugins: [plugin, username()] });
	const { call } = app;
	const enable = async (user: Answer) => {
		const enabled = await call("/two-factor/enable", {
			cookie: user.cookie,
			body: { password: PASSWORD },
		});
		const code = () => totpOf(enabled.body.totpURI);
		const verified = await call("/two-factor/verify-totp", {
			cookie: user.cookie,
			body: { code: code() },
		});
		return {
			id: user.body.user.id as string,
			cookie: verified.cookie,
			code,
			backupCodes: enabled.body.backupCodes as string[],
		};
	};
	const [ada, bob] = [await enable(app.ada), await enable(app.bob)];
	const second = (path: string, cookie: string, body: object, tenant?: string) =>
		call(`/two-factor/${path}`, { cookie, body, ...(tenant ? { tenant } : {}) });
	return { ...app, mails, ada, bob, second };
}

const cases: [string, () => InstanceOptions][] = [
	...orders,
	...stores,
	["with a cookie cache", () => ({ session: { cookieCache: { enabled: true, maxAge: 300 } } })],
];

describeVariations("a second factor, with the plugin or its codes %s,", cases, (options, it) => {
	const world = useWorld(() => setUp(options()));

	it("is required at the sign-in of the plugin and of core", async () => {
		const { call, a, ada, signIn, sessionOf } = world();
		const atCore = await call("/sign-in/email", {
			tenant: a,
			cookie: ada.cookie,
			body: CREDENTIALS,
		});
		for (const first of [await signIn(a), atCore]) {
			expect(first.body).toEqual({ twoFactorRedirect: true, twoFactorMethods: ["totp", "otp"] });
			expect(await sessionOf(first.cookie)).toBeNull();
		}
	});

	it("by TOTP needs only the cookie, and a code of its own tenant", async () => {
		const { a, b, ada, bob, signIn, second, sessionOf } = world();
		const { cookie } = await signIn(a);
		const theirs = await second("verify-totp", cookie, { code: bob.code() });
		expectRefusal(theirs, 401, "INVALID_CODE");
		const elsewhere = await second("verify-totp", cookie, { code: ada.code() }, b);
		expect(elsewhere.body.code).toBe("INVALID_TWO_FACTOR_COOKIE");
		const done = await second("verify-totp", cookie, { code: ada.code() });
		expect((await sessionOf(done.cookie)).session).toMatchObject({ tenantId: a, userId: ada.id });
	});

	it("by a sent code needs only the cookie, and a code of its own tenant", async () => {
		const { a, b, ada, bob, signIn, second, mails, sessionOf } = world();
		const [inA, inB] = [await signIn(a), await signIn(b)];
		expect((await second("send-otp", inA.cookie, {}, b)).status).toBe(401);
		await second("send-otp", inB.cookie, {});
		await second("send-otp", inA.cookie, {});
		expect(mails).toMatchObject([
			{ userId: bob.id, tenantId: b },
			{ userId: ada.id, tenantId: a },
		]);
		const [codeOfB, codeOfA] = mails.map(({ otp }) => otp);
		const wrong = await second("verify-otp", inA.cookie, { code: codeOfB });
		expect(wrong.body.code).toBe("INVALID_CODE");
		expect((await second("verify-otp", inA.cookie, { code: codeOfA }, b)).status).toBe(401);
		const done = await second("verify-otp", inA.cookie, { code: codeOfA });
		expect((await sessionOf(done.cookie)).session).toMatchObject({ tenantId: a, userId: ada.id });
	});

	it("by a backup code needs only the cookie, and a code of its own tenant", async () => {
		const { a, b, ada, bob, signIn, second, sessionOf } = world();
		const { cookie } = await signIn(a);
		const theirs = await second("verify-backup-code", cookie, { code: bob.backupCodes[0] });
		expectRefusal(theirs, 401, "INVALID_BACKUP_CODE");
		const own = { code: ada.backupCodes[0] };
		expect((await second("verify-backup-code", cookie, own, b)).status).toBe(401);
		const done = await second("verify-backup-code", cookie, own);
		expect((await sessionOf(done.cookie)).session).toMatchObject({ tenantId: a, userId: ada.id });
		const again = await second("verify-backup-code", (await signIn(a)).cookie, own);
		expect(again.body.code).toBe("INVALID_BACKUP_CODE");
		const theirOwn = await second("verify-backup-code", (await signIn(b)).cookie, {
			code: bob.backupCodes[0],
		});
		expect(theirOwn.status).toBe(200);
	});

	it("replaces a session of another tenant in the browser", async () => {
		const { a, ada, bob, signIn, second, sessionOf } = world();
		const first = await signIn(a, { cookie: bob.cookie });
		// The cookies that the browser still has after this answer.
		const gone = first.headers.getSetCookie().filter((cookie) => /max-age=0/i.test(cookie));
		const left = bob.cookie
			.split("; ")
			.filter((cookie) => !gone.some((it) => it.startsWith(`${cookie.split("=")[0]}=`)));
		const jar = [...left, first.cookie].join("; ");
		expect((await sessionOf(jar))?.session.userId).not.toBe(ada.id);
		const done = await second("verify-totp", jar, { code: ada.code() });
		expect((await sessionOf(done.cookie)).session).toMatchObject({ tenantId: a, userId: ada.id });
		expect((await sessionOf(bob.cookie)).session.userId).toBe(bob.id);
	});

	it("is required on a device that only another tenant trusts", async () => {
		const { a, b, ada, signIn, second } = world();
		const { cookie } = await signIn(a);
		const trusted = await second("verify-totp", cookie, {
			code: ada.code(),
			trustDevice: true,
		});
		const device = trusted.cookie.split("; ").find((it) => it.includes("trust_device")) ?? "";
		expect(device).not.toBe("");
		expect((await signIn(b, { cookie: device })).body.twoFactorRedirect).toBe(true);
		const again = await signIn(a, { cookie: device });
		expect(again.body.user).toMatchObject({ id: ada.id, tenantId: a });
	});

	it("of A cannot be disabled, read or renewed through B", async () => {
		const { call, a, b, ada, signIn } = world();
		for (const path of ["disable", "get-totp-uri", "generate-backup-codes", "enable"]) {
			const { status } = await call(`/two-factor/${path}`, {
				tenant: b,
				cookie: ada.cookie,
				body: { password: PASSWORD },
			});
			expect([path, status]).toEqual([path, 401]);
		}
		expect((await signIn(a)).body.twoFactorRedirect).toBe(true);
	});

	it("of B stays enabled if the one of A is disabled", async () => {
		const { call, a, b, ada, signIn } = world();
		const off = await call("/two-factor/disable", {
			cookie: ada.cookie,
			body: { password: PASSWORD },
		});
		expect(off.status).toBe(200);
		expect((await signIn(a)).body.user.id).toBe(ada.id);
		expect((await signIn(b)).body.twoFactorRedirect).toBe(true);
	});
});

describe("a second factor", () => {
	const world = useWorld(() => setUp());

	it("is required at the sign-in with a username", async () => {
		const { call, a, ada, second, sessionOf } = world();
		await call("/update-user", { cookie: ada.cookie, body: { username: "ada" } });
		const first = await call("/sign-in/username", {
			tenant: a,
			body: { username: "ada", password: PASSWORD },
		});
		expect(first.body.twoFactorRedirect).toBe(true);
		const done = await second("verify-totp", first.cookie, { code: ada.code() });
		expect((await sessionOf(done.cookie)).session.tenantId).toBe(a);
	});

	it("is not locked by many wrong codes for the same email in another tenant", async () => {
		const { a, b, bob, signIn, second } = world();
		const { cookie } = await signIn(a);
		for (let guess = 0; guess < 12; guess++)
			await second("verify-totp", cookie, { code: "000000" });
		const inB = await second("verify-totp", (await signIn(b)).cookie, { code: bob.code() });
		expect(inB.status).toBe(200);
	});
});
