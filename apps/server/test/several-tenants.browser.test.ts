import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { services } from "../../../testing/services";
import { checkPage, useChromium } from "./chromium";
import { fillSignIn, password, waitForAccount } from "./end-user";
import { type PagesServer, type PagesTenant, usePages } from "./running-pages";

describe.skipIf(!services.browser)("several tenants in one browser, in Chromium", () => {
	const open = useChromium();
	const start = usePages();

	/** A tenant with an owner, whose email names the tenant. */
	async function makeTenant(server: PagesServer, name: string) {
		const tenant = await server.newTenant(name);
		const email = `ada@${tenant.slug}.example`;
		const { user } = await server.signUp(tenant, email, password);
		const owner = { tenantId: tenant.id, userId: user.id, role: "owner" };
		await server.manage("/user/update", owner);
		return { ...tenant, email };
	}

	async function signIn(page: Page, { slug, email }: PagesTenant & { email: string }) {
		await page.goto(`/t/${slug}/sign-in`);
		await fillSignIn(page, email);
		await waitForAccount(page);
	}

	const expectAccount = async (page: Page, { email }: { email: string }) => {
		await waitForAccount(page);
		await page.getByText(email).first().waitFor();
	};

	test("a person is signed in to two tenants at once, and signs out of one", async () => {
		const server = await start();
		const acme = await makeTenant(server, "Acme");
		const globex = await makeTenant(server, "Globex");
		const { page, problems } = await open(server.baseUrl);
		await signIn(page, acme);
		const second = await page.context().newPage();
		await signIn(second, globex);

		await page.reload();
		await expectAccount(page, acme);
		await second.reload();
		await expectAccount(second, globex);
		// Globex was opened last. The first tab still changes its own account.
		await page.getByLabel("Name", { exact: true }).fill("Countess Ada");
		await page.getByRole("button", { name: "Save" }).click();
		await page.getByText("Name saved.").waitFor();
		expect(await checkPage(page, "several-tenants-first")).toEqual([]);
		await second.reload();
		await expect
			.poll(() => second.getByLabel("Name", { exact: true }).inputValue())
			.toBe("Ada Lovelace");
		expect(await checkPage(second, "several-tenants-second")).toEqual([]);

		await second.getByRole("button", { name: "Sign out", exact: true }).click();
		await second.getByRole("heading", { name: "Sign in" }).waitFor();
		await page.reload();
		await expectAccount(page, acme);
		expect(problems).toEqual([]);
	});

	test("the administrators' pages are those of the tenant in the URL", async () => {
		const server = await start();
		const acme = await makeTenant(server, "Acme");
		const globex = await makeTenant(server, "Globex");
		const { page, problems } = await open(server.baseUrl);
		await signIn(page, acme);
		await signIn(page, globex);
		for (const { slug, email } of [acme, globex, acme]) {
			const response = await page.goto(`/t/${slug}/admin/users`);
			expect(response?.status()).toBe(200);
			await page.getByText(email).first().waitFor();
		}
		expect(await checkPage(page, "several-tenants-admin")).toEqual([]);
		expect(problems).toEqual([]);
	});

	test("an app that names no tenant gets the user whom the sign-in page has sent on", async () => {
		const server = await start();
		const acme = await makeTenant(server, "Acme");
		const globex = await makeTenant(server, "Globex");
		const { page } = await open(server.baseUrl);
		await signIn(page, acme);
		await signIn(page, globex);
		const app = "/api/auth/get-session";
		for (const { id, slug } of [acme, globex, acme]) {
			await page.goto(`/t/${slug}/sign-in?callbackURL=${app}`);
			await page.waitForURL(`${server.baseUrl}${app}`);
			await expect.poll(() => page.locator("body").innerText()).toContain(`"tenantId":"${id}"`);
		}
	});
});
