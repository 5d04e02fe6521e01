import { emailOTP } from "better-auth/plugins";
import { getCurrentTenantId } from "better-auth-tenant";
import { describe, expect, it } from "vitest";
import { EMAIL, type InstanceOptions } from "../support/worlds/instance";
import { makeTwoUsers, orders, stores } from "../support/worlds/two-tenants";
import { describeVariations } from "../support/worlds/variations";
import { useWorld } from "../support/worlds/world";

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
		// No code repeats, so a code is valid only in the tenant of its email.
		generateOTP: () => String(++made),
		changeEmail: { enabled: true },
		...settings,
		sendVerificationOTP: async (mail) => {
			mails.push({ ...mail, tenantId: await getCurrentTenantId() });
		},
	});
	const app = await makeTwoUsers({ ...options, plugins: [plugin] });
	const send = async (tenant: string, type: string, email = EMAIL) => {
		await app.call("/email-otp/send-verification-otp", { tenant, body: { email, type } });
		return mails.at(-1) as Mail;
	};
	return { ...app, mails, send };
}

const cases: [string, () => InstanceOptions][] = [...orders, ...stores];

describeVariations("a code by email, stored %s,", cases, (options, it) => {
	const world = useWorld(() => setUp(options()));

	it("signs in to its own tenant, and to no other", async () => {
		const { call, a, b, ada, bob, send } = world();
		const [codeOfA, codeOfB] = [await send(a, "sign-in"), await send(b, "sign-in")];
		expect([codeOfA.tenantId, codeOfB.tenantId]).toEqual([a, b]);
		const signIn = (otp: string, tenant?: string) =>
			call("/sign-in/email-otp", { ...(tenant ? { tenant } : {}), body: { email: EMAIL, otp } });
		expect((await signIn(codeOfA.otp, b)).body.code).toBe("INVALID_OTP");
		expect((await signIn(codeOfB.otp, a)).body.code).toBe("INVALID_OTP");
		expect((await signIn(codeOfA.otp)).body.code).toBe("INVALID_OTP");
		expect((await signIn(codeOfA.otp, a)).body.user.id).toBe(ada.body.user.id);
		expect((await signIn(codeOfB.otp, b)).body.user.id).toBe(bob.body.user.id);
	});

	it("is invalidated by wrong guesses in its own tenant only", async () => {
		const { call, a, b, bob, send } = world();
		const [codeOfA, codeOfB] = [await send(a, "sign-in"), await send(b, "sign-in")];
		const signIn = (otp: string, tenant: string) =>
			call("/sign-in/email-otp", { tenant, body: { email: EMAIL, otp } });
		for (let guess = 0; guess < 3; guess++) await signIn("000000", a);
		expect((await signIn(codeOfA.otp, a)).body.code).toBe("TOO_MANY_ATTEMPTS");
		expect((await signIn(codeOfB.otp, b)).body.user.id).toBe(bob.body.user.id);
	});

	it("verifies the email of the user of its own tenant only", async () => {
		const { call, a, b, send, db } = world();
		const { otp } = await send(a, "email-verification");
		await send(b, "email-verification");
		const verify = (tenant: string) =>
			call("/email-otp/verify-email", { tenant, body: { email: EMAIL, otp } });
		const check = (tenant: string) =>
			call("/email-otp/check-verification-otp", {
				tenant,
				body: { email: EMAIL, otp, type: "email-verification" },
			});
		expect((await check(b)).body.code).toBe("INVALID_OTP");
		expect((await check(a)).status).toBe(200);
		expect((await verify(b)).body.code).toBe("INVALID_OTP");
		expect((await verify(a)).status).toBe(200);
		const users = db.selectFrom("user").select("tenantId").where("emailVerified", "=", 1);
		expect(await users.execute()).toEqual([{ tenantId: a }]);
	});

	it("resets the password of the user of its own tenant only", async () => {
		const { call, a, b, mails, signIn } = world();
		for (const tenant of [b, a]) {
			await call("/email-otp/request-password-reset", { tenant, body: { email: EMAIL } });
		}
		const { otp } = mails.at(-1) as Mail;
		const reset = (tenant: string) =>
			call("/email-otp/reset-password", {
				tenant,
				body: { email: EMAIL, otp, password: "a new password" },
			});
		expect((await reset(b)).body.code).toBe("INVALID_OTP");
		expect((await reset(a)).status).toBe(200);
		expect((await signIn(a, { password: "a new password" })).status).toBe(200);
		expect((await signIn(b, { password: "a new password" })).status).toBe(401);
		expect((await signIn(b)).status).toBe(200);
	});

	it("changes the email of the user of its own tenant, also to one that another tenant has", async () => {
		const { call, a, b, ada, bob, mails, signUp, db } = world();
		const newEmail = "new@example.com";
		await signUp(b, newEmail);
		for (const { cookie } of [ada, bob]) {
			await call("/email-otp/request-email-change", { cookie, body: { newEmail } });
		}
		// B has a user with this email, so no code was sent there.
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
				{ tenantId: b, email: EMAIL },
			]),
		);
	});
});

describe("a code to an email without a user", () => {
	const world = useWorld(() => setUp());

	it("creates a user in its own tenant", async () => {
		const { call, a, b, send, db } = world();
		const email = "new@example.com";
		for (const tenant of [a, b]) {
			const { otp } = await send(tenant, "sign-in", email);
			await call("/sign-in/email-otp", { tenant, body: { email, otp } });
		}
		const users = db.selectFrom("user").select("tenantId").where("email", "=", email);
		expect((await users.execute()).map(({ tenantId }) => tenantId).sort()).toEqual([a, b].sort());
	});

	it("is not sent if only another tenant has the user", async () => {
		const { call, a, b, signUp, mails } = world();
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

describe.each(orders)(
	"a code instead of the verification email of core, with the plugin %s,",
	(_, order) => {
		it("is sent to the user of the tenant, at sign-up and on request", async () => {
			const options = { ...order(), emailVerification: { sendOnSignUp: true } };
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

		it("is sent by the hook of the plugin after a sign-up in a tenant", async () => {
			const { a, b, mails } = await setUp(order(), { sendVerificationOnSignUp: true });
			expect(mails).toMatchObject([{ tenantId: a }, { tenantId: b }]);
		});
	},
);
