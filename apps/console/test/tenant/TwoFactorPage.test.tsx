// @vitest-environment happy-dom
import { describe, expect, test } from "vitest";
import { json, refuse } from "../support/answers";
import { adasAccount } from "../support/fixtures/adas-account";
import { adasSession } from "../support/fixtures/sessions";
import { describeFormStates } from "../support/form-states";
import { openTenantPage } from "../support/open-tenant-page";
import { allByRole, byLabel, byRole, findByRole, findTexts } from "../support/screen";
import { click, type } from "../support/user";

const REQUEST = "POST /two-factor/verify-totp";
const RECOVERY = "POST /two-factor/verify-backup-code";

const VERIFIED = json({ token: "token-ada", user: adasSession.user });

describeFormStates("the form for the second step", {
	open: (handlers) => openTenantPage("/two-factor", handlers),
	request: REQUEST,
	fill: () => type("Code", "123 456"),
	submit: "Verify",
	valid: {
		answer: VERIFIED,
		sends: { code: "123456", trustDevice: false },
		shows: ["Account", "ada@acme.example"],
		handlers: adasAccount,
	},
	invalid: {
		"an empty code": { change: () => type("Code", ""), field: "Code" },
		"a code with letters": { change: () => type("Code", "12345a"), field: "Code" },
	},
	conflict: {
		"a wrong code": {
			answer: refuse(401, "INVALID_CODE", "Invalid code"),
			shows: ["This code is not right."],
		},
		"a user with too many wrong codes": {
			answer: refuse(429, "ACCOUNT_TEMPORARILY_LOCKED", "Locked"),
			shows: ["Too many wrong codes. Try again later."],
		},
	},
	keeps: { Code: "123 456" },
	expired: null,
});

describe("the page for the second step", () => {
	test("accepts a recovery code instead, and can trust the device", async () => {
		const server = await openTenantPage("/two-factor", { ...adasAccount, [RECOVERY]: VERIFIED });
		await click("Use a recovery code");
		await type("Recovery code", "abcde-fghij");
		await click(byLabel("Do not ask again on this device for 30 days"));
		await click("Verify");
		await findByRole("heading", "Account");
		expect(server.sent(RECOVERY).map(({ body }) => body)).toEqual([
			{ code: "abcde-fghij", trustDevice: true },
		]);
	});

	test("forgets the code and the error when the user changes the way", async () => {
		await openTenantPage("/two-factor", { [REQUEST]: refuse(401, "INVALID_CODE", "Invalid code") });
		await type("Code", "123456");
		await click("Verify");
		await findTexts("This code is not right.");
		await click("Use a recovery code");
		expect(byLabel("Recovery code").value).toBe("");
		expect(allByRole("alert")).toEqual([]);
	});

	test.each([
		["INVALID_TWO_FACTOR_COOKIE", "The sign-in took too long. Sign in again."],
		["TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE", "Too many wrong codes. Sign in again."],
	])("leads back to the password after %s", async (code, text) => {
		await openTenantPage("/two-factor", { [REQUEST]: refuse(401, code, "") });
		await type("Code", "123456");
		await click("Verify");
		await findTexts("Sign in again", text);
		expect(byRole("link", "Sign in").getAttribute("href")).toBe("/t/acme/sign-in");
	});
});
