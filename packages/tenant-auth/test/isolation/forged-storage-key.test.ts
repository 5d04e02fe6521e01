import { emailOTP, phoneNumber } from "better-auth/plugins";
import { expect, it } from "vitest";
import { makeInstance } from "../support/instance";
import { makeMemoryStorage } from "../support/memory-storage";

it("an identifier that looks like a tenant's is none in a secondary storage", async () => {
	const codes = new Map<string, string>();
	const { call, makeTenant } = await makeInstance({
		secondaryStorage: makeMemoryStorage(),
		plugins: [
			phoneNumber({
				sendOTP: ({ phoneNumber, code }) => {
					codes.set(phoneNumber, code);
				},
				signUpOnVerification: { getTempEmail: (number) => `${number.slice(1)}@example.com` },
			}),
			emailOTP({
				sendVerificationOTP: async ({ email, otp }) => {
					codes.set(email, otp);
				},
			}),
		],
	});
	const tenant = await makeTenant();
	const forged = `+15550100@${tenant}`;
	await call("/phone-number/send-otp", { body: { phoneNumber: forged } });
	const taken = await call("/phone-number/verify", {
		tenant,
		body: { phoneNumber: "+15550100", code: codes.get(forged) },
	});
	expect(taken.status).toBeGreaterThanOrEqual(400);
	await call("/phone-number/send-otp", { tenant, body: { phoneNumber: "+15550101" } });
	const consumed = await call("/phone-number/verify", {
		body: { phoneNumber: `+15550101@${tenant}`, code: codes.get("+15550101") },
	});
	expect(consumed.status).toBeGreaterThanOrEqual(400);
});
