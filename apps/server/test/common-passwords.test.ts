import { describe, expect, test } from "vitest";
import { COMMON_WORDS } from "../../console/src/ui/password-strength";
import { isCommonPassword } from "../src/common-passwords";
import { newOperator, operatorPassword } from "./operator-accounts";
import { asManager, newTenant, newUser, runningService } from "./running-service";

describe("a common password", () => {
	test.each(["12345678", "password123", "PassWord123", "Password1!", "iloveyou1", "welcome1??"])(
		"%s is recognized",
		async (password) => {
			expect(await isCommonPassword(password)).toBe(true);
		},
	);

	test("is each one that the hint of the pages knows", async () => {
		const recognized = await Promise.all(COMMON_WORDS.map(isCommonPassword));
		expect(COMMON_WORDS.filter((_, index) => !recognized[index])).toEqual([]);
	});

	test.each(["correct horse battery", "Xk7-vault-lamp", "!!!!!!!!!!", "ä".repeat(100_000)])(
		"is not %.30s",
		async (password) => {
			expect(await isCommonPassword(password)).toBe(false);
		},
	);
});

test("the service refuses a common password of a user, from a manager, and of an operator", async () => {
	const service = await runningService();
	const tenantId = await newTenant(service.post);
	const user = { ...newUser("ada@example.com"), password: "Password123!" };
	const { headers } = await newOperator(service, "owner", "olga@example.com");
	const refused = await Promise.all([
		service.post("/tenant/sign-up/email", user, { "x-tenant-id": tenantId }),
		service.post("/tenant/user/create", { ...user, tenantId }, asManager),
		service.post(
			"/operator/account/change-password",
			{ currentPassword: operatorPassword, newPassword: user.password },
			headers,
		),
	]);
	const answers = refused.map(async (response) => [
		response.status,
		((await response.json()) as { code: string }).code,
	]);
	expect(await Promise.all(answers)).toEqual(
		Array.from({ length: 3 }, () => [400, "PASSWORD_COMPROMISED"]),
	);
});
