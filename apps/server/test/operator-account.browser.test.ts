import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { services } from "../../../testing/services";
import { checkPage, useChromium } from "./chromium";
import { enterConsole, typePassword, waitForToast } from "./console-driver";
import { codeOf, operatorPassword as password } from "./operator-accounts";
import { type PagesServer, runningPages } from "./running-pages";
import { asManager } from "./running-service";

const email = "grace@example.com";

/** Makes an operator who has chosen a password. */
async function newOperator(server: PagesServer, role: string): Promise<void> {
	const path = "/api/auth/operator/create";
	const body = { email, role, name: "Grace" };
	const { url } = await server.call<{ url: string }>(path, asManager, body);
	const token = new URL(url).searchParams.get("token");
	await server.call("/api/auth/reset-password", {}, { token, newPassword: password });
}

async function enter(page: Page): Promise<void> {
	await page.goto("/console");
	await typePassword(page, email);
	await page.getByRole("heading", { name: "Overview" }).waitFor();
}

const card = (page: Page, title: string) => page.getByRole("region", { name: title });

describe.skipIf(!services.browser)("the account of an operator in Chromium", () => {
	const open = useChromium();
	const look = async (page: Page, name: string) =>
		expect(await checkPage(page, `operator-account-${name}`)).toEqual([]);

	test("an auditor changes their own name and password", async () => {
		const server = await runningPages();
		await newOperator(server, "auditor");
		const { page, problems } = await open(server.baseUrl);
		const { page: elsewhere } = await open(server.baseUrl);
		await enter(elsewhere);
		await enter(page);
		await page.getByTitle("Your account").first().click();
		await page.getByRole("heading", { name: "Your account" }).waitFor();
		await card(page, "Second factor").getByText("Not set up").waitFor();
		await look(page, "page");

		const save = page.getByRole("button", { name: "Save name" });
		await expect.poll(() => save.isDisabled()).toBe(true);
		await page.getByLabel("Name", { exact: true }).fill("Grace Hopper");
		await save.click();
		await waitForToast(page, "Name saved.");

		const current = page.getByLabel("Current password", { exact: true });
		const next = page.getByLabel("New password", { exact: true });
		await current.fill("wrong");
		await next.fill("another long password");
		// By keyboard.
		await next.press("Enter");
		await page.getByText("The password is wrong").waitFor();
		await expect.poll(() => current.getAttribute("aria-invalid")).toBe("true");
		await look(page, "wrong-password");
		await current.fill(password);
		await next.press("Enter");
		await waitForToast(page, "Password changed.");
		await expect.poll(() => current.inputValue()).toBe("");

		await elsewhere.reload();
		await elsewhere.getByRole("button", { name: "Sign in" }).waitFor();
		await page.reload();
		await page.getByLabel("Name", { exact: true }).waitFor();
		await expect
			.poll(() => page.getByLabel("Name", { exact: true }).inputValue())
			.toBe("Grace Hopper");
		await page.goto("/console/audit");
		const table = page.getByRole("table");
		await table.getByText("Operator changed their own password").first().waitFor();
		await table.getByText("Operator changed their own name").first().waitFor();
		expect(problems).toEqual([]);
	});

	test("an operator sets up a second factor, gets new codes, and replaces it", async () => {
		const server = await runningPages();
		await newOperator(server, "support");
		const { page, problems } = await open(server.baseUrl);
		await enter(page);
		await page.goto("/console/account");
		const dialog = page.getByRole("dialog");
		const shownSecret = () => dialog.locator("p.with-button code").innerText();
		const factor = card(page, "Second factor");

		await factor.getByRole("button", { name: "Set up a second factor" }).click();
		await dialog.getByLabel("Password", { exact: true }).fill("wrong");
		await page.keyboard.press("Enter");
		await dialog.getByText("The password is wrong").waitFor();
		await look(page, "confirm");
		await dialog.getByLabel("Password", { exact: true }).fill(password);
		await page.keyboard.press("Enter");
		await dialog.getByRole("img", { name: "QR code" }).waitFor();
		await look(page, "set-up");
		const first = await shownSecret();
		await dialog.getByLabel("3. Enter the code").fill("000000");
		await dialog.getByRole("button", { name: "Finish" }).click();
		await dialog.getByText("The code is wrong").waitFor();
		await dialog.getByLabel("3. Enter the code").fill(codeOf(first));
		await dialog.getByRole("button", { name: "Finish" }).click();
		await waitForToast(page, "The second factor is set up.");
		await factor.getByText("10 recovery codes are left.").waitFor();
		await look(page, "with-factor");

		await factor.getByRole("button", { name: "New recovery codes" }).click();
		await dialog.getByLabel("Password", { exact: true }).fill(password);
		await dialog.getByRole("button", { name: "Create codes" }).click();
		const codes = (await dialog.locator(".recovery-codes").innerText()).split(/\s+/);
		expect(codes).toHaveLength(10);
		await look(page, "codes");
		await dialog.getByRole("button", { name: "Done" }).click();
		await dialog.waitFor({ state: "detached" });
		expect(await page.content()).not.toContain(codes[0]);

		// Escape changes nothing: the first app still works.
		await factor.getByRole("button", { name: "Replace the authenticator app" }).click();
		await dialog.getByLabel("Password", { exact: true }).fill(password);
		await page.keyboard.press("Enter");
		await dialog.getByText("the old app and the old recovery codes do not work").waitFor();
		await look(page, "replace");
		await page.keyboard.press("Escape");
		await page.getByRole("button", { name: "Sign out", exact: true }).first().click();
		await typePassword(page, email);
		await page.getByLabel("Code", { exact: true }).fill(codeOf(first));
		await page.getByRole("button", { name: "Continue" }).click();
		await page.getByRole("button", { name: "Sign out", exact: true }).first().waitFor();

		await page.goto("/console/account");
		await factor.getByRole("button", { name: "Replace the authenticator app" }).click();
		await dialog.getByLabel("Password", { exact: true }).fill(password);
		await page.keyboard.press("Enter");
		await dialog.getByRole("img", { name: "QR code" }).waitFor();
		const second = await shownSecret();
		expect(second).not.toBe(first);
		await dialog.getByLabel("3. Enter the code").fill(codeOf(second));
		await dialog.getByRole("button", { name: "Finish" }).click();
		await waitForToast(page, "The second factor is set up.");
		await page.getByRole("button", { name: "Sign out", exact: true }).first().click();
		await typePassword(page, email);
		await page.getByLabel("Code", { exact: true }).fill(codeOf(second));
		await page.getByRole("button", { name: "Continue" }).click();
		await page.getByRole("button", { name: "Sign out", exact: true }).first().waitFor();
		expect(problems).toEqual([]);
	});

	test("an operator ends own sessions, one or all others", async () => {
		const server = await runningPages();
		await newOperator(server, "operator");
		const others = await Promise.all([1, 2, 3].map(() => open(server.baseUrl)));
		for (const other of others) await enter(other.page);
		const { page, problems } = await open(server.baseUrl);
		await enter(page);
		// By keyboard, through the search for pages.
		await page.keyboard.press("Control+k");
		await page.keyboard.type("your acc");
		await page.getByRole("option", { name: "Your account" }).waitFor();
		await page.keyboard.press("Enter");
		const sessions = card(page, "Sessions");
		const items = sessions.getByRole("listitem");
		await items.nth(3).waitFor();
		await expect.poll(() => items.first().innerText()).toContain("This session");
		await look(page, "sessions");
		await items.nth(1).getByRole("button").focus();
		await page.keyboard.press("Enter");
		await waitForToast(page, "Session ended.");
		await items.nth(3).waitFor({ state: "detached" });
		await sessions.getByRole("button", { name: "Sign out everywhere else" }).click();
		await waitForToast(page, "You are signed out everywhere else.");
		await items.nth(1).waitFor({ state: "detached" });
		await expect.poll(() => items.count()).toBe(1);
		for (const other of others) {
			await other.page.reload();
			await other.page.getByRole("button", { name: "Sign in" }).waitFor();
		}
		await page.reload();
		await items.first().waitFor();
		expect(problems).toEqual([]);
	});

	test("somebody with a key has no account", async () => {
		const server = await runningPages();
		const { page, problems } = await open(server.baseUrl);
		await enterConsole(page, "/console/account");
		await page.getByText("A key has no account").waitFor();
		await expect.poll(() => page.getByTitle("Your account").count()).toBe(0);
		await look(page, "key");
		expect(problems).toEqual([]);
	});
});
