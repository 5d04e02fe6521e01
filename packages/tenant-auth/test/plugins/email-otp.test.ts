import { emailOTP } from "better-auth/plugins";
import { getCurrentTenantId } from "better-auth-tenant";
import { describe, expect, it } from "vitest";
import type { InstanceOptions } from "../support/instance";
import { makeTwoUsers, orders, SAME, stores } from "../support/two-tenants";

interface Mail {
	email: string;
	otp: string;
	type: string;
	tenantId: string | null;
}

async function setUp(
	options: InstanceOptions = {},
	settings: Partial<Parameters<typeof emailOTP>[0]> = {},
) {
	const mails: Mail[] = [];
	let made = 100_000;
	const plugin = emailOTP({
		// Never the same code twice, so that a code can only be right where it was sent.
		generateOTP: () => String(++made),
		changeEmail: { enabled: true },
		...settings,
		sendVerificationOTP: async (mail) => {
			mails.push({ ...mail, tenantId: await getCurrentTenantId() });
		},
	});
	const app = await makeTwoUsers({ ...options, plugins: [plugin] });
	const send = async (tenant: string, type: string, email = SAME) => {
		await app.call("/email-otp/send-verification-otp", { tenant, body: { email, type } });
		return mails.at(-1) as Mail;
	};
	return { ...app, mails, send };
}

const cases: [string, () => InstanceOptions][] = [
	...orders.map(([name, order]): [string, () => InstanceOptions] => [name, () => order]),
	...stores,
];

describe.each(cases)("a code by mail, %s", (_, options) => {
	it("signs in to the tenant that it was sent in, and to no other", async () => {
		const { call, a, b, ada, bob, send } = await setUp(options());
		const [codeOfA, codeOfB] = [await send(a, "sign-in"), await send(b, "sign-in")];
		expect([codeOfA.tenantId, codeOfB.tenantId]).toEqual([a, b]);
		const signIn = (otp: string, tenant?: string) =>
			call("/sign-in/email-otp", { ...(tenant ? { tenant } : {}), body: { email: SAME, otp } });
		expect((await signIn(codeOfA.otp, b)).body.code).toBe("INVALID_OTP");
		expect((await signIn(codeOfB.otp, a)).body.code).toBe("INVALID_OTP");
		expect((await signIn(codeOfA.otp)).body.code).toBe("INVALID_OTP");
		expect((await signIn(codeOfA.otp, a)).body.user.id).toBe(ada.body.user.id);
		expect((await signIn(codeOfB.otp, b)).body.user.id).toBe(bob.body.user.id);
	});

	it("is worn out by wrong guesses in its own tenant only", async () => {
		const { call, a, b, bob, send } = await setUp(options());
		const [codeOfA, codeOfB] = [await send(a, "sign-in"), await send(b, "sign-in")];
		const signIn = (otp: string, tenant: string) =>
			call("/sign-in/email-otp", { tenant, body: { email: SAME, otp } });
		for (let guess = 0; guess < 3; guess++) await signIn("000000", a);
		expect((await signIn(codeOfA.otp, a)).body.code).toBe("TOO_MANY_ATTEMPTS");
		expect((await signIn(codeOfB.otp, b)).body.user.id).toBe(bob.body.user.id);
	});

	it("verifies the address of its own tenant's user only", async () => {
		const { call, a, b, send, db } = await setUp(options());
		const { otp } = await send(a, "email-verification");
		await send(b, "email-verification");
		const verify = (tenant: string) =>
			call("/email-otp/verify-email", { tenant, body: { email: SAME, otp } });
		const check = (tenant: string) =>
			call("/email-otp/check-verification-otp", {
				tenant,
				body: { email: SAME, otp, type: "email-verification" },
			});
		expect((await check(b)).body.code).toBe("INVALID_OTP");
		expect((await check(a)).status).toBe(200);
		expect((await verify(b)).body.code).toBe("INVALID_OTP");
		expect((await verify(a)).status).toBe(200);
		const users = db.selectFrom("user").select("tenantId").where("emailVerified", "=", 1);
		expect(await users.execute()).toEqual([{ tenantId: a }]);
	});

	it("resets the password of its own tenant's user only", async () => {
		const { call, a, b, mails, signIn } = await setUp(options());
		for (const tenant of [b, a]) {
			await call("/email-otp/request-password-reset", { tenant, body: { email: SAME } });
		}
		const { otp } = mails.at(-1) as Mail;
		const reset = (tenant: string) =>
			call("/email-otp/reset-password", {
				tenant,
				body: { email: SAME, otp, password: "a new password" },
			});
		expect((await reset(b)).body.code).toBe("INVALID_OTP");
		expect((await reset(a)).status).toBe(200);
		expect((await signIn(a, "", "a new password")).status).toBe(200);
		expect((await signIn(b, "", "a new password")).status).toBe(401);
		expect((await signIn(b)).status).toBe(200);
	});

	it("changes the address of its own tenant's user, also to one that another tenant has", async () => {
		const { call, a, b, ada, bob, mails, signUp, db } = await setUp(options());
		const newEmail = "new@example.com";
		await signUp(b, newEmail);
		for (const { cookie } of [ada, bob]) {
			await call("/email-otp/request-email-change", { cookie, body: { newEmail } });
		}
		// In B the address is taken: no code was sent there.
		expect(mails).toMatchObject([{ email: newEmail, tenantId: a }]);
		const otp = mails[0]?.otp;
		const change = (cookie: string) =>
			call("/email-otp/change-email", { cookie, body: { newEmail, otp } });
		expect((await change(bob.cookie)).body.code).toBe("INVALID_OTP");
		expect((await change(ada.cookie)).status).toBe(200);
		const users = await db.selectFrom("user").select(["tenantId", "email"]).execute();
		expect(users).toHaveLength(3);
		expect(users).toEqual(
			expect.arrayContaining([
				{ tenantId: a, email: newEmail },
				{ tenantId: b, email: newEmail },
				{ tenantId: b, email: SAME },
			]),
		);
	});
});

