// @vitest-environment happy-dom
import { describe, expect, test } from "vitest";
import { json, never, refuse } from "../support/answers";
import type { Handlers } from "../support/fake-server";
import { sessionEnded } from "../support/fixtures/adas-account";
import { adasSession } from "../support/fixtures/sessions";
import { openTenantPage } from "../support/open-tenant-page";
import { allByRole, byRole, findByRole, findTexts, isBusy } from "../support/screen";
import { pass } from "../support/time";
import { click } from "../support/user";

const REQUEST = "POST /delete-user";

const open = (handlers: Handlers = {}) =>
	openTenantPage("/delete-account?token=secret", {
		"GET /get-session": json(adasSession),
		...handlers,
	});

describe("the page of a link that deletes the account", () => {
	test("says that it loads, and offers nothing yet", async () => {
		await open({ "GET /get-session": never() });
		await pass(10);
		expect(isBusy()).toBe(true);
		expect(allByRole("button", "Delete account")).toEqual([]);
	});

	test("deletes nothing until the user confirms", async () => {
		const server = await open({ [REQUEST]: json({ success: true }) });
		await findTexts("Delete your account?", "ada@acme.example", "You cannot undo this.");
		expect(server.sent(REQUEST)).toEqual([]);
		await click("Delete account");
		await findTexts("Account deleted", "Your account and all of its data are deleted.");
		expect(server.sent(REQUEST).map(({ body }) => body)).toEqual([{ token: "secret" }]);
	});

	test("leads to the account of a user who keeps it", async () => {
		await open();
		const link = await findByRole("link", "Keep my account");
		expect(link.getAttribute("href")).toBe("/t/acme/account");
	});

	test("asks somebody who is not signed in to sign in, and to come back", async () => {
		await open({ "GET /get-session": json(null) });
		await findTexts("Sign in to confirm that this is your account.");
		expect(byRole("link", "Sign in").getAttribute("href")).toBe(
			"/t/acme/sign-in?callbackURL=%2Ft%2Facme%2Fdelete-account%3Ftoken%3Dsecret",
		);
		expect(allByRole("button", "Delete account")).toEqual([]);
	});

	test("says why it could not load, and loads again when the user asks for it", async () => {
		const server = await open({ "GET /get-session": refuse(503, "", "") });
		await findTexts("Could not load this page", "Something went wrong on our side.");
		server.answer({ "GET /get-session": json(adasSession) });
		await click("Try again");
		expect(await findByRole("button", "Delete account")).toBeTruthy();
	});

	test("says that a link without a token does not work", async () => {
		await openTenantPage("/delete-account", { "GET /get-session": json(adasSession) });
		await findTexts("This link no longer works");
		expect(byRole("link", "Back to your account")).toBeTruthy();
	});

	test("says that a link works once, and only for its own account", async () => {
		await open({ [REQUEST]: refuse(404, "INVALID_TOKEN", "Invalid token") });
		await click("Delete account");
		await findTexts("This link no longer works", "belongs to another account");
		expect(allByRole("button", "Delete account")).toEqual([]);
	});

	test.each([
		["the last owner", refuse(409, "LAST_OWNER", ""), "You are the last owner."],
		["a user whose session has ended", sessionEnded.answer, sessionEnded.shows[0] as string],
	])("shows that the service does not delete %s", async (_, answer, text) => {
		await open({ [REQUEST]: answer });
		await click("Delete account");
		await findTexts(text);
		expect(byRole("button", "Delete account")).toBeTruthy();
	});
});
