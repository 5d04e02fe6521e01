import { describe, expect, test } from "vitest";
import { services } from "../../../testing/services";
import { checkPage, useChromium } from "./chromium";
import { fillSignIn, password, waitForAccount } from "./end-user";
import { usePages } from "./running-pages";

const branding = { primaryColor: "#0f766e", supportEmail: "help@acme.example" };

describe.skipIf(!services.browser)("a dead end for an end user", () => {
	const open = useChromium();
	const pages = usePages();

	test("has the status of its reason, and the tenant's name and support address", async () => {
		const server = await pages();
		const acme = await server.newTenant("Acme", branding);
		const { page, problems } = await open(server.baseUrl);
		expect((await page.goto("/t/nobody/sign-in"))?.status()).toBe(404);
		await page.getByRole("heading", { name: "Organization not found" }).waitFor();

		await server.manage("/suspend", { tenantId: acme.id });
		expect((await page.goto(`/t/${acme.slug}/sign-in`))?.status()).toBe(403);
		await page.getByText("Nobody can sign in to Acme at the moment.").waitFor();
		await page.getByRole("link", { name: "help@acme.example" }).waitFor();
		await expect.poll(() => page.title()).toBe("Organization suspended · Acme");
		expect(await checkPage(page, "tenant-suspended")).toEqual([]);
		expect(problems).toEqual([]);
	});

	test("is said before the form if the app's URL is not trusted", async () => {
		const server = await pages();
		const acme = await server.newTenant("Acme", branding);
		const { page, problems } = await open(server.baseUrl);
		for (const target of ["https://evil.example/", "//evil.example", "javascript:alert(1)"]) {
			const query = new URLSearchParams({ callbackURL: target });
			const response = await page.goto(`/t/${acme.slug}/sign-in?${query}`);
			expect(response?.status()).toBe(400);
			await page.getByRole("heading", { name: "This link is not safe" }).waitFor();
			await expect.poll(() => page.getByRole("textbox").count()).toBe(0);
			expect(await page.content()).not.toContain(target);
		}
		expect(await checkPage(page, "tenant-untrusted-target")).toEqual([]);
		expect(problems).toEqual([]);
	});

	test("is a page of the tenant whose pages were open, or else one of the service", async () => {
		const server = await pages();
		const acme = await server.newTenant("Acme", branding);
		const callback = "/api/auth/tenant/callback/gitlab?code=1&state=used-before";
		const { page, problems } = await open(server.baseUrl);
		await page.goto(`/t/${acme.slug}/sign-in`);
		await page.getByRole("heading", { name: "Sign in" }).waitFor();
		await page.goto(callback);
		await page.getByRole("heading", { name: "Sign-in expired" }).waitFor();
		await expect.poll(() => new URL(page.url()).pathname).toBe(`/t/${acme.slug}/error`);
		await page.getByRole("link", { name: "Back to sign-in" }).click();
		await page.getByRole("heading", { name: "Sign in" }).waitFor();

		const { page: fresh } = await open(server.baseUrl);
		await fresh.goto(callback);
		await fresh.getByRole("heading", { name: "Sign-in expired" }).waitFor();
		await expect.poll(() => new URL(fresh.url()).pathname).toBe("/error");
		expect(await checkPage(fresh, "service-error")).toEqual([]);
		expect(problems).toEqual([]);
	});

	test("has a way on, on a path of no tenant", async () => {
		const server = await pages();
		const acme = await server.newTenant("Acme", branding);
		const { page, problems } = await open(server.baseUrl);
		expect((await page.goto("/nowhere"))?.status()).toBe(404);
		await page.getByRole("heading", { name: "Page not found" }).waitFor();
		expect(await checkPage(page, "service-not-found")).toEqual([]);
		await page.getByRole("link", { name: "Go to the start page" }).click();
		await page.getByRole("heading", { name: "Authentication server" }).waitFor();
		expect(await checkPage(page, "service-start")).toEqual([]);
		await page.goto("/?error=INVALID_TOKEN");
		await page.getByRole("heading", { name: "This link no longer works" }).waitFor();
		await page.goto(`/t/${acme.slug}?error=INVALID_TOKEN`);
		await page.getByRole("heading", { name: "This link no longer works" }).waitFor();
		await page.getByRole("link", { name: "Back to sign-in" }).waitFor();
		const { page: fresh } = await open(server.baseUrl);
		await fresh.goto("/");
		await fresh.getByRole("link", { name: "Open the console" }).click();
		await fresh.getByRole("heading", { name: "Tenant Auth" }).waitFor();
		expect(problems).toEqual([]);
	});

	test.each([
		["/verify-email?token=1", "This link no longer works"],
		["/tenant/sign-in-link?token=1", "This link no longer works"],
		["/error?error=banned", "Your account is disabled"],
	])("is not an answer in JSON or a page of Better Auth: %s", async (path, title) => {
		const server = await pages();
		const { page } = await open(server.baseUrl);
		await page.goto(`/api/auth${path}`);
		await page.getByRole("heading", { name: title }).waitFor();
		await expect.poll(() => new URL(page.url()).pathname).toBe("/error");
	});

	test("is not the link that deletes an account, opened in another browser", async () => {
		const server = await pages();
		const acme = await server.newTenant("Acme", branding);
		await server.signUp(acme, "leaving@example.com", password);
		await server.signUp(acme, "other@example.com", password);
		const { page } = await open(server.baseUrl);
		await page.goto(`/t/${acme.slug}/sign-in`);
		await fillSignIn(page, "leaving@example.com");
		await waitForAccount(page);
		await page.getByRole("button", { name: "Delete account" }).click();
		await page.getByLabel("Type your email").fill("leaving@example.com");
		await page.getByRole("button", { name: "Send confirmation link" }).click();
		await page.getByText("Open it to delete your account.").waitFor();
		const link = await server.emailedLink("leaving@example.com");

		const { page: stranger } = await open(server.baseUrl);
		await stranger.goto(`/t/${acme.slug}/sign-in`);
		await fillSignIn(stranger, "other@example.com");
		await waitForAccount(stranger);
		await stranger.goto(link.replace(/token=\w+/, "token=unknown"));
		await stranger.getByRole("button", { name: "Delete account" }).click();
		await stranger.getByRole("heading", { name: "This link no longer works" }).waitFor();

		const { page: phone, problems } = await open(server.baseUrl);
		await phone.goto(link);
		await phone.getByText("Sign in to confirm").waitFor();
		expect(await checkPage(phone, "tenant-delete-sign-in")).toEqual([]);
		await phone.getByRole("link", { name: "Sign in" }).click();
		await fillSignIn(phone, "leaving@example.com");
		await phone.getByText("You cannot undo this.").waitFor();
		expect(await checkPage(phone, "tenant-delete-confirm")).toEqual([]);
		await phone.getByRole("button", { name: "Delete account" }).click();
		await phone.getByRole("heading", { name: "Account deleted" }).waitFor();
		expect(problems).toEqual([]);
		await page.goto(`/t/${acme.slug}/account`);
		await page.getByRole("heading", { name: "Sign in" }).waitFor();
	});
});
