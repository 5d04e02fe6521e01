import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { services } from "../../../testing/services";
import { inspect, useChromium } from "./chromium";
import { runningPages } from "./running-pages";
import { asManager, managementKey } from "./running-service";
import { temporaryDirectory } from "./temporary-directory";

const password = "correct horse battery";

const post = async (baseUrl: string, path: string, body: object, headers: object = asManager) => {
	const response = await fetch(`${baseUrl}/api/auth${path}`, {
		method: "POST",
		headers: { "content-type": "application/json", ...headers },
		body: JSON.stringify(body),
	});
	return response.json();
};

/** The switch between the ways in has the same name. */
const keyField = (page: Page) => page.getByLabel("Management key").and(page.locator(".control"));

async function signIn(page: Page, path = "/console") {
	await page.goto(path);
	await keyField(page).fill(managementKey);
	await page.getByRole("button", { name: "Continue" }).click();
	await page.getByRole("button", { name: "Sign out" }).waitFor();
}

const toast = (page: Page, text: string) => page.locator(".toast", { hasText: text }).waitFor();

/** Types what names the thing into the dialog that asks for it. */
async function confirm(page: Page, word: string, action: string) {
	const dialog = page.getByRole("dialog");
	const button = dialog.getByRole("button", { name: action });
	expect(await button.isDisabled()).toBe(true);
	await dialog.getByRole("textbox").fill(word);
	await button.click();
}

