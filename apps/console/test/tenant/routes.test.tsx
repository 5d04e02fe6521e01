// @vitest-environment happy-dom
import { describe, expect, test, vi } from "vitest";
import { json, never, refuse } from "../support/answers";
import { adasAccount } from "../support/fixtures/adas-account";
import { openTenantPage } from "../support/open-tenant-page";
import { byRole, findByRole, findTexts, isBusy } from "../support/screen";
import { pass } from "../support/time";
import { click } from "../support/user";

describe("the first page of a tenant", () => {
	test("says that it loads until it knows who is signed in", async () => {
		await openTenantPage("/", { "GET /get-session": never() });
		await pass(10);
		expect(isBusy()).toBe(true);
		expect(location.pathname).toBe("/t/acme/");
	});

	test("leads to the sign-in page, with the query of the app", async () => {
		await openTenantPage("/?prompt=login");
		expect(await findByRole("heading", "Sign in")).toBeTruthy();
		expect(`${location.pathname}${location.search}`).toBe("/t/acme/sign-in?prompt=login");
	});

	test("leads a signed-in user to the account", async () => {
		await openTenantPage("/", adasAccount);
		expect(await findByRole("heading", "Account")).toBeTruthy();
		expect(location.pathname).toBe("/t/acme/account");
	});

	test("leads to the error page if a link failed", async () => {
		await openTenantPage("/?error=invalid_token");
		await findTexts("Error code for your administrator: invalid_token");
		expect(location.pathname).toBe("/t/acme/error");
	});

	test("says why it could not load, and loads again when the user asks for it", async () => {
		const server = await openTenantPage("/", { "GET /get-session": refuse(503, "", "") });
		await findTexts("Could not load this page", "Something went wrong on our side.");
		server.answer({ "GET /get-session": json(null) });
		await click("Try again");
		expect(await findByRole("heading", "Sign in")).toBeTruthy();
	});
});

describe("a path that is not a page", () => {
	test.each(["/nothing", "/oauth2/authorize/", "/OAUTH2/authorize"])(
		"says so, and leads to the first page: %s",
		async (path) => {
			await openTenantPage(path);
			await findTexts("Page not found");
			expect(byRole("link", "Go to the start page").getAttribute("href")).toBe("/t/acme");
		},
	);

	test("loads again if the service answers the path itself", async () => {
		const reload = vi.spyOn(location, "reload").mockImplementation(() => {});
		await openTenantPage("/oauth2/authorize?client_id=wiki");
		await pass(10);
		expect(reload).toHaveBeenCalledTimes(1);
		expect(isBusy()).toBe(true);
		reload.mockRestore();
	});
});
