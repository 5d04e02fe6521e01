// @vitest-environment happy-dom
import { describe, expect, test } from "vitest";
import { json, list, never, offline, refuse } from "../support/answers";
import type { Handlers } from "../support/fake-server";
import { permissionsOf } from "../support/fixtures/admins";
import { openAdminPage } from "../support/open-admin-page";
import { allByRole, byRole, findByRole, findTexts, isBusy } from "../support/screen";
import { pass, until } from "../support/time";
import { click } from "../support/user";

const PERMISSIONS = "GET /tenant/permissions";

const OVERVIEW: Handlers = {
	"GET /tenant/user/list": list([]),
	"GET /tenant/session/list": list([]),
	"GET /tenant/oauth-config/effective": json([]),
};

const open = (handlers: Handlers) => openAdminPage("/", { ...OVERVIEW, ...handlers });

describe("the pages of a tenant's administrators", () => {
	test("say that they load, and show nothing of the tenant yet", async () => {
		const server = await open({ [PERMISSIONS]: never() });
		await until(() => server.sent(PERMISSIONS).length > 0);
		await pass(10);
		expect(isBusy()).toBe(true);
		expect(allByRole("navigation")).toEqual([]);
	});

	test("show an owner the pages of the tenant", async () => {
		await open({});
		expect(await findByRole("link", "Webhooks")).toBeTruthy();
	});

	test("say why they could not load, and load again when the user asks for it", async () => {
		const server = await open({ [PERMISSIONS]: offline() });
		await findTexts("Could not reach the server.");
		server.answer({ [PERMISSIONS]: json(permissionsOf("owner")) });
		await click("Try again");
		expect(await findByRole("link", "Webhooks")).toBeTruthy();
	});

	test("say so to a member, who may manage nothing", async () => {
		await open({ [PERMISSIONS]: json(permissionsOf("member")) });
		await findTexts("You may not manage Acme");
		expect(allByRole("navigation")).toEqual([]);
	});

	test("lead somebody who is not signed in to the sign-in page, and back", async () => {
		await open({ [PERMISSIONS]: refuse(401, "UNAUTHORIZED", "Unauthorized") });
		await until(() => location.pathname === "/t/acme/sign-in");
		expect(`${location.pathname}${location.search}`).toBe(
			"/t/acme/sign-in?callbackURL=%2Ft%2Facme%2Fadmin%2F",
		);
	});

	test("say so if the session ends while a page is open", async () => {
		const server = await openAdminPage("/users", { ...OVERVIEW });
		await findTexts("No users yet");
		server.answer({
			"GET /tenant/session/list": refuse(401, "TENANT_MANAGEMENT_NOT_ALLOWED", "Not allowed"),
			[PERMISSIONS]: refuse(401, "UNAUTHORIZED", "Unauthorized"),
		});
		await click(byRole("link", "Sessions"));
		await findTexts("Your session has ended", "Sign in again");
		// The page stays behind the dialog.
		expect(byRole("link", "Sessions")).toBeTruthy();
		const link = await findByRole("link", "Sign in again");
		expect([link.getAttribute("target"), link.getAttribute("href")]).toEqual([
			"_blank",
			"/t/acme/sign-in?callbackURL=%2Ft%2Facme%2Fadmin%2Fsessions",
		]);
		server.answer({ [PERMISSIONS]: json(permissionsOf("owner")) });
		await click("I have signed in");
		await until(() => allByRole("link", "Sign in again").length === 0);
	});

	test("say that a suspended tenant is suspended", async () => {
		await openAdminPage(
			"/",
			{ "GET /tenant/login-options": refuse(403, "TENANT_SUSPENDED", "Suspended") },
			{ "suspended-tenant": JSON.stringify({ name: "Acme", branding: {} }) },
		);
		await findTexts("Acme is suspended");
	});
});