describe("a code to an address without a user", () => {
	it("makes one in the tenant that it was sent in", async () => {
		const { call, a, b, send, db } = await setUp();
		const email = "new@example.com";
		for (const tenant of [a, b]) {
			const { otp } = await send(tenant, "sign-in", email);
			await call("/sign-in/email-otp", { tenant, body: { email, otp } });
		}
		const users = db.selectFrom("user").select("tenantId").where("email", "=", email);
		expect((await users.execute()).map(({ tenantId }) => tenantId).sort()).toEqual([a, b].sort());
	});

	it("is not sent for another tenant's user", async () => {
		const { call, a, b, signUp, mails } = await setUp();
		await signUp(a, "only-a@example.com");
		for (const type of ["email-verification", "forget-password"]) {
			await call("/email-otp/send-verification-otp", {
				tenant: b,
				body: { email: "only-a@example.com", type },
			});
		}
		expect(mails).toEqual([]);
	});
});

describe.each(orders)("a code in the place of core's verification mail, %s", (_, order) => {
	it("is sent at the tenant's sign-up, and on request, to the tenant's user", async () => {
		const options = { ...order, emailVerification: { sendOnSignUp: true } };
		const { call, a, b, mails, signUp } = await setUp(options, {
			overrideDefaultEmailVerification: true,
		});
		expect(mails).toMatchObject([{ tenantId: a }, { tenantId: b }]);
		await signUp(a, "only-a@example.com");
		for (const tenant of [a, b]) {
			await call("/send-verification-email", { tenant, body: { email: "only-a@example.com" } });
		}
		expect(mails.slice(2)).toMatchObject([{ tenantId: a }, { tenantId: a }]);
		const { otp } = mails.at(-1) as Mail;
		const verify = (tenant: string) =>
			call("/email-otp/verify-email", { tenant, body: { email: "only-a@example.com", otp } });
		expect((await verify(b)).status).toBe(400);
		expect((await verify(a)).status).toBe(200);
	});

	it("is sent by the plugin's own hook after the tenant's sign-up", async () => {
		const { a, b, mails } = await setUp(order, { sendVerificationOnSignUp: true });
		expect(mails).toMatchObject([{ tenantId: a }, { tenantId: b }]);
	});
});
