import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { services } from "../../../testing/services";
import { checkPage, useChromium } from "./chromium";
import { confirm, enterConsole, typePassword, waitForToast } from "./console-driver";
import { codeOf, operatorPassword } from "./operator-accounts";
import { type PagesServer, runningPages } from "./running-pages";
import { asManager } from "./running-service";

type Link = { url: string; operator: { id: string } };

const invite = (server: PagesServer, email: string, role: string) =>
	server.call<Link>("/api/auth/operator/create", asManager, { email, role });

async function choosePassword(page: Page, url: string): Promise<void> {
	await page.goto(url);
	await page.getByLabel("New password", { exact: true }).fill(operatorPassword);
	await page.getByRole("button", { name: "Save password" }).click();
	await page.getByRole("link", { name: "Sign in" }).click();
}

/** Sets up the second factor, and returns its secret. */
async function setUpSecondFactor(page: Page): Promise<string> {
	const secret = await page.locator("p.with-button code").innerText();
	await page.getByLabel("3. Enter the code").fill(codeOf(secret));
	await page.getByRole("button", { name: "Finish" }).click();
	await page.getByRole("heading", { name: "Overview" }).waitFor();
	return secret;
}

describe.skipIf(!services.browser)("operators in Chromium", () => {
	const open = useChromium();
	const look = async (page: Page, name: string) =>
		expect(await checkPage(page, `operators-${name}`)).toEqual([]);

	test("an invited operator sets up a second factor, signs in with it, and stays in all tabs", async () => {
		const server = await runningPages({ REQUIRE_OPERATOR_SECOND_FACTOR: "true" });
		const { url } = await invite(server, "grace@example.com", "owner");
		const { page, problems } = await open(server.baseUrl);
		await page.goto(url);
		await page.getByRole("heading", { name: "Choose a password" }).waitFor();
		await look(page, "new-password");
		await choosePassword(page, url);
		await typePassword(page, "grace@example.com");
		await page.getByRole("img", { name: "QR code" }).waitFor();
		await look(page, "second-factor");
		// After a reload, the page asks for the password again.
		await page.reload();
		await page.getByText("Confirm your password").waitFor();
		await look(page, "second-factor-password");
		await page.getByLabel("Password", { exact: true }).fill(operatorPassword);
		await page.getByRole("button", { name: "Continue" }).click();
		const secret = await setUpSecondFactor(page);
		await page.getByText("grace@example.com").first().waitFor();

		const otherTab = await page.context().newPage();
		await otherTab.goto("/console/operators");
		await otherTab.getByRole("heading", { name: "Operators" }).waitFor();
		await otherTab.close();

		await page.getByRole("button", { name: "Sign out" }).click();
		await typePassword(page, "grace@example.com");
		const code = page.getByLabel("Code", { exact: true });
		await code.fill("000000");
		await page.getByRole("button", { name: "Continue" }).click();
		await page
			.getByText(/invalid/i)
			.first()
			.waitFor();
		await look(page, "code");
		await code.fill(codeOf(secret));
		await page.getByRole("button", { name: "Continue" }).click();
		await page.getByRole("heading", { name: "Overview" }).waitFor();

		await page.goto(url);
		await page.getByRole("heading", { name: "This link no longer works" }).waitFor();
		await expect.poll(() => page.getByLabel("New password", { exact: true }).count()).toBe(0);
		await look(page, "used-link");
		expect(problems).toEqual([]);
	});

	test("a recovery code replaces the app", async () => {
		const server = await runningPages({ REQUIRE_OPERATOR_SECOND_FACTOR: "true" });
		const { url } = await invite(server, "grace@example.com", "auditor");
		const { page, problems } = await open(server.baseUrl);
		await choosePassword(page, url);
		await typePassword(page, "grace@example.com");
		const codes = await page.locator(".recovery-codes").innerText();
		await setUpSecondFactor(page);
		await page.getByRole("button", { name: "Sign out" }).click();
		await typePassword(page, "grace@example.com");
		await page.getByRole("button", { name: "Use a recovery code" }).click();
		await page.getByLabel("Recovery code").fill(codes.split(/\s+/)[0] ?? "");
		await page.getByRole("button", { name: "Continue" }).click();
		await page.getByRole("heading", { name: "Overview" }).waitFor();
		expect(problems).toEqual([]);
	});

	test("an owner invites, changes, resets and removes operators", async () => {
		const server = await runningPages();
		await invite(server, "ada@example.com", "owner");
		const { page, problems } = await open(server.baseUrl);
		await enterConsole(page, "/console/operators");
		const dialog = page.getByRole("dialog");
		await page.getByRole("button", { name: "Invite operator" }).click();
		await dialog.getByLabel("Email", { exact: true }).fill("grace@example.com");
		await dialog.getByLabel("Name", { exact: true }).fill("Grace Hopper");
		await dialog.getByLabel("Role").selectOption("support");
		await look(page, "invite");
		await dialog.getByRole("button", { name: "Invite", exact: true }).click();
		await dialog.getByText("/console/new-password?token=").waitFor();
		await look(page, "link");
		await dialog.getByRole("button", { name: "Done" }).click();
		await page.getByText("Grace Hopper").waitFor();
		await look(page, "list");

		await page.getByRole("button", { name: "Change role of grace@example.com" }).click();
		await dialog.getByLabel("Role").selectOption("auditor");
		await look(page, "role");
		await dialog.getByRole("button", { name: "Save role" }).click();
		await waitForToast(page, "The role of grace@example.com is now Auditor.");
		await page.getByRole("button", { name: "New link for grace@example.com" }).click();
		await dialog.getByRole("button", { name: "Create link" }).click();
		await dialog.getByText("/console/new-password?token=").waitFor();
		await dialog.getByRole("button", { name: "Done" }).click();

		await page.getByRole("button", { name: "Remove ada@example.com" }).click();
		await dialog.getByRole("textbox").fill("ada@example.com");
		await dialog.getByRole("button", { name: "Remove operator" }).click();
		await dialog.getByText("This is the last owner").waitFor();
		await look(page, "remove-last");
		await page.keyboard.press("Escape");
		await page.getByRole("button", { name: "Remove grace@example.com" }).click();
		await confirm(page, "grace@example.com", "Remove operator");
		await waitForToast(page, "grace@example.com was removed.");
		await expect.poll(() => page.getByText("Grace Hopper").count()).toBe(0);

		await page.goto("/console/audit");
		await page.getByRole("table").getByText("Operator removed").first().waitFor();
		expect(problems).toEqual([]);
	});

	test("an owner creates a key, sees it once, and revokes it", async () => {
		const server = await runningPages();
		const tenant = await server.newTenant("Acme");
		const { page, problems } = await open(server.baseUrl);
		await enterConsole(page, "/console/keys");
		const dialog = page.getByRole("dialog");
		await page.getByRole("button", { name: "New key" }).click();
		await dialog.getByLabel("Name").fill("Deploy");
		await dialog.getByLabel("May do").selectOption({ label: "Single actions" });
		await dialog.getByRole("button", { name: "Create key" }).click();
		await dialog.getByText("Choose at least one action.").waitFor();
		await expect.poll(() => dialog.getByLabel("key:create").count()).toBe(0);
		await dialog.getByLabel("tenant:get").check();
		await dialog.getByLabel("user:list").check();
		await look(page, "new-key");
		await dialog.getByRole("button", { name: "Tenant: All tenants" }).click();
		const search = dialog.getByRole("combobox", { name: "Search tenants by name or slug" });
		await search.fill("nobody");
		await dialog.getByText("No tenants found").waitFor();
		// It must not send the form.
		await search.press("Enter");
		await search.fill(tenant.slug);
		await look(page, "new-key-tenant");
		await dialog.getByRole("option", { name: "Acme" }).click();
		await dialog.getByRole("button", { name: "Tenant: Acme" }).waitFor();
		await dialog.getByRole("button", { name: "Create key" }).click();
		const key = await dialog.locator("p.with-button code").innerText();
		await look(page, "created-key");
		const headers = { authorization: `Bearer ${key}` };
		const list = `/api/auth/tenant/user/list?tenantId=${tenant.id}`;
		expect(await server.call(list, headers)).toEqual([]);
		await dialog.getByRole("button", { name: "Done" }).click();
		await page.reload();
		await page.getByText("user:list").waitFor();
		expect(await page.content()).not.toContain(key);
		await look(page, "keys");
		await page.getByRole("button", { name: "Revoke Deploy" }).click();
		await confirm(page, "Deploy", "Revoke key");
		await page.getByText("No keys yet").waitFor();
		await expect(server.call(list, headers)).rejects.toThrow("403");
		expect(problems).toEqual([]);
	});

	test("support sees neither operators nor keys nor the audit log", async () => {
		const server = await runningPages();
		const { url } = await invite(server, "sam@example.com", "support");
		const { page, problems } = await open(server.baseUrl);
		await choosePassword(page, url);
		await typePassword(page, "sam@example.com");
		await page.getByRole("heading", { name: "Overview" }).waitFor();
		const links = page.getByRole("navigation", { name: "Console" }).getByRole("link");
		await expect.poll(() => links.allInnerTexts()).toEqual(["Overview", "Tenants", "Find a user"]);
		await page.goto("/console/operators");
		await page.getByRole("alert").waitFor();
		await look(page, "not-allowed");
		expect(problems).toEqual([]);
	});
});
