import { describe, expect, test } from "vitest";
import { services } from "../../../testing/services";
import { checkPage, useChromium } from "./chromium";
import { enterConsole } from "./console-driver";
import { runningPages } from "./running-pages";

const password = "correct horse battery";

describe.skipIf(!services.browser)("lists and the overview of the service", () => {
	const open = useChromium();

	test("a failing tenant leads from the overview to its failed sign-ins", async () => {
		const server = await runningPages();
		const acme = await server.newTenant("Acme");
		await server.signUp(acme, "ada@example.com", password);
		for (const email of ["ada@example.com", "nobody@example.com"]) {
			await server.signInWithWrongPassword(acme, email);
		}
		const { page, problems } = await open(server.baseUrl);
		await enterConsole(page);
		const failing = page.getByRole("table", { name: "Most failures: tenants" });
		await failing.getByRole("link", { name: "2", exact: true }).waitFor();
		await page.getByText("Everything works").waitFor();
		expect(await checkPage(page, "console-overview")).toEqual([]);

		// The whole of today, by the last bar of the chart.
		const chart = page.getByRole("figure", { name: "Failed sign-ins" });
		await chart.getByText("Show numbers").click();
		await chart.getByRole("row").last().getByRole("link").click();
		await page.getByRole("heading", { name: /^Tenants on / }).waitFor();
		await failing.getByRole("link", { name: "2", exact: true }).click();
		await page.waitForURL(/\/sign-ins\?result=failed&since=/);
		await page.getByRole("table", { name: "Sign-ins of Acme" }).waitFor();
		expect(problems).toEqual([]);
	});

	test("tenants and users are sorted, filtered, counted and exported", async () => {
		const server = await runningPages();
		const globex = await server.newTenant("Globex");
		const acme = await server.newTenant("Acme");
		for (const name of ["zoe", "ada"]) {
			await server.signUp(acme, `${name}@example.com`, password);
		}
		await server.manage("/suspend", { tenantId: globex.id });
		const { page, problems } = await open(server.baseUrl);
		await enterConsole(page, "/console/tenants");
		const rows = page.getByRole("table").getByRole("row");
		const first = rows.nth(1);
		await first.getByRole("link", { name: "Acme" }).waitFor();
		await page.getByRole("button", { name: "Name" }).click();
		await page.waitForURL(/sort=name/);
		await page.getByRole("button", { name: "Name" }).click();
		await page.waitForURL(/sort=-name/);
		await first.getByRole("link", { name: "Globex" }).waitFor();
		await rows.filter({ hasText: "Acme" }).getByRole("cell", { name: "2", exact: true }).waitFor();
		expect(await checkPage(page, "console-tenants-sorted")).toEqual([]);

		const download = page.waitForEvent("download");
		await page.getByRole("button", { name: "Export" }).click();
		await page.getByRole("menuitem", { name: "CSV" }).click();
		expect((await download).suggestedFilename()).toMatch(/^tenants-.*\.csv$/);
		await page.getByLabel("Status").selectOption("suspended");
		await rows.filter({ hasText: "Acme" }).waitFor({ state: "detached" });
		await rows.filter({ hasText: "Globex" }).waitFor();

		await page.goto(`/console/tenants/${acme.id}/users`);
		await page.getByRole("button", { name: "Email" }).click();
		await first.getByText("ada@example.com").waitFor();
		await page.getByRole("button", { name: "Email" }).click();
		await first.getByText("zoe@example.com").waitFor();
		expect(await checkPage(page, "console-users-sorted")).toEqual([]);
		expect(problems).toEqual([]);
	});
});
