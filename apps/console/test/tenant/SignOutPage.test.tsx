// @vitest-environment happy-dom
import { describe, expect, test } from "vitest";
import { json, offline, refuse } from "../support/answers";
import { adasAccount } from "../support/fixtures/adas-account";
import { openTenantPage } from "../support/open-tenant-page";
import { byRole, findByRole, findTexts } from "../support/screen";
import { until } from "../support/time";
import { click } from "../support/user";

const REQUEST = "POST /t/acme/oauth2/end-session/confirm";

describe("the page that asks before a sign-out", () => {
	test("sends nothing until the user confirms, and then returns to the app", async () => {
		const server = await openTenantPage("/sign-out?from=app", {
			[REQUEST]: json({ url: "http://localhost:3000/signed-out" }),
		});
		await findTexts("Sign out?", "An app asks to sign you out of Acme.");
		expect(server.sent(REQUEST)).toEqual([]);
		await click("Sign out");
		await until(() => location.pathname === "/signed-out");
		expect(location.pathname).toBe("/signed-out");
		expect(String(server.sent(REQUEST)[0]?.body)).toBe("action=confirm");
	});

	test("leads to the account of a user who stays signed in", async () => {
		await openTenantPage("/sign-out?from=app");
		const link = await findByRole("link", "Stay signed in");
		expect(link.getAttribute("href")).toBe("/t/acme/account");
	});

	test.each([
		["that took too long", refuse(400, "SIGN_OUT_EXPIRED", ""), "This took too long."],
		["that the service cannot do", refuse(503, "", ""), "Something went wrong on our side."],
		["without a connection", offline(), "Something went wrong. Try again."],
	])("says so for a sign-out %s", async (_, answer, text) => {
		await openTenantPage("/sign-out?from=app", { [REQUEST]: answer });
		await click("Sign out");
		await findTexts(text);
		expect(byRole("button", "Sign out").getAttribute("aria-busy")).toBeNull();
	});
});

describe("the same page, opened without an app", () => {
	test("asks and signs the user out", async () => {
		const server = await openTenantPage("/sign-out", {
			...adasAccount,
			"POST /sign-out": json({ success: true }),
		});
		await findTexts("Sign out?", "Do you want to sign out of Acme?");
		expect(server.sent("POST /sign-out")).toEqual([]);
		server.answer({ "GET /get-session": json(null) });
		await click("Sign out");
		await until(() => location.pathname === "/t/acme/sign-in");
		expect(server.sent("POST /sign-out")).toHaveLength(1);
		expect(server.sent(REQUEST)).toEqual([]);
	});

	test("leads somebody who is not signed in to the sign-in page", async () => {
		await openTenantPage("/sign-out");
		expect(await findByRole("heading", "Sign in")).toBeTruthy();
		expect(location.pathname).toBe("/t/acme/sign-in");
	});
});
