// @vitest-environment happy-dom
import { describe, expect, test } from "vitest";
import { json, list, never, offline, refuse } from "../../support/answers";
import type { Handlers } from "../../support/fake-server";
import { adasAccount } from "../../support/fixtures/adas-account";
import { permissionsOf } from "../../support/fixtures/admins";
import { loginOptions } from "../../support/fixtures/login-options";
import { openTenantPage } from "../../support/open-tenant-page";
import { allByRole, byRole, findByRole, findTexts, isBusy } from "../../support/screen";
import { pass, until } from "../../support/time";
import { click, type } from "../../support/user";

const SESSION = "GET /get-session";

const open = (handlers: Handlers = {}) =>
	openTenantPage("/account", { ...adasAccount, ...handlers });

describe("the account page", () => {
	test("says that it loads, and shows nothing else yet", async () => {
		const server = await open({ [SESSION]: never() });
		await until(() => server.sent(SESSION).length > 0);
		await pass(10);
		expect(isBusy()).toBe(true);
		expect(allByRole("region")).toEqual([]);
	});

	test("shows the account of the user", async () => {
		await open();
		await findTexts("ada@acme.example", "Change password");
		expect(allByRole("heading").map(({ textContent }) => textContent)).toEqual([
			"Account",
			"Profile",
			"Email",
			"Password",
			"Two-step verification",
			"Active sessions",
			"Delete account",
		]);
	});

	test("says why it could not load, and loads again when the user asks for it", async () => {
		const server = await open({ [SESSION]: refuse(503, "", "") });
		await findTexts("Could not load your account", "Something went wrong on our side.");
		server.answer(adasAccount);
		await click("Try again");
		expect(await findByRole("heading", "Account")).toBeTruthy();
	});

	test("keeps what the user typed if it cannot be read again", async () => {
		const server = await open({ "POST /update-user": json({ status: true }) });
		await type("Current password", "correct horse");
		await type("Name", "Ada Lovelace");
		server.answer({ [SESSION]: refuse(503, "", "") });
		await click("Save");
		await findTexts("Name saved.");
		await pass(5000);
		expect(server.sent(SESSION).length).toBeGreaterThan(1);
		expect(byRole("region", "Password").querySelector("input[type=password]")).toHaveProperty(
			"value",
			"correct horse",
		);
	});

	test("leads somebody who is not signed in to the sign-in page", async () => {
		await open({ [SESSION]: json(null) });
		expect(await findByRole("heading", "Sign in")).toBeTruthy();
		expect(location.pathname).toBe("/t/acme/sign-in");
	});

	test("leads a user without the required second factor to its page", async () => {
		await open({
			"GET /tenant/login-options": json({ ...loginOptions, secondFactorRequired: true }),
			[SESSION]: json(null),
			"GET /tenant/current": refuse(403, "SECOND_FACTOR_REQUIRED", "Second factor required"),
		});
		expect(await findByRole("heading", "Set up a second step")).toBeTruthy();
		expect(location.pathname).toBe("/t/acme/second-factor");
	});

	test("leads an owner to the pages of the tenant's administrators", async () => {
		await open({ "GET /tenant/permissions": json(permissionsOf("owner")) });
		const link = await findByRole("link", "Manage Acme");
		expect(link.getAttribute("href")).toBe("/t/acme/admin");
	});

	test("has no link to these pages for a member", async () => {
		const server = await open();
		await until(() => server.sent("GET /tenant/permissions").length > 0);
		await pass(10);
		expect(allByRole("link", "Manage Acme")).toEqual([]);
	});

	test("leads back to the app that sent the user", async () => {
		const app = "https://app.example/start";
		await openTenantPage(`/account?callbackURL=${encodeURIComponent(app)}`, adasAccount, {
			"callback-url": app,
		});
		const link = await findByRole("link", "Back to app.example");
		expect(link.getAttribute("href")).toBe(app);
	});

	test("has passkeys where the tenant allows them", async () => {
		await open({
			"GET /tenant/login-options": json({ ...loginOptions, methods: ["password", "passkey"] }),
			"GET /passkey/list-user-passkeys": list([]),
		});
		expect(await findByRole("region", "Passkeys")).toBeTruthy();
	});

	test("signs the user out, and shows nothing of the account any more", async () => {
		const server = await open({ "POST /sign-out": json({ success: true }) });
		await click("Sign out");
		expect(await findByRole("heading", "Sign in")).toBeTruthy();
		expect(document.body.textContent).not.toContain("ada@acme.example");
		expect(server.sent("POST /sign-out")).toHaveLength(1);
	});

	test("says so if the user could not be signed out", async () => {
		await open({ "POST /sign-out": offline() });
		await click("Sign out");
		await findTexts("Could not reach the server.");
		expect(byRole("heading", "Account")).toBeTruthy();
	});
});
