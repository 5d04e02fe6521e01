import { emailOTP, magicLink } from "better-auth/plugins";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { services } from "../../../../testing/services";
import { type OpenDatabase, openMysql } from "../support/databases/databases";
import { EMAIL, type Instance, makeInstance, PASSWORD } from "../support/worlds/instance";

/** Core reserves the email of a known user under an id that is longer than the column. */
describe.skipIf(!services.mysql)("codes and links for a known user on MySQL", () => {
	let on: OpenDatabase | undefined;
	let instance: Instance;
	const sent: { otp?: string; token?: string }[] = [];
	const send = async (message: object) => {
		sent.push(message);
	};
	beforeAll(async () => {
		on = await openMysql(String(services.mysql));
		instance = await makeInstance({
			on,
			plugins: [emailOTP({ sendVerificationOTP: send }), magicLink({ sendMagicLink: send })],
		});
	});
	afterAll(() => on?.close());

	it.each(["a tenant", "the platform"])("sign in to %s", async (where) => {
		const { call, makeTenant } = instance;
		const tenant = where === "a tenant" ? { tenant: await makeTenant() } : {};
		const name = "Ada";
		await call("/sign-up/email", { ...tenant, body: { name, email: EMAIL, password: PASSWORD } });
		await call("/email-otp/send-verification-otp", {
			...tenant,
			body: { email: EMAIL, type: "sign-in" },
		});
		const { otp } = sent.at(-1) ?? {};
		const byCode = await call("/sign-in/email-otp", { ...tenant, body: { email: EMAIL, otp } });
		expect([byCode.status, byCode.body.user?.email]).toEqual([200, EMAIL]);
		await call("/sign-in/magic-link", { ...tenant, body: { email: EMAIL } });
		const query = { token: String(sent.at(-1)?.token) };
		const byLink = await call("/magic-link/verify", { query });
		expect([byLink.status, byLink.cookie.includes("session_token")]).toEqual([200, true]);
	});
});
