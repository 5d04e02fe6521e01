import { bearer, emailOTP, phoneNumber } from "better-auth/plugins";
import { describe, expect, it } from "vitest";
import { makeMemoryStorage } from "../support/databases/memory-storage";
import { makeInstance } from "../support/worlds/instance";

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

describe("a bearer token that is another key of the secondary storage", () => {
	it.each([
		["a pending code", /^verification:.*\+15550100@/],
		["a list of sessions", /^active-sessions-/],
		["a revocation of sessions", /^revoked-sessions-before-/],
		["a counter of the rate limit", /^203\.0\.113\.9\|\/sign-in\/email$/],
		["a number", /^number$/],
		["a text", /^text$/],
		["a list", /^list$/],
	])("answers like an unknown one: %s", async (_, pattern) => {
		const storage = makeMemoryStorage();
		const { call, makeTenant, signUp } = await makeInstance({
			secondaryStorage: storage,
			rateLimit: { enabled: true, storage: "secondary-storage" },
			plugins: [bearer(), phoneNumber({ sendOTP: () => {} })],
		});
		const tenant = await makeTenant();
		const headers = { "x-forwarded-for": "203.0.113.9" };
		const { body } = await signUp(tenant);
		await call("/phone-number/send-otp", { tenant, body: { phoneNumber: "+15550100" }, headers });
		await call("/sign-in/email", { tenant, body: {}, headers });
		// Newer versions of Better Auth write it. No session is as old as this.
		storage.set(`revoked-sessions-before-${body.user.id}`, "1");
		storage.set("number", "7");
		storage.set("text", '"text"');
		storage.set("list", "[]");
		const keys = storage.entries().map(([key]) => key);
		const key = keys.find((it) => pattern.test(it)) ?? "";
		const before = await storage.get(key);
		expect(before).not.toBeNull();
		const askWith = async (token: string) => {
			const authorization = `Bearer ${token}`;
			const paths = ["/get-session", "/list-sessions", "/sign-out", "/update-user"];
			const answers = [];
			for (const named of [undefined, tenant]) {
				for (const path of paths) {
					const { status, body, headers } = await call(path, {
						headers: { authorization },
						...(named ? { tenant: named } : {}),
						...(/sign-out|update/.test(path) ? { body: {} } : {}),
					});
					answers.push([path, status, body, headers.getSetCookie()]);
				}
			}
			return answers;
		};
		expect(await askWith(key)).toEqual(await askWith(`x${key}`));
		expect(await storage.get(key)).toBe(before);
	});
});
