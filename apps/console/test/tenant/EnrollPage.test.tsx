// @vitest-environment happy-dom
import { describe, expect, test } from "vitest";
import { json, never, offline, refuse } from "../support/answers";
import type { Handlers } from "../support/fake-server";
import { adasAccount } from "../support/fixtures/adas-account";
import { loginOptions } from "../support/fixtures/login-options";
import { enrollment } from "../support/fixtures/second-factor";
import { adasSession } from "../support/fixtures/sessions";
import { describeFormStates } from "../support/form-states";
import { openTenantPage } from "../support/open-tenant-page";
import { allByRole, byRole, findByLabel, findByRole, findTexts, isBusy } from "../support/screen";
import { pass, until } from "../support/time";
import { click, type } from "../support/user";

const VERIFY = "POST /two-factor/verify-totp";

const open = (handlers: Handlers = {}) =>
	openTenantPage("/second-factor", {
		...adasAccount,
		"POST /two-factor/enable": json(enrollment),
		...handlers,
	});

async function openScan(handlers: Handlers) {
	const server = await open(handlers);
	await click("Continue");
	await findByLabel("Code");
	return server;
}

describeFormStates("the form for the first code of an authenticator app", {
	open: openScan,
	request: VERIFY,
	fill: () => type("Code", "123 456"),
	submit: "Turn on",
	valid: {
		answer: json({ token: "token-ada", user: adasSession.user }),
		sends: { code: "123456" },
		shows: ["Save your recovery codes", "abcde-fghij", "klmno-pqrst"],
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
	},
	keeps: { Code: "123 456" },
	// The service cannot know whether the code belongs to a sign-in.
	expired: {
		answer: refuse(401, "INVALID_TWO_FACTOR_COOKIE", "Invalid two factor cookie"),
		shows: ["The sign-in took too long. Sign in again."],
	},
});

/** The tenant requires a second factor, and the service treats the user as signed out until then. */
const REQUIRED: Handlers = {
	"GET /tenant/login-options": json({ ...loginOptions, secondFactorRequired: true }),
	"GET /get-session": json(null),
	"GET /tenant/current": refuse(403, "SECOND_FACTOR_REQUIRED", "Second factor required"),
};

describe("the page that sets up a second factor", () => {
	test("says that it loads, and shows nothing else yet", async () => {
		await open({ "GET /get-session": never() });
		await pass(10);
		expect(isBusy()).toBe(true);
		expect(allByRole("button", "Continue")).toEqual([]);
	});

	test("shows the key for an app that cannot scan, and no recovery code yet", async () => {
		await openScan({});
		await findTexts("ABCD EFGH IJKL MNOP");
		expect(byRole("img", "QR code for the authenticator app")).toBeTruthy();
		expect(document.body.textContent).not.toContain("abcde-fghij");
	});

	test("shows the recovery codes once, and then opens the account", async () => {
		await openScan({ [VERIFY]: json({ token: "token-ada", user: adasSession.user }) });
		await type("Code", "123456");
		await click("Turn on");
		await click("I have saved them");
		expect(await findByRole("heading", "Account")).toBeTruthy();
		expect(document.body.textContent).not.toContain("abcde-fghij");
	});

	test("says that the tenant requires it, and lets the user sign out instead", async () => {
		const server = await open({ ...REQUIRED, "POST /sign-out": json({ success: true }) });
		await findTexts("Acme requires a second step at sign-in. Set it up to go on.");
		await click("Sign out");
		await until(() => location.pathname === "/t/acme/sign-in");
		expect(location.pathname).toBe("/t/acme/sign-in");
		expect(server.sent("POST /sign-out")).toHaveLength(1);
	});

	test("says so if the user could not be signed out", async () => {
		await open({ ...REQUIRED, "POST /sign-out": offline() });
		await click("Sign out");
		await findTexts("Could not reach the server.");
		expect(location.pathname).toBe("/t/acme/second-factor");
	});

	test("says why it could not load, and loads again when the user asks for it", async () => {
		const server = await open({ "GET /get-session": refuse(503, "", "") });
		await findTexts("Could not load this page", "Something went wrong on our side.");
		server.answer({ "GET /get-session": json(adasSession) });
		await click("Try again");
		expect(await findByRole("button", "Continue")).toBeTruthy();
	});

	test("leads somebody who is not signed in to the sign-in page", async () => {
		await open({ "GET /get-session": json(null) });
		expect(await findByRole("heading", "Sign in")).toBeTruthy();
		expect(location.pathname).toBe("/t/acme/sign-in");
	});

	test("leads a user who has a second factor to the account", async () => {
		const user = { ...adasSession.user, twoFactorEnabled: true };
		await open({ "GET /get-session": json({ ...adasSession, user }) });
		expect(await findByRole("heading", "Account")).toBeTruthy();
		expect(location.pathname).toBe("/t/acme/account");
	});
});
