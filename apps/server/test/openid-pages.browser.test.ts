import { describe, expect, test } from "vitest";
import { services } from "../../../testing/services";
import { checkPage, useChromium } from "./chromium";
import { withDocumentedApp } from "./documented-app";
import { fillSignIn, password } from "./end-user";
import { submitForm } from "./forms";
import { pagesWithProvider, passProvider } from "./provider-login";
import { usePages } from "./running-pages";

describe.skipIf(!services.browser)("an app on another origin in Chromium", () => {
	const open = useChromium();
	const pages = usePages();

	test("signs a user in with consent, then straight, and out", async () => {
		const server = await pages();
		const { tenant, origin, hello } = await withDocumentedApp(server);
		const { page, problems } = await open(server.baseUrl, [origin]);
		await page.goto(`${origin}/sign-in`);
		await fillSignIn(page, "ada@example.com");
		await page.getByRole("heading", { name: "Continue to Notes?" }).waitFor();
		await expect.poll(() => new URL(page.url()).pathname).toBe(`/t/${tenant.slug}/consent`);
		await page.getByText("See your email").waitFor();
		expect(await checkPage(page, "tenant-consent")).toEqual([]);
		await page.getByRole("button", { name: "Allow", exact: true }).click();
		await page.getByText(hello).waitFor();

		await page.goto(`${origin}/sign-in`);
		await page.getByText(hello).waitFor();

		await page.goto(`${origin}/sign-out`);
		await page.getByText("Open /sign-in").waitFor();
		await expect.poll(() => page.url()).toBe(`${origin}/`);
		await page.goto(`${origin}/sign-in`);
		await page.getByRole("heading", { name: "Sign in" }).waitFor();
		expect(problems).toEqual([]);
	});

	test("is told if the user does not allow it", async () => {
		const server = await pages();
		const { origin } = await withDocumentedApp(server);
		const { page } = await open(server.baseUrl, [origin]);
		await page.goto(`${origin}/sign-in`);
		await fillSignIn(page, "ada@example.com");
		await page.getByRole("button", { name: "Do not allow" }).click();
		await page.getByText("User denied access").waitFor();
		await expect.poll(() => page.url()).toContain(`${origin}/callback?error=access_denied`);
	});

	test("gets a user who signs up first", async () => {
		const server = await pages();
		const { tenant, origin } = await withDocumentedApp(server, { firstParty: true });
		const { page, problems } = await open(server.baseUrl, [origin]);
		await page.goto(`${origin}/sign-in`);
		await page.getByRole("link", { name: "Create an account" }).click();
		await submitForm(page, "Create account", {
			Name: "Grace Hopper",
			Email: "grace@example.com",
			Password: password,
		});
		await page.getByText(`Hello Grace Hopper of tenant ${tenant.id}`).waitFor();
		expect(problems).toEqual([]);
	});

	test("gets a user who signs in at a provider", async () => {
		const { server, provider } = await pagesWithProvider();
		const person = provider.addPerson({ email: "grace@example.com" });
		const { tenant, origin } = await withDocumentedApp(server, { firstParty: true });
		const { page } = await open(server.baseUrl, [origin, provider.url]);
		await page.goto(`${origin}/sign-in`);
		await page.getByRole("button", { name: "Continue with GitLab" }).click();
		await passProvider(page, person);
		await page.getByText(`of tenant ${tenant.id}`).waitFor();
		await expect.poll(() => page.url()).toBe(`${origin}/`);
	});
});
