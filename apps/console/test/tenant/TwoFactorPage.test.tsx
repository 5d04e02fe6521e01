// @vitest-environment happy-dom
import { describe, expect, test } from "vitest";
import { json, list, refuse } from "../support/answers";
import type { Handlers } from "../support/fake-server";
import { adasAccount } from "../support/fixtures/adas-account";
import { loginOptions } from "../support/fixtures/login-options";
import { adasSession } from "../support/fixtures/sessions";
import { acme } from "../support/fixtures/tenants";
import { describeFormStates } from "../support/form-states";
import { openTenantPage } from "../support/open-tenant-page";
import { passkeyOptions, supportPasskeys } from "../support/passkeys";
import { allByRole, byLabel, byRole, findByRole, findTexts } from "../support/screen";
import { until } from "../support/time";
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

describe("a code by email", () => {
	const SEND = "POST /two-factor/send-otp";
	const VERIFY = "POST /two-factor/verify-otp";
	const withCodes = { "email-codes": "yes" };

	test("is sent when the user asks for it, and ends the sign-in", async () => {
		const server = await openTenantPage(
			"/two-factor",
			{ ...adasAccount, [SEND]: json({ status: true }), [VERIFY]: VERIFIED },
			withCodes,
		);
		await click("Send a code to my email");
		await findTexts("Enter the code that we sent to your email.");
		await type("Code", "123 456");
		await click("Verify");
		await findByRole("heading", "Account");
		expect(server.sent(SEND)).toHaveLength(1);
		expect(server.sent(VERIFY).map(({ body }) => body)).toEqual([
			{ code: "123456", trustDevice: false },
		]);
	});

	test("can be sent again after it has expired", async () => {
		const server = await openTenantPage(
			"/two-factor",
			{ [SEND]: json({ status: true }), [VERIFY]: refuse(400, "OTP_HAS_EXPIRED", "Expired") },
			withCodes,
		);
		await click("Send a code to my email");
		await findTexts("Enter the code that we sent to your email.");
		await type("Code", "123456");
		await click("Verify");
		await findTexts("This code has expired. Request a new one.");
		await click("Send a new code");
		await until(() => byLabel("Code").value === "");
		expect(server.sent(SEND)).toHaveLength(2);
		expect(allByRole("alert")).toEqual([]);
	});

	test.each([
		[403, "EMAIL_NOT_VERIFIED", "Your email is not verified yet."],
		[429, "TOO_MANY_REQUESTS", "Too many attempts."],
	])("that is not sent (%s %s) says why", async (status, code, text) => {
		await openTenantPage("/two-factor", { [SEND]: refuse(status, code, "") }, withCodes);
		await click("Send a code to my email");
		await findTexts(text, "Enter the code from your authenticator app.");
		expect(byRole("button", "Send a code to my email")).toBeTruthy();
	});

	test("starts again with the password if the sign-in took too long", async () => {
		await openTenantPage(
			"/two-factor",
			{ [SEND]: refuse(401, "INVALID_TWO_FACTOR_COOKIE", "") },
			withCodes,
		);
		await click("Send a code to my email");
		expect(await findByRole("heading", "Sign in again")).toBeTruthy();
	});

	test("is not offered if the service sends none", async () => {
		await openTenantPage("/two-factor");
		await findByRole("button", "Verify");
		expect(allByRole("button", "Send a code to my email")).toEqual([]);
	});
});

describe("a passkey as second step", () => {
	const OPTIONS = "GET /passkey/generate-authenticate-options";
	const VERIFY = "POST /passkey/verify-authentication";
	const open = (handlers: Handlers = {}) =>
		openTenantPage("/two-factor", {
			"GET /tenant/login-options": json({ ...loginOptions, methods: ["password", "passkey"] }),
			[OPTIONS]: json(passkeyOptions),
			...handlers,
		});

	test("ends the sign-in, and says in both calls that it is the second step", async () => {
		supportPasskeys();
		const server = await open({
			...adasAccount,
			"GET /tenant/login-options": json({ ...loginOptions, methods: ["password", "passkey"] }),
			"GET /passkey/list-user-passkeys": list([]),
			[VERIFY]: json({ session: adasSession.session, user: adasSession.user }),
		});
		await click("Use a passkey");
		await findByRole("heading", "Account");
		const sent = [...server.sent(OPTIONS), ...server.sent(VERIFY)];
		expect(sent.map(({ headers }) => headers.get("x-second-factor"))).toEqual([
			"passkey",
			"passkey",
		]);
		expect(sent.every(({ headers }) => headers.get("x-tenant-id") === acme.id)).toBe(true);
	});

	test.each([
		[OPTIONS, "NO_PASSKEY", "You have no passkey here. Use a code."],
		[VERIFY, "PASSKEY_NOT_FOUND", "This passkey does not belong to an account here."],
		[VERIFY, "AUTHENTICATION_FAILED", "The passkey was not accepted. Try again."],
	])("says why %s is refused with %s, and a code still works", async (request, code, text) => {
		supportPasskeys();
		const server = await open({ [request]: refuse(401, code, "Refused") });
		await click("Use a passkey");
		await findTexts(text);
		server.answer({ ...adasAccount, [REQUEST]: VERIFIED });
		await type("Code", "123456");
		await click("Verify");
		await until(() => server.sent(REQUEST).length > 0);
		expect(server.sent(REQUEST)).toHaveLength(1);
	});

	test("says that none was used if the user cancels", async () => {
		supportPasskeys({ canceled: true });
		const server = await open();
		await click("Use a passkey");
		await findTexts("No passkey was used.");
		expect(server.sent(VERIFY)).toEqual([]);
		await click("Use a recovery code");
		expect(allByRole("alert")).toEqual([]);
	});

	test("starts again with the password if the sign-in took too long", async () => {
		supportPasskeys();
		await open({ [OPTIONS]: refuse(401, "INVALID_TWO_FACTOR_COOKIE", "") });
		await click("Use a passkey");
		expect(await findByRole("heading", "Sign in again")).toBeTruthy();
	});

	test("is not offered in a browser without passkeys", async () => {
		await open();
		await findByRole("button", "Verify");
		expect(allByRole("button", "Use a passkey")).toEqual([]);
	});

	test("is not offered where the policy does not allow passkeys", async () => {
		supportPasskeys();
		await openTenantPage("/two-factor");
		await findByRole("button", "Verify");
		expect(allByRole("button", "Use a passkey")).toEqual([]);
	});
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
