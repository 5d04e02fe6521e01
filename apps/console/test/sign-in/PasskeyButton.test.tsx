// @vitest-environment happy-dom
import { describe, expect, test } from "vitest";
import { json, list, refuse } from "../support/answers";
import type { Handlers } from "../support/fake-server";
import { adasAccount } from "../support/fixtures/adas-account";
import { loginOptions } from "../support/fixtures/login-options";
import { adasSession } from "../support/fixtures/sessions";
import { openTenantPage } from "../support/open-tenant-page";
import { passkeyOptions, supportPasskeys } from "../support/passkeys";
import { allByRole, findByLabel, findByRole, findTexts } from "../support/screen";
import { until } from "../support/time";
import { click } from "../support/user";

const OPTIONS = "GET /passkey/generate-authenticate-options";
const VERIFY = "POST /passkey/verify-authentication";

const open = (handlers: Handlers = {}) =>
	openTenantPage("/sign-in", {
		"GET /tenant/login-options": json({ ...loginOptions, methods: ["password", "passkey"] }),
		[OPTIONS]: json(passkeyOptions),
		...handlers,
	});

describe("the button for a passkey", () => {
	test("signs the user in", async () => {
		supportPasskeys();
		const server = await open({
			[VERIFY]: json({ session: adasSession.session, user: adasSession.user }),
		});
		server.answer({ ...adasAccount, "GET /passkey/list-user-passkeys": list([]) });
		await click("Sign in with a passkey");
		expect(await findByRole("heading", "Account")).toBeTruthy();
		expect(server.sent(VERIFY)).toMatchObject([{ body: { response: { id: "passkey-ada" } } }]);
	});

	test("says that no passkey was used if the user cancels, and sends nothing", async () => {
		supportPasskeys({ canceled: true });
		const server = await open({});
		await click("Sign in with a passkey");
		await findTexts("No passkey was used. Try again, or choose another sign-in method.");
		expect(server.sent(VERIFY)).toEqual([]);
	});

	test.each([
		["PASSKEY_NOT_FOUND", "This passkey does not belong to an account here."],
		["AUTHENTICATION_FAILED", "The passkey was not accepted. Try again."],
		["CHALLENGE_NOT_FOUND", "The passkey was not accepted. Try again."],
		["USER_DISABLED", "Your account is disabled. Contact your administrator."],
	])("shows why the service rejects a passkey with %s", async (code, text) => {
		supportPasskeys();
		await open({ [VERIFY]: refuse(401, code, "Rejected") });
		await click("Sign in with a passkey");
		await findTexts(text);
		expect(allByRole("button", "Sign in with a passkey")).toHaveLength(1);
	});

	test("says so if the service cannot start", async () => {
		supportPasskeys();
		await open({ [OPTIONS]: refuse(429, "", "Too many requests") });
		await click("Sign in with a passkey");
		await findTexts("Too many attempts.");
		expect(allByRole("alert")).toHaveLength(1);
	});

	test("is missing in a browser without passkeys", async () => {
		await open();
		await findByRole("heading", "Sign in");
		expect(allByRole("button", "Sign in with a passkey")).toEqual([]);
	});
});

describe("a passkey in the list of the email field", () => {
	test("signs the user in without a click on the button", async () => {
		supportPasskeys({ autofill: "chosen" });
		const server = await open({
			[VERIFY]: json({ session: adasSession.session, user: adasSession.user }),
			...adasAccount,
			"GET /get-session": json(null),
			"GET /passkey/list-user-passkeys": list([]),
		});
		await until(() => server.sent(VERIFY).length > 0);
		server.answer({ "GET /get-session": adasAccount["GET /get-session"] ?? json(adasSession) });
		expect(await findByRole("heading", "Account")).toBeTruthy();
		expect(server.sent(VERIFY)).toMatchObject([{ body: { response: { id: "passkey-ada" } } }]);
	});

	test("that the service rejects is a message, and the button still works", async () => {
		supportPasskeys({ autofill: "chosen" });
		await open({ [VERIFY]: refuse(401, "PASSKEY_NOT_FOUND", "Rejected") });
		await findTexts("This passkey does not belong to an account here.");
		expect(allByRole("button", "Sign in with a passkey")).toHaveLength(1);
	});

	test("is offered without any change of the page, until the user presses the button", async () => {
		supportPasskeys({ autofill: "ignored" });
		const server = await open({ [VERIFY]: refuse(401, "AUTHENTICATION_FAILED", "Rejected") });
		const email = await findByLabel("Email");
		expect(email.autocomplete).toBe("username webauthn");
		await until(() => server.sent(OPTIONS).length === 1);
		expect(allByRole("alert")).toEqual([]);
		await click("Sign in with a passkey");
		await findTexts("The passkey was not accepted. Try again.");
		expect(server.sent(VERIFY)).toHaveLength(1);
	});

	test("is no reason for a message if the service cannot start", async () => {
		supportPasskeys({ autofill: "chosen" });
		const server = await open({ [OPTIONS]: refuse(429, "", "Too many requests") });
		await findByLabel("Email");
		await until(() => server.sent(OPTIONS).length === 1);
		expect(allByRole("alert")).toEqual([]);
	});

	test.each(["unknown", "unavailable"] as const)(
		"is not offered if it is %s to the browser",
		async (autofill) => {
			supportPasskeys({ autofill });
			const server = await open();
			await findByRole("button", "Sign in with a passkey");
			expect(server.sent(OPTIONS)).toEqual([]);
		},
	);

	test("is not offered by a tenant without passkeys", async () => {
		supportPasskeys({ autofill: "chosen" });
		const server = await openTenantPage("/sign-in");
		expect((await findByLabel("Email")).autocomplete).toBe("username");
		expect(server.sent(OPTIONS)).toEqual([]);
	});
});
