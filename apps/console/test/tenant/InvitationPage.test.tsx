// @vitest-environment happy-dom
import { describe, expect, test } from "vitest";
import { json, never, offline, refuse } from "../support/answers";
import type { Handlers } from "../support/fake-server";
import { adasAccount } from "../support/fixtures/adas-account";
import { loginOptions } from "../support/fixtures/login-options";
import { adasSession } from "../support/fixtures/sessions";
import { openTenantPage } from "../support/open-tenant-page";
import { allByRole, byRole, findByLabel, findByRole, findTexts, isBusy } from "../support/screen";
import { pass } from "../support/time";
import { click } from "../support/user";

const REQUEST = "POST /tenant/invitation/accept";
const SEND = "POST /send-verification-email";

const invitation = { status: "sign-in-required", email: "grace@acme.example", role: "member" };

const open = (handlers: Handlers = {}) =>
	openTenantPage("/invitation?token=secret", { [REQUEST]: json(invitation), ...handlers });

describe("the page of an invitation", () => {
	test("says that it loads, and shows nothing else yet", async () => {
		await open({ [REQUEST]: never() });
		await pass(10);
		expect(isBusy()).toBe(true);
		expect(allByRole("link", "Create an account")).toEqual([]);
	});

	test("says who is invited, and removes the token from the URL", async () => {
		const server = await open();
		await findTexts(
			"Join Acme",
			"You are invited to join Acme as a member.",
			"The invitation is for grace@acme.example.",
		);
		expect(server.sent(REQUEST).map(({ body }) => body)).toEqual([{ token: "secret" }]);
		expect(location.search).toBe("");
	});

	test("leads to a form for a new account that knows the email", async () => {
		await open({
			"GET /tenant/login-options": json({
				...loginOptions,
				email: { ...loginOptions.email, signUp: false },
			}),
		});
		await click(await findByRole("link", "Create an account"));
		expect((await findByLabel("Email")).value).toBe("grace@acme.example");
		expect(location.pathname).toBe("/t/acme/sign-up");
	});

	test("offers no new account where nobody has a password", async () => {
		await open({
			"GET /tenant/login-options": json({
				...loginOptions,
				email: { ...loginOptions.email, signIn: false },
			}),
		});
		expect(await findByRole("link", "Sign in")).toBeTruthy();
		expect(allByRole("link", "Create an account")).toEqual([]);
	});

	test("welcomes a user who has accepted it, and opens the account", async () => {
		await open({ ...adasAccount, [REQUEST]: json({ ...invitation, status: "accepted" }) });
		await findTexts("Welcome to Acme", "You have accepted the invitation.");
		await click("Continue");
		expect(await findByRole("heading", "Account")).toBeTruthy();
	});

	test.each([
		["a token that is not valid", refuse(404, "INVITATION_NOT_FOUND", "Not found")],
		["an invitation that was withdrawn", refuse(400, "INVALID_TOKEN", "Invalid")],
	])("says so for %s", async (_, answer) => {
		await open({ [REQUEST]: answer });
		await findTexts(
			"This invitation is not valid",
			"Ask the person who invited you for a new one.",
		);
		expect(allByRole("button", "Try again")).toEqual([]);
	});

	test.each([
		["without a connection", offline(), "Could not reach the server."],
		["if the service fails", refuse(503, "", ""), "Something went wrong on our side."],
		["after too many requests", refuse(429, "", ""), "Too many attempts."],
	])("does not call the invitation wrong %s, and loads it again", async (_, answer, text) => {
		const server = await open({ [REQUEST]: answer });
		await findTexts("Could not load this page", text);
		server.answer({ [REQUEST]: json(invitation) });
		await click("Try again");
		await findTexts("Join Acme");
		expect(server.sent(REQUEST)).toHaveLength(2);
	});
});

describe("an invitation for somebody else than the signed-in user", () => {
	test("asks the user to sign out first", async () => {
		const server = await open({
			"GET /get-session": json(adasSession),
			"POST /sign-out": json({ success: true }),
		});
		await findTexts("You are signed in as ada@acme.example. Sign out to accept the invitation.");
		server.answer({ "GET /get-session": json(null) });
		await click("Sign out");
		expect(await findByRole("link", "Create an account")).toBeTruthy();
		expect(server.sent("POST /sign-out")).toHaveLength(1);
	});

	test("says so if the user could not be signed out", async () => {
		await open({ "GET /get-session": json(adasSession), "POST /sign-out": offline() });
		await click("Sign out");
		await findTexts("Could not reach the server.");
		expect(byRole("button", "Sign out")).toBeTruthy();
	});
});

describe("an invitation for an email that is not verified", () => {
	const unverified: Handlers = {
		[REQUEST]: json({ ...invitation, status: "verification-required" }),
	};

	test("sends a verification link when the user asks for it", async () => {
		const server = await open({ ...unverified, [SEND]: json({ status: true }) });
		await findTexts("Verify your email first.");
		expect(server.sent(SEND)).toEqual([]);
		await click("Send verification link");
		await findTexts("We sent you a link. Open it, then open the invitation again.");
		expect(server.sent(SEND)).toMatchObject([{ body: { email: "grace@acme.example" } }]);
	});

	test("says so if the link could not be sent", async () => {
		await open({ ...unverified, [SEND]: refuse(429, "", "Too many requests") });
		await click("Send verification link");
		await findTexts("Too many attempts.");
		expect(byRole("button", "Send verification link")).toBeTruthy();
	});
});
