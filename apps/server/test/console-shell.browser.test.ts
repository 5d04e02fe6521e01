import { describe, expect, test } from "vitest";
import { services } from "../../../testing/services";
import { checkPageOnce, useChromium } from "./chromium";
import { enterConsole, selectAll, waitForToast } from "./console-driver";
import { runningPages, usePages } from "./running-pages";

const password = "correct horse battery";

describe.skipIf(!services.browser)("the frame and the lists of the console in Chromium", () => {
	const open = useChromium();
	const pages = usePages();

	test("leads to pages, tenants and users with the keyboard", async () => {
		const server = await pages();
		const acme = await server.newTenant("Palette");
		await server.signUp(acme, "grace@palette.example", password);
		const { page, problems } = await open(server.baseUrl);
		await enterConsole(page);
		const search = page.getByRole("combobox", { name: "Search pages, tenants and users" });
		const go = async (text: string, option: RegExp) => {
			await page.keyboard.press("Control+k");
			await search.fill(text);
			await page.getByRole("option", { name: option }).first().waitFor();
			await expect
				.poll(() => page.locator('[role="option"][aria-selected="true"]').innerText())
				.toMatch(option);
			await page.keyboard.press("Enter");
			await search.waitFor({ state: "detached" });
		};
		await go("audit", /Audit log/);
		await page.getByRole("heading", { name: "Audit log" }).waitFor();
		await go(acme.slug, new RegExp(acme.slug));
		await page.getByRole("heading", { name: "Palette", exact: true }).waitFor();
		await go("grace@pal", /grace@palette.example/);
		await page.getByText("Sign-in methods").waitFor();
		// With a tenant open, its own pages come first.
		await go("sign-ins", /Sign-ins/);
		await expect
			.poll(() => new URL(page.url()).pathname)
			.toBe(`/console/tenants/${acme.id}/sign-ins`);
		await page.keyboard.press("Control+k");
		await search.fill("nothing has this name");
		await page.getByText("Nothing found").waitFor();
		await page.keyboard.press("Escape");
		await search.waitFor({ state: "detached" });
		expect(problems).toEqual([]);
	});

	test("switches to another tenant by name", async () => {
		const server = await pages();
		const first = await server.newTenant("Bluebird");
		const second = await server.newTenant("Northwind");
		const { page, problems } = await open(server.baseUrl);
		await enterConsole(page, `/console/tenants/${first.id}`);
		await page.getByRole("button", { name: "Switch tenant: Bluebird" }).click();
		await page.getByRole("combobox").fill(second.slug);
		await page.getByRole("option", { name: /Northwind/ }).click();
		await page.getByRole("heading", { name: "Northwind", exact: true }).waitFor();
		await page.getByRole("button", { name: "Switch tenant: Northwind" }).waitFor();
		expect(problems).toEqual([]);
	});

	test("asks before changes are lost", async () => {
		const server = await pages();
		const { id } = await server.newTenant("Acme");
		const { page, problems } = await open(server.baseUrl);
		await enterConsole(page, `/console/tenants/${id}/branding`);
		const dialog = page.getByRole("dialog", { name: "Leave without saving?" });
		const away = page.getByRole("link", { name: "Sessions" });
		await page.getByLabel("Tagline").fill("Everything for coyotes");
		await away.click();
		await dialog.getByRole("button", { name: "Cancel" }).click();
		await expect.poll(() => page.getByLabel("Tagline").inputValue()).toBe("Everything for coyotes");
		await away.click();
		await dialog.getByRole("button", { name: "Leave page" }).click();
		await page.getByText("No active sessions").waitFor();

		await page.getByRole("link", { name: "Branding" }).click();
		await page.getByLabel("Tagline").fill("Saved");
		await page.getByRole("button", { name: "Save branding" }).click();
		await waitForToast(page, "Saved.");
		await away.click();
		await page.getByText("No active sessions").waitFor();
		expect(problems).toEqual([]);
	});

	test("has a menu on a phone", async () => {
		const server = await pages();
		const { page, problems } = await open(server.baseUrl);
		await enterConsole(page);
		await page.setViewportSize({ width: 390, height: 844 });
		await page.getByRole("button", { name: "Menu" }).click();
		await page.getByRole("dialog", { name: "Menu" }).getByRole("link", { name: "Tenants" }).click();
		await page.getByRole("heading", { name: "Tenants" }).waitFor();
		await expect.poll(() => page.getByRole("dialog").count()).toBe(0);
		expect(problems).toEqual([]);
	});

	test("writes dates and numbers as the reader's region does", async () => {
		const server = await pages();
		const { id } = await server.newTenant("Acme");
		const { page } = await open(server.baseUrl);
		const context = await page
			.context()
			.browser()
			?.newContext({ baseURL: server.baseUrl, locale: "de-DE" });
		const german = await context?.newPage();
		if (!german) throw new Error("no browser");
		await enterConsole(german, `/console/tenants/${id}`);
		const date = german.getByText(/^\d\d\.\d\d\.\d{4}, \d\d:\d\d$/).first();
		await expect.poll(() => date.isVisible()).toBe(true);
		await context?.close();
	});

	test("shows the newest tenants first, or the oldest, and remembers hidden columns", async () => {
		const server = await runningPages();
		const [first, , last] = [
			await server.newTenant("One"),
			await server.newTenant("Two"),
			await server.newTenant("Three"),
		];
		const { page, problems } = await open(server.baseUrl);
		await enterConsole(page, "/console/tenants");
		const firstRow = page.locator("tbody tr").first();
		await firstRow.getByText(last.slug).waitFor();
		await page.getByRole("button", { name: "Created" }).click();
		await firstRow.getByText(first.slug).waitFor();
		await page.reload();
		await firstRow.getByText(first.slug).waitFor();

		await page.getByRole("button", { name: "Columns of tenants" }).click();
		await page.getByRole("menuitemcheckbox", { name: "Slug" }).click();
		await page.getByRole("menuitemcheckbox", { name: "Tenant ID" }).click();
		expect(await checkPageOnce(page, "console-columns")).toEqual([]);
		await page.keyboard.press("Escape");
		await firstRow.getByText(first.id).waitFor();
		await page.reload();
		await firstRow.getByText(first.id).waitFor();
		await expect.poll(() => page.getByRole("columnheader", { name: "Slug" }).count()).toBe(0);
		expect(problems).toEqual([]);
	});

	test("leads back from a page that is past the end", async () => {
		const server = await runningPages();
		await server.newTenant("Acme");
		const { page } = await open(server.baseUrl);
		await enterConsole(page, "/console/tenants?page=9");
		await page.getByText("There are no tenants on this page").waitFor();
		await expect.poll(() => page.getByText("No tenants yet").count()).toBe(0);
		await page.getByRole("button", { name: "Go to the first page" }).click();
		await page.getByText("1–1 of 1 tenants").waitFor();
	});

	test("suspends and resumes several tenants, and says which ones failed", async () => {
		const server = await runningPages();
		const [one, two, three] = [
			await server.newTenant("One"),
			await server.newTenant("Two"),
			await server.newTenant("Three"),
		];
		const { page, problems } = await open(server.baseUrl);
		await enterConsole(page, "/console/tenants");
		const dialog = page.getByRole("dialog");
		await selectAll(page);
		await page.getByText("3 selected").waitFor();
		await page.getByRole("checkbox", { name: "Select Three" }).uncheck();
		await page.getByRole("button", { name: "Suspend", exact: true }).click();
		await dialog.getByRole("button", { name: "Suspend" }).click();
		await waitForToast(page, "2 tenants suspended.");
		const suspended = page.getByRole("table").getByText("Suspended", { exact: true });
		await expect.poll(() => suspended.count()).toBe(2);

		await selectAll(page);
		await server.manage("/delete", { tenantId: one.id });
		await page.getByRole("button", { name: "Resume", exact: true }).click();
		await dialog.getByRole("button", { name: "Resume" }).click();
		await dialog.getByText("1 of 2 resumed. These failed:").waitFor();
		await dialog.getByText("One: Tenant not found").waitFor();
		await dialog.getByRole("button", { name: "Close" }).last().click();
		await page.getByText("1–2 of 2 tenants").waitFor();
		const states = await server.manage<{ id: string; suspendedAt?: string }[]>("/list");
		expect(states.map(({ id, suspendedAt }) => [id, suspendedAt])).toEqual([
			[two.id, undefined],
			[three.id, undefined],
		]);
		expect(problems).toEqual([]);
	});
});
