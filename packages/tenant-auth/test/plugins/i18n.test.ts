import { i18n } from "@better-auth/i18n";
import { describe, expect, it } from "vitest";
import { CREDENTIALS, EMAIL } from "../support/worlds/instance";
import { makeTwoUsers, orders } from "../support/worlds/two-tenants";
import { useWorld } from "../support/worlds/world";

const de = {
	INVALID_EMAIL_OR_PASSWORD: "de: wrong email or password",
	USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL: "de: email taken",
	TENANT_NOT_FOUND: "de: no such tenant",
};
const headers = { "accept-language": "de" };

describe.each(orders)("i18n, %s", (_, order) => {
	const world = useWorld(() =>
		makeTwoUsers({ plugins: [i18n({ translations: { en: {}, de } })], ...order() }),
	);

	it.each(["/tenant/sign-in/email", "/sign-in/email"])(
		"translates a message at %s, and tells the original one",
		async (path) => {
			const { call, a } = world();
			const body = { email: EMAIL, password: "wrong password" };
			const answer = await call(path, { tenant: a, body, headers });
			expect([answer.status, answer.body]).toEqual([
				401,
				{
					code: "INVALID_EMAIL_OR_PASSWORD",
					message: de.INVALID_EMAIL_OR_PASSWORD,
					originalMessage: "Invalid email or password",
				},
			]);
		},
	);

	it("translates our own codes", async () => {
		const { signIn } = world();
		const { status, body } = await signIn("nobody", { headers });
		expect([status, body]).toEqual([
			404,
			{
				code: "TENANT_NOT_FOUND",
				message: de.TENANT_NOT_FOUND,
				originalMessage: expect.stringContaining("Tenant not found"),
			},
		]);
	});

	it("leaves a message without a translation, and an answer that is not an error", async () => {
		const { call, signIn, a, ada } = world();
		const body = { tenantId: a, name: "Ada", ...CREDENTIALS };
		const taken = await call("/tenant/sign-up/email", {
			body,
			headers: { "accept-language": "fr" },
		});
		expect(taken.body).toEqual({
			code: "USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL",
			message: "User already exists. Use another email.",
		});
		expect((await signIn(a, { headers })).body.user.id).toBe(ada.body.user.id);
	});
});
