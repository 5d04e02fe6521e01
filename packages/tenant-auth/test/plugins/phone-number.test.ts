import { phoneNumber } from "better-auth/plugins";
import { getCurrentTenantId } from "better-auth-tenant";
import { expect } from "vitest";
import type { InstanceOptions } from "../support/worlds/instance";
import { makeTwoTenants, orders, stores } from "../support/worlds/two-tenants";
import { describeVariations } from "../support/worlds/variations";
import { useWorld } from "../support/worlds/world";

const NUMBER = "+15550100";

interface Message {
	phoneNumber: string;
	code: string;
	tenantId: string | null;
}

async function setUp(options: InstanceOptions = {}) {
	const messages: Message[] = [];
	const send = async (message: { phoneNumber: string; code: string }) => {
		messages.push({ ...message, tenantId: await getCurrentTenantId() });
	};
	const plugin = phoneNumber({
		otpLength: 12,
		sendOTP: send,
		sendPasswordResetOTP: send,
		signUpOnVerification: { getTempEmail: (number) => `${number.slice(1)}@example.com` },
	});
	const app = await makeTwoTenants({ ...options, plugins: [plugin] });
	const requestCode = async (tenant: string, number = NUMBER) => {
		await app.call("/phone-number/send-otp", { tenant, body: { phoneNumber: number } });
		return messages.at(-1) as Message;
	};
	const verify = (code: string, tenant?: string, more: object = {}) =>
		app.call("/phone-number/verify", {
			...(tenant ? { tenant } : {}),
			body: { phoneNumber: NUMBER, code, ...more },
		});
	/** Creates a user with that number and a password in the tenant. */
	const addUser = async (tenant: string) => {
		const user = await verify((await requestCode(tenant)).code, tenant);
		await reset(tenant, (await requestReset(tenant)).code, `password of ${tenant}`);
		return user;
	};
	const requestReset = async (tenant: string) => {
		await app.call("/phone-number/request-password-reset", {
			tenant,
			body: { phoneNumber: NUMBER },
		});
		return messages.at(-1) as Message;
	};
	const reset = (tenant: string | undefined, otp: string, newPassword: string) =>
		app.call("/phone-number/reset-password", {
			...(tenant ? { tenant } : {}),
			body: { phoneNumber: NUMBER, otp, newPassword },
		});
	const signInWith = (tenant: string | undefined, password: string) =>
		app.call("/sign-in/phone-number", {
			...(tenant ? { tenant } : {}),
			body: { phoneNumber: NUMBER, password },
		});
	return { ...app, messages, requestCode, verify, addUser, requestReset, reset, signInWith };
}

const cases: [string, () => InstanceOptions][] = [...orders, ...stores];

describeVariations("a phone number, with codes %s,", cases, (options, it) => {
	const world = useWorld(() => setUp(options()));

	it("is verified only with a code of its own tenant, and has a user in each tenant", async () => {
		const { a, b, requestCode, verify, sessionOf, db } = world();
		const [codeOfA, codeOfB] = [await requestCode(a), await requestCode(b)];
		expect([codeOfA.tenantId, codeOfB.tenantId]).toEqual([a, b]);
		expect((await verify(codeOfA.code, b)).body.code).toBe("INVALID_OTP");
		expect((await verify(codeOfA.code)).body.code).toBe("OTP_NOT_FOUND");
		const [inA, inB] = [await verify(codeOfA.code, a), await verify(codeOfB.code, b)];
		expect(inA.body.user).toMatchObject({ tenantId: a, phoneNumber: NUMBER });
		expect(inB.body.user).toMatchObject({ tenantId: b, phoneNumber: NUMBER });
		expect((await sessionOf(inA.cookie)).user).toMatchObject({
			tenantId: a,
			phoneNumber: NUMBER,
		});
		expect(await db.selectFrom("user").select("id").execute()).toHaveLength(2);
	});

	it("signs in only with the password of its user in the tenant", async () => {
		const { a, b, addUser, signInWith } = world();
		const [inA, inB] = [await addUser(a), await addUser(b)];
		expect((await signInWith(a, `password of ${a}`)).body.user.id).toBe(inA.body.user.id);
		expect((await signInWith(b, `password of ${b}`)).body.user.id).toBe(inB.body.user.id);
		expect((await signInWith(b, `password of ${a}`)).status).toBe(401);
		expect((await signInWith(undefined, `password of ${a}`)).status).toBe(401);
	});

	it("resets only the password of its user in the tenant", async () => {
		const { a, b, addUser, requestReset, reset, signInWith } = world();
		await addUser(a);
		await addUser(b);
		const [codeOfB, codeOfA] = [await requestReset(b), await requestReset(a)];
		expect((await reset(b, codeOfA.code, "a new password")).body.code).toBe("INVALID_OTP");
		expect((await reset(undefined, codeOfB.code, "a new password")).status).toBe(400);
		expect((await reset(a, codeOfA.code, "a new password")).status).toBe(200);
		expect((await signInWith(a, "a new password")).status).toBe(200);
		expect((await signInWith(b, "a new password")).status).toBe(401);
		expect((await signInWith(b, `password of ${b}`)).status).toBe(200);
	});

	it("can be added by a user if only another tenant has it", async () => {
		const { a, b, addUser, signUp, requestCode, call, sessionOf } = world();
		await addUser(a);
		const take = async (tenant: string) => {
			const user = await signUp(tenant, "other@example.com");
			const { code } = await requestCode(tenant);
			const answer = await call("/phone-number/verify", {
				cookie: user.cookie,
				body: { phoneNumber: NUMBER, code, updatePhoneNumber: true },
			});
			return { answer, user };
		};
		expect((await take(a)).answer.body.code).toBe("PHONE_NUMBER_EXIST");
		const inB = await take(b);
		expect(inB.answer.status).toBe(200);
		const { user } = await sessionOf(inB.user.cookie);
		expect(user).toMatchObject({ id: inB.user.body.user.id, phoneNumber: NUMBER });
	});
});