// Each looks at several pages, four times each.
describe.skipIf(!services.browser)("the console in Chromium", { timeout: 120_000 }, () => {
	const open = useChromium();

	test("takes a management key, keeps it in the tab only, and forgets it at the end", async () => {
		const server = await runningPages();
		const { page, problems } = await open(server.baseUrl);
		await page.goto("/console/tenants");
		await keyField(page).fill("not a key of this service");
		await page.getByRole("button", { name: "Continue" }).click();
		await page.getByText("This is no management key of this service.").waitFor();
		expect(await inspect(page, "console-sign-in")).toEqual([]);

		await signIn(page, "/console/tenants");
		await page.getByText("There are no tenants yet").waitFor();
		expect(await page.evaluate("JSON.stringify([localStorage, document.cookie])")).not.toContain(
			managementKey,
		);
		const otherTab = await page.context().newPage();
		await otherTab.goto("/console");
		await keyField(otherTab).waitFor();

		await page.getByRole("button", { name: "Sign out" }).click();
		await keyField(page).waitFor();
		expect(await page.evaluate("sessionStorage.length")).toBe(0);
		expect(problems).toEqual([]);
	});

	test("lets an administrator in, and tells another user what is missing", async () => {
		const DATA_DIR = temporaryDirectory();
		const first = await runningPages({ DATA_DIR });
		const signUp = (email: string) =>
			post(first.baseUrl, "/sign-up/email", { name: "Root", email, password }, {});
		const { user } = await signUp("root@example.com");
		const other = await signUp("guest@example.com");
		const server = await runningPages({ DATA_DIR, ADMIN_USER_IDS: user.id });
		const { page, problems } = await open(server.baseUrl);
		const signInAs = async (email: string) => {
			await page.getByText("Administrator", { exact: true }).click();
			await page.getByLabel("E-mail address").fill(email);
			await page.getByLabel("Password", { exact: true }).fill(password);
			await page.getByRole("button", { name: "Sign in" }).click();
		};
		await page.goto("/console");
		await signInAs("guest@example.com");
		await page.getByText("who is no platform administrator").waitFor();
		await page.getByText(other.user.id).waitFor();
		expect(await inspect(page, "console-no-administrator")).toEqual([]);
		await page.getByRole("button", { name: "Sign out" }).click();
		await page.getByText("who is no platform administrator").waitFor({ state: "detached" });

		await signInAs("root@example.com");
		await page.getByRole("heading", { name: "Overview" }).waitFor();
		await page.getByText("root@example.com").waitFor();
		expect(problems).toEqual([]);
	});

	test("creates a tenant with a checked slug, changes, suspends, resumes and deletes it", async () => {
		const server = await runningPages();
		await server.newTenant("globex", "Globex");
		const { page, problems } = await open(server.baseUrl);
		await signIn(page, "/console/tenants");

		await page.getByRole("link", { name: "New tenant" }).click();
		const slug = page.getByLabel("Slug");
		await page.getByLabel("Name").fill("Globex");
		await page.getByText("“globex” is taken.").first().waitFor();
		await slug.fill("Not A Slug");
		await page.getByText("A slug has no capital letters.").first().waitFor();
		await slug.fill("admin");
		await page.getByText("“admin” is reserved.").first().waitFor();
		await page.getByLabel("Name").fill("Acme");
		await slug.fill("acme");
		await page.getByText("“acme” is free.").waitFor();
		await page.getByRole("button", { name: "Create tenant" }).click();
		await page.getByRole("heading", { name: "Acme", exact: true }).waitFor();

		await page.getByRole("link", { name: "Settings" }).click();
		const metadata = page.getByRole("textbox", { name: "Metadata" });
		await metadata.fill('{\n  "plan": "business",\n  oops\n}');
		await page.getByRole("button", { name: "Line 3, column 3" }).waitFor();
		const save = page.getByRole("button", { name: "Save metadata" });
		expect(await save.isDisabled()).toBe(true);
		expect(await inspect(page, "console-metadata-error")).toEqual([]);
		await metadata.fill('{ "since": "2026-01-01T00:00:00Z" }');
		await save.click();
		await toast(page, "Saved.");
		await page.getByLabel("Tagline").fill("Everything for coyotes");
		await page.getByRole("button", { name: "Save branding" }).click();
		await expect.poll(() => metadata.inputValue(), { timeout: 20_000 }).toContain("coyotes");
		// A text that looks like a moment stays as it was written.
		expect(await metadata.inputValue()).toContain('"2026-01-01T00:00:00Z"');

		await page.getByRole("button", { name: "Suspend" }).click();
		await confirm(page, "acme", "Suspend tenant");
		await page.getByText("Suspended since").waitFor();
		expect(await inspect(page, "console-suspended")).toEqual([]);
		await page.getByRole("button", { name: "Resume" }).click();
		await page.getByText("Suspended since").waitFor({ state: "detached" });

		await page.getByRole("button", { name: "Delete", exact: true }).click();
		expect(await inspect(page, "console-delete-tenant")).toEqual([]);
		await confirm(page, "acme", "Delete tenant");
		await page.getByRole("heading", { name: "Tenants" }).waitFor();
		await page.getByRole("link", { name: "Globex" }).waitFor();
		expect(await page.getByRole("link", { name: "Acme" }).count()).toBe(0);
		expect(problems).toEqual([]);
	});

	test("finds a tenant among many, page by page", async () => {
		const server = await runningPages();
		for (let number = 1; number <= 51; number += 1) {
			await server.newTenant(`customer-${number}`, `Customer ${number}`);
		}
		const { page } = await open(server.baseUrl);
		await signIn(page, "/console/tenants");
		await page.getByText("1–50 of 51 tenants").waitFor();
		await page.getByRole("button", { name: "Next" }).click();
		await page.getByText("51–51 of 51 tenants").waitFor();
		await page.reload();
		await page.getByText("51–51 of 51 tenants").waitFor();
		const search = page.getByRole("searchbox", { name: "Search by name or slug" });
		await search.fill("customer-17");
		await page.getByText("1–1 of 1 tenants").waitFor();
		// The focus stays where one types.
		expect(await search.evaluate((box) => box === box.ownerDocument.activeElement)).toBe(true);
		await search.fill("nobody");
		await page.getByText("No tenants match “nobody”").waitFor();
		expect(await inspect(page, "console-nothing-found")).toEqual([]);
	});

	test("says when a list cannot be loaded, and tries again", async () => {
		const server = await runningPages();
		await server.newTenant("acme", "Acme");
		const { page } = await open(server.baseUrl);
		await signIn(page);
		const refuse = { status: 400, json: { code: "VALIDATION_ERROR", message: "Not now" } };
		await page.route("**/tenant/list?*", (route) => route.fulfill(refuse));
		await page.getByRole("link", { name: "Tenants" }).first().click();
		await page.getByRole("alert").getByText("Not now").waitFor();
		expect(await inspect(page, "console-error")).toEqual([]);
		await page.unroute("**/tenant/list?*");
		await page.getByRole("button", { name: "Try again" }).click();
		await page.getByRole("link", { name: "Acme" }).waitFor();
	});

	test("sets a provider up, tests it, replaces and deletes its credentials", async () => {
		const server = await runningPages({ GITHUB_CLIENT_ID: "hosts", GITHUB_CLIENT_SECRET: "x" });
		const tenantId = await server.newTenant("acme", "Acme");
		const { page, problems } = await open(server.baseUrl);
		await signIn(page, `/console/tenants/${tenantId}/providers`);
		await page.getByText("The tenant has no client of its own").waitFor();

		await page.getByRole("button", { name: "Set up GitLab" }).click();
		const dialog = page.getByRole("dialog");
		await dialog.getByLabel("Client ID").fill("client-of-acme");
		await dialog.getByLabel("Client secret", { exact: true }).fill("a secret of acme");
		await dialog.getByLabel("Issuer").fill("http://127.0.0.1");
		await dialog.getByRole("button", { name: "Store credentials" }).click();
		await dialog.getByRole("alert").waitFor();
		expect(await inspect(page, "console-credentials")).toEqual([]);
		await dialog.getByLabel("Issuer").fill("");
		await dialog.getByRole("button", { name: "Store credentials" }).click();
		await page.getByText("client-of-acme").waitFor();
		await page.getByText("/api/auth/tenant/callback/gitlab").first().waitFor();

		await page.getByRole("button", { name: "Test GitLab" }).click();
		await dialog.getByText("gitlab.com").waitFor();
		const link = dialog.getByRole("link", { name: "Sign in in a new tab" });
		const address = new URL((await link.getAttribute("href")) ?? "");
		expect(address.searchParams.get("client_id")).toBe("client-of-acme");
		expect(await inspect(page, "console-test-provider")).toEqual([]);
		await page.keyboard.press("Escape");

		await page.getByRole("button", { name: "Replace credentials for GitLab" }).click();
		expect(await dialog.getByLabel("Client secret", { exact: true }).inputValue()).toBe("");
		await dialog.getByLabel("Client ID").fill("second-client");
		await dialog.getByLabel("Client secret", { exact: true }).fill("another secret");
		await dialog.getByRole("button", { name: "Store credentials" }).click();
		await page.getByText("second-client").waitFor();
		const use = page.getByRole("switch", { name: "Use the tenant's client for GitLab" });
		await use.click();
		await page.getByText("The tenant's client is switched off").waitFor();
		await use.click();
		await page.getByText("Sign-in uses the client that is registered").waitFor();
		expect(await inspect(page, "console-providers")).toEqual([]);

		await page.getByRole("button", { name: "Delete the credentials for GitLab" }).click();
		await confirm(page, "acme", "Delete credentials");
		await page.getByRole("button", { name: "Set up GitLab" }).waitFor();
		expect(await page.content()).not.toMatch(/a secret of acme|another secret/);
		expect(problems).toEqual([]);
	});

	test("shows a tenant's users and sessions, and leaves the same address elsewhere alone", async () => {
		const server = await runningPages();
		const [acme, globex] = [
			await server.newTenant("acme", "Acme"),
			await server.newTenant("globex", "Globex"),
		];
		await server.signUp(acme, "ada@example.com", password);
		await server.signUp(globex, "ada@example.com", password);
		const { page, problems } = await open(server.baseUrl);
		await signIn(page, `/console/tenants/${acme}/users`);
		await page.getByText("1–1 of 1 users").waitFor();
		expect(await inspect(page, "console-users")).toEqual([]);
		await page.getByRole("link", { name: "Sessions" }).click();
		await page.getByText("1–1 of 1 sessions").waitFor();
		expect(await inspect(page, "console-sessions")).toEqual([]);

		await page.getByRole("link", { name: "ada@example.com" }).click();
		await page.getByText("Password", { exact: true }).waitFor();
		expect(await inspect(page, "console-user")).toEqual([]);
		await page.getByRole("button", { name: "Send mail" }).click();
		await toast(page, "The mail to ada@example.com is on its way.");
		expect(await server.mailedLink("ada@example.com")).toContain("reset-password");

		await page.getByRole("button", { name: /^End the session of ada/ }).click();
		await confirm(page, "ada@example.com", "End session");
		await page.getByText("Not signed in anywhere").waitFor();
		await page.getByRole("button", { name: "Delete", exact: true }).click();
		await confirm(page, "ada@example.com", "Delete user");
		await page.getByText("Nobody has signed up yet").waitFor();

		await page.goto(`/console/tenants/${globex}/users`);
		await page.getByText("1–1 of 1 users").waitFor();
		await page.goto(`/console/tenants/${globex}/sessions`);
		await page.getByText("1–1 of 1 sessions").waitFor();
		expect(problems).toEqual([]);
	});

	test("has an overview, an audit log with filters, and the outbox", async () => {
		const server = await runningPages();
		const acme = await server.newTenant("acme", "Acme", { primaryColor: "#0f766e" });
		const { user } = await server.signUp(acme, "ada@example.com", password);
		await post(server.baseUrl, "/tenant/sign-in/email", {
			tenantId: acme,
			email: "ada@example.com",
			password: "wrong",
		});
		await post(server.baseUrl, "/tenant/user/send-password-reset", {
			tenantId: acme,
			userId: user.id,
		});
		const { page, problems } = await open(server.baseUrl);
		await signIn(page);
		await page.getByText("1 in 30 days").first().waitFor();
		await page.getByText("Numbers of Failed sign-ins").click();
		expect(await inspect(page, "console-overview")).toEqual([]);

		await page.getByRole("link", { name: "Audit log" }).click();
		await page.getByText("1–2 of 2 events").waitFor();
		expect(await inspect(page, "console-audit")).toEqual([]);
		await page.getByLabel("What was done").selectOption("Sent a password reset");
		await page.getByText("1–1 of 1 events").waitFor();
		await page.getByLabel("To", { exact: true }).fill("2020-01-01");
		await page.getByText("No event matches these filters").waitFor();
		await page.getByRole("button", { name: "Clear the filters" }).click();
		await page.getByText("1–2 of 2 events").waitFor();

		await page.getByRole("link", { name: "Outbox" }).click();
		await page.getByText("To ada@example.com").waitFor();
		expect(await inspect(page, "console-outbox")).toEqual([]);
		expect(problems).toEqual([]);
	});

	test("has no serious barrier on the pages that are left", async () => {
		const server = await runningPages();
		const acme = await server.newTenant("acme", "Acme");
		const { page, problems } = await open(server.baseUrl);
		await signIn(page);
		for (const [name, path, text] of [
			["tenants", "/console/tenants", "1–1 of 1 tenants"],
			["new-tenant", "/console/tenants/new", "Create tenant"],
			["tenant", `/console/tenants/${acme}`, "Sign-in page"],
			["settings", `/console/tenants/${acme}/settings`, "Save branding"],
			["tenant-audit", `/console/tenants/${acme}/audit`, "1–1 of 1 events"],
			["no-tenant", "/console/tenants/nobody", "This tenant cannot be shown"],
			["nowhere", "/console/nowhere", "There is nothing at this address"],
		] as const) {
			await page.goto(path);
			await page.getByText(text).first().waitFor();
			expect(await inspect(page, `console-${name}`)).toEqual([]);
		}
		expect(problems).toEqual([]);
	});
});
