// @vitest-environment happy-dom
import { describe, expect, test } from "vitest";
import { json, never, offline, refuse } from "../support/answers";
import { loginOptions } from "../support/fixtures/login-options";
import { openServicePage, openTenantPage } from "../support/open-tenant-page";
import { allByRole, byRole, findByRole, findTexts, isBusy, textOf } from "../support/screen";
import { pass, until } from "../support/time";
import { click, type } from "../support/user";

const REQUEST = "GET /tenant/login-options";
const SIGN_IN = "POST /tenant/sign-in/email";

describe("the pages of a tenant", () => {
	test("say that they load, and show nothing of the tenant yet", async () => {
		const server = await openTenantPage("/sign-in", { [REQUEST]: never() });
		await until(() => server.sent(REQUEST).length > 0);
		await pass(10);
		expect(isBusy()).toBe(true);
		expect(allByRole("button", "Sign in")).toEqual([]);
	});

	test("show the brand of the tenant", async () => {
		const server = await openTenantPage("/sign-in", {
			[REQUEST]: json({
				...loginOptions,
				branding: { tagline: "We make anvils", supportEmail: "help@acme.example" },
			}),
		});
		await findTexts("Acme", "We make anvils", "Need help? help@acme.example");
		expect(document.title).toBe("Sign in · Acme");
		expect(server.sent(REQUEST).map(({ query }) => query)).toEqual([{ slug: "acme" }]);
	});

	test("say why they could not load, and load again when the user asks for it", async () => {
		const server = await openTenantPage("/sign-in", { [REQUEST]: offline() });
		await findTexts("Could not load this page", "Could not reach the server.");
		server.answer({ [REQUEST]: json(loginOptions) });
		await click("Try again");
		expect(await findByRole("heading", "Sign in")).toBeTruthy();
	});

	test("say that no tenant has this URL", async () => {
		await openTenantPage("/sign-in", {
			[REQUEST]: refuse(404, "TENANT_NOT_FOUND", "Tenant not found"),
		});
		await findTexts("Organization not found");
		expect(allByRole("button", "Try again")).toEqual([]);
	});

	test("say that the tenant is suspended, under its name if the server knows it", async () => {
		await openTenantPage(
			"/sign-in",
			{ [REQUEST]: refuse(403, "TENANT_SUSPENDED", "Suspended") },
			{ "suspended-tenant": JSON.stringify({ name: "Acme", branding: {} }) },
		);
		await findTexts("Organization suspended", "Nobody can sign in to Acme at the moment.");
		expect(allByRole("button", "Sign in")).toEqual([]);
	});

	test("say so if the tenant is suspended while a page is open", async () => {
		const suspended = refuse(403, "TENANT_SUSPENDED", "Suspended");
		const server = await openTenantPage("/sign-in", { [SIGN_IN]: suspended });
		await type("Email", "ada@acme.example");
		await type("Password", "correct horse");
		server.answer({ [REQUEST]: suspended });
		await click("Sign in");
		await findTexts("Organization suspended", "Nobody can sign in to Acme at the moment.");
		expect(allByRole("button", "Sign in")).toEqual([]);
	});
});

describe("the pages of the service that belong to no tenant", () => {
	test("find the sign-in page of an organization, and lead operators to the console", async () => {
		await openServicePage("/");
		await findTexts("Authentication server", "Enter your email to find the sign-in page");
		expect(byRole("link", "Open the console").getAttribute("href")).toBe("/console");
	});

	test("say that a path does not exist", async () => {
		await openServicePage("/nothing");
		await findTexts("Page not found");
		expect(textOf(byRole("link", "Go to the start page"))).toBeTruthy();
	});
});
