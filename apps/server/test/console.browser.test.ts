import { describe, expect, test } from "vitest";
import { services } from "../../../testing/services";
import { holdRequests, rejectRequests, useChromium } from "./chromium";
import { chooseKey, confirm, enterConsole, keyField, waitForToast } from "./console-driver";
import { runningPages, usePages } from "./running-pages";
import { managementKey } from "./running-service";

const password = "correct horse battery";

describe.skipIf(!services.browser)("the console in Chromium", () => {
	const open = useChromium();
	const pages = usePages({ GITHUB_CLIENT_ID: "client-of-the-service", GITHUB_CLIENT_SECRET: "x" });

	test("accepts a management key, keeps it nowhere in the browser, and serves all tabs", async () => {
		const server = await runningPages();
		const { page, problems } = await open(server.baseUrl);
		await page.goto("/console/tenants");
		await chooseKey(page);
		await keyField(page).fill("not-a-management-key");
		await page.getByRole("button", { name: "Continue" }).click();
		await page.getByText("This key is not valid").waitFor();

		await enterConsole(page, "/console/tenants");
		await page.getByText("No tenants yet").waitFor();
		expect(
			await page.evaluate("JSON.stringify([localStorage, sessionStorage, document.cookie])"),
		).toBe('[{},{},""]');
		expect(JSON.stringify(await page.context().cookies())).not.toContain(managementKey);
		const otherTab = await page.context().newPage();
		await otherTab.goto("/console/tenants");
		await otherTab.getByText("No tenants yet").waitFor();

		await page.getByRole("button", { name: "Sign out" }).click();
		await page.getByLabel("Email", { exact: true }).waitFor();
		await otherTab.reload();
		await otherTab.getByLabel("Email", { exact: true }).waitFor();
		expect(await page.context().cookies()).toEqual([]);
		expect(problems).toEqual([]);
	});

	test("creates a tenant with a checked slug, and updates, suspends, resumes and deletes it", async () => {
		const server = await pages();
		const { slug: taken } = await server.newTenant("Globex");
		const { page, problems } = await open(server.baseUrl);
		await enterConsole(page, "/console/tenants");

		await page.getByRole("link", { name: "New tenant" }).click();
		const slug = page.getByLabel("Slug");
		await page.getByLabel("Name").fill(taken);
		await page.getByText(`“${taken}” is taken.`).first().waitFor();
		await slug.fill("Not A Slug");
		await page.getByText("A slug has no capital letters.").first().waitFor();
		await slug.fill("admin");
		await page.getByText("This slug is reserved.").first().waitFor();
		await page.getByLabel("Name").fill("Acme");
		await slug.fill("acme");
		await page.getByText("“acme” is available.").waitFor();
		await page.getByRole("button", { name: "Create tenant" }).click();
		await page.getByRole("heading", { name: "Acme", exact: true }).waitFor();

		await page.getByRole("link", { name: "Settings" }).click();
		const metadata = page.getByRole("textbox", { name: "Metadata" });
		await metadata.fill('{\n  "plan": "business",\n  oops\n}');
		await page.getByRole("button", { name: "Line 3, column 3" }).waitFor();
		const save = page.getByRole("button", { name: "Save metadata" });
		await expect.poll(() => save.isDisabled()).toBe(true);
		await metadata.fill('{ "since": "2026-01-01T00:00:00Z" }');
		await save.click();
		await waitForToast(page, "Saved.");
		await page.getByRole("link", { name: "Branding" }).click();
		await page.getByLabel("Tagline").fill("Everything for coyotes");
		await page.getByRole("button", { name: "Save branding" }).click();
		await waitForToast(page, "Saved.");
		await page.getByRole("link", { name: "Settings" }).click();
		await expect.poll(() => metadata.inputValue()).toContain("coyotes");
		// A string that looks like a date stays a string.
		await expect.poll(() => metadata.inputValue()).toContain('"2026-01-01T00:00:00Z"');

		await page.getByRole("button", { name: "Suspend" }).click();
		await confirm(page, "acme", "Suspend tenant");
		await page.getByText("Suspended since").waitFor();
		await page.getByRole("button", { name: "Resume" }).click();
		await page.getByText("Suspended since").waitFor({ state: "detached" });

		await page.getByRole("button", { name: "Delete", exact: true }).click();
		await confirm(page, "acme", "Delete tenant");
		await page.getByRole("heading", { name: "Tenants" }).waitFor();
		await page.getByText(taken, { exact: true }).waitFor();
		await expect.poll(() => page.getByText("acme", { exact: true }).count()).toBe(0);
		expect(problems).toEqual([]);
	});

	test("keeps a saved setting when another one is saved before the page has loaded again", async () => {
		const server = await pages();
		const { id } = await server.newTenant("Acme");
		const { page, problems } = await open(server.baseUrl);
		await enterConsole(page, `/console/tenants/${id}/settings`);
		const save = async (name: string) => {
			const saved = page.waitForResponse("**/tenant/update");
			await page.getByRole("button", { name }).click();
			await saved;
			await waitForToast(page, "Saved.");
		};
		const metadataField = page.getByRole("textbox", { name: "Metadata" });
		await metadataField.waitFor();
		await holdRequests(page, "**/tenant/get?*");
		await metadataField.fill('{ "plan": "business" }');
		await save("Save metadata");
		await page.getByRole("link", { name: "Branding" }).click();
		await page.getByLabel("Tagline").fill("Everything for coyotes");
		await save("Save branding");
		const { metadata } = await server.manage<{ metadata: unknown }>(`/get?id=${id}`);
		expect(metadata).toEqual({
			plan: "business",
			branding: { tagline: "Everything for coyotes" },
		});
		expect(problems).toEqual([]);
	});

	test("lists many tenants in pages, and finds one of them", async () => {
		const server = await runningPages();
		const tenants = [];
		while (tenants.length < 51) tenants.push(await server.newTenant("Customer"));
		const { page } = await open(server.baseUrl);
		await enterConsole(page, "/console/tenants");
		await page.getByText("1–50 of 51 tenants").waitFor();
		await page.getByRole("button", { name: "Next" }).click();
		await page.getByText("51–51 of 51 tenants").waitFor();
		await page.reload();
		await page.getByText("51–51 of 51 tenants").waitFor();
		const search = page.getByRole("searchbox", { name: "Search by name or slug" });
		await search.fill(tenants[16]?.slug ?? "");
		await page.getByText("1–1 of 1 tenants").waitFor();
		// The search box keeps the focus.
		expect(await search.evaluate((box) => box === box.ownerDocument.activeElement)).toBe(true);
		await search.fill("nobody");
		await page.getByText("No tenants match “nobody”").waitFor();
	});

	test("pages through lists by cursor, to the last page and back", async () => {
		const server = await runningPages();
		for (let count = 0; count < 101; count += 1) await server.newTenant("Customer");
		const { page, problems } = await open(server.baseUrl);
		const next = page.getByRole("button", { name: "Next" });
		const previous = page.getByRole("button", { name: "Previous" });
		const slugs = async () =>
			(await page.locator("tbody tr").allInnerTexts()).map((row) => /customer-\d+/.exec(row)?.[0]);
		const queries: URLSearchParams[] = [];
		page.on("request", (request) => {
			const { pathname, searchParams } = new URL(request.url());
			if (/\/(list|audit)$/.test(pathname) && searchParams.get("limit") === "50") {
				queries.push(searchParams);
			}
		});
		await enterConsole(page);
		for (const [path, what] of [
			["/console/tenants", "tenants"],
			["/console/audit", "events"],
		] as const) {
			await page.goto(path);
			queries.length = 0;
			const shows = (range: string) => page.getByText(`${range} of 101 ${what}`).waitFor();
			await shows("1–50");
			const first = await slugs();
			await expect.poll(() => previous.isDisabled()).toBe(true);
			await next.click();
			await shows("51–100");
			const second = await slugs();
			await next.click();
			await shows("101–101");
			const third = await slugs();
			await expect.poll(() => next.isDisabled()).toBe(true);
			expect(new Set([...first, ...second, ...third]).size).toBe(101);
			await page.reload();
			await shows("101–101");
			await previous.click();
			await shows("51–100");
			await expect.poll(slugs).toEqual(second);
			await previous.click();
			await shows("1–50");
			await expect.poll(slugs).toEqual(first);
			await expect.poll(() => previous.isDisabled()).toBe(true);
			// Only the first page needs no cursor.
			expect(queries.every((query) => query.has("cursor") || query.get("offset") === "0")).toBe(
				true,
			);
			expect(queries.some((query) => query.has("cursor"))).toBe(true);
		}
		expect(problems).toEqual([]);
	});

	test("pages on from a link to a page, and starts again after a wrong cursor", async () => {
		const server = await runningPages();
		for (let count = 0; count < 51; count += 1) await server.newTenant("Customer");
		const { page } = await open(server.baseUrl);
		await enterConsole(page, "/console/tenants");
		await page.getByRole("button", { name: "Next" }).click();
		await page.getByText("51–51 of 51 tenants").waitFor();
		const link = page.url();

		await page.goto("/console");
		await page.goto(link);
		await page.getByText("51–51 of 51 tenants").waitFor();
		await page.getByRole("button", { name: "Previous" }).click();
		await page.getByText("1–50 of 51 tenants").waitFor();

		await page.goto(`${link}x`);
		await page.getByRole("alert").waitFor();
		await page.getByRole("button", { name: "Try again" }).click();
		await expect.poll(() => page.getByText("1–50 of 51 tenants").isVisible()).toBe(true);
	});

	test("shows that a list could not load, and loads it again", async () => {
		const server = await pages();
		const { slug } = await server.newTenant("Acme");
		const { page } = await open(server.baseUrl);
		await enterConsole(page);
		const accept = await rejectRequests(page, "**/tenant/list?*");
		await page.getByRole("link", { name: "Tenants" }).first().click();
		await page.getByRole("alert").getByText("Not now").waitFor();
		await accept();
		await page.getByRole("button", { name: "Try again" }).click();
		await expect.poll(() => page.getByText(slug, { exact: true }).isVisible()).toBe(true);
	});

	test("sets up a provider, tests it, and replaces and deletes its credentials", async () => {
		const server = await pages();
		const { id, slug } = await server.newTenant("Acme");
		const { page, problems } = await open(server.baseUrl);
		await enterConsole(page, `/console/tenants/${id}/providers`);
		await page.getByText("The tenant has no OAuth client.").waitFor();

		await page.getByRole("button", { name: "Set up GitLab" }).click();
		const dialog = page.getByRole("dialog");
		await dialog.getByLabel("Client ID").fill("client-of-acme");
		await dialog.getByLabel("Client secret", { exact: true }).fill("a secret of acme");
		await dialog.getByLabel("Issuer").fill("http://127.0.0.1");
		await dialog.getByRole("button", { name: "Save credentials" }).click();
		await dialog.getByRole("alert").waitFor();
		await dialog.getByLabel("Issuer").fill("");
		await dialog.getByRole("button", { name: "Save credentials" }).click();
		await page.getByText("client-of-acme").waitFor();
		await page.getByText("/api/auth/tenant/callback/gitlab").first().waitFor();

		await page.getByRole("button", { name: "Test GitLab" }).click();
		await dialog.getByText("gitlab.com").waitFor();
		const link = dialog.getByRole("link", { name: "Sign in (new tab)" });
		const url = new URL((await link.getAttribute("href")) ?? "");
		expect(url.searchParams.get("client_id")).toBe("client-of-acme");
		await page.keyboard.press("Escape");

		await page.getByRole("button", { name: "Replace credentials for GitLab" }).click();
		await expect
			.poll(() => dialog.getByLabel("Client secret", { exact: true }).inputValue())
			.toBe("");
		await dialog.getByLabel("Client ID").fill("second-client");
		await dialog.getByLabel("Client secret", { exact: true }).fill("another secret");
		await dialog.getByRole("button", { name: "Save credentials" }).click();
		await page.getByText("second-client").waitFor();
		const use = page.getByRole("switch", { name: "Use the tenant's client for GitLab" });
		await use.click();
		await page.getByText("The tenant's OAuth client is disabled").waitFor();
		await use.click();
		await page.getByText("Sign-in uses the tenant's OAuth client.").waitFor();

		await page.getByRole("button", { name: "Delete the credentials for GitLab" }).click();
		await confirm(page, slug, "Delete credentials");
		await page.getByRole("button", { name: "Set up GitLab" }).waitFor();
		expect(await page.content()).not.toMatch(/a secret of acme|another secret/);
		expect(problems).toEqual([]);
	});

	test("manages users and sessions of one tenant, not the user with the same email in another", async () => {
		const server = await pages();
		const acme = await server.newTenant("Acme");
		const globex = await server.newTenant("Globex");
		await server.signUp(acme, "ada@example.com", password);
		await server.signUp(globex, "ada@example.com", password);
		const { page, problems } = await open(server.baseUrl);
		await enterConsole(page, `/console/tenants/${acme.id}/users`);
		await page.getByText("1–1 of 1 users").waitFor();
		await page.getByRole("link", { name: "Sessions" }).click();
		await page.getByText("1–1 of 1 sessions").waitFor();

		await page.getByRole("link", { name: "ada@example.com" }).click();
		await page.getByText("Password", { exact: true }).waitFor();
		await page.getByRole("button", { name: "Send email" }).click();
		await waitForToast(page, "Password reset sent to ada@example.com.");
		expect(await server.emailedLink("ada@example.com")).toContain("reset-password");

		await page.getByRole("button", { name: /^Revoke the session of ada/ }).click();
		await page.getByRole("button", { name: "Revoke session" }).click();
		await page.getByText("No active sessions").waitFor();
		await page.getByRole("button", { name: "Delete", exact: true }).click();
		await confirm(page, "ada@example.com", "Delete user");
		await page.getByText("No users yet").waitFor();

		await page.goto(`/console/tenants/${globex.id}/users`);
		await page.getByText("1–1 of 1 users").waitFor();
		await page.goto(`/console/tenants/${globex.id}/sessions`);
		await page.getByText("1–1 of 1 sessions").waitFor();
		expect(problems).toEqual([]);
	});

	test("has an overview, an audit log with filters, and the outbox", async () => {
		const server = await runningPages();
		const acme = await server.newTenant("Acme");
		const { user } = await server.signUp(acme, "ada@example.com", password);
		await server.signInWithWrongPassword(acme, "ada@example.com");
		await server.manage("/user/send-password-reset", { tenantId: acme.id, userId: user.id });
		const { page, problems } = await open(server.baseUrl);
		await enterConsole(page);
		await page.getByText("1 in 30 days").first().waitFor();
		await page.getByText("Show numbers for Failed sign-ins").click();

		await page.getByRole("link", { name: "Audit log" }).click();
		await page.getByText("1–2 of 2 events").waitFor();
		await page.getByLabel("Event", { exact: true }).selectOption("Password reset sent");
		await page.getByText("1–1 of 1 events").waitFor();
		await page.getByLabel("To", { exact: true }).fill("2020-01-01");
		await page.getByText("No events match these filters").waitFor();
		await page.getByRole("button", { name: "Clear filters" }).click();
		await page.getByText("1–2 of 2 events").waitFor();

		await page.getByRole("link", { name: "Outbox" }).click();
		await page.getByText("To ada@example.com").waitFor();
		expect(problems).toEqual([]);
	});
});
