import { describe, expect, test } from "vitest";
import { services } from "../../../testing/services";
import { checkPage, holdRequests, rejectRequests, useChromium } from "./chromium";
import { submitForm } from "./forms";
import { usePages } from "./running-pages";

const password = "correct horse battery";
const branding = {
	primaryColor: "#0f766e",
	tagline: "Everything for the coyote",
	supportEmail: "help@acme.example",
};

describe.skipIf(!services.browser)("the pages of a tenant", () => {
	const open = useChromium();
	const pages = usePages({
		GITHUB_CLIENT_ID: "id",
		GITHUB_CLIENT_SECRET: "secret",
		GOOGLE_CLIENT_ID: "id",
		GOOGLE_CLIENT_SECRET: "secret",
		MICROSOFT_CLIENT_ID: "id",
		MICROSOFT_CLIENT_SECRET: "secret",
	});

	test("have no accessibility problem before the sign-in", async () => {
		const server = await pages();
		const acme = await server.newTenant("Acme", branding);
		// This color is not visible on a light surface.
		const pale = await server.newTenant("Pale", { primaryColor: "#fffde7" });
		const suspended = await server.newTenant("Suspended", branding);
		await server.manage("/suspend", { tenantId: suspended.id });
		const { page, problems } = await open(server.baseUrl);
		const look = async (name: string, path: string) => {
			await page.goto(`/t/${path}`);
			await page.locator("h1:not(.visually-hidden)").waitFor();
			expect(await checkPage(page, `tenant-${name}`)).toEqual([]);
		};
		for (const [name, path] of [
			["sign-in", "sign-in"],
			["sign-up", "sign-up"],
			["forgot-password", "forgot-password"],
			["new-password", "new-password?token=1"],
			["new-password-error", "new-password?error=INVALID_TOKEN"],
			["verify", "verify"],
			["verify-done", "verify/done"],
			["verify-error", "verify/done?error=TOKEN_EXPIRED"],
			["provider-error", "error?error=access_denied"],
			["deleted", "deleted"],
			["not-found", "nowhere"],
		] as const) {
			await look(name, `${acme.slug}/${path}`);
		}
		await look("pale", `${pale.slug}/sign-in`);
		await look("suspended", suspended.slug);
		await look("unknown", "nobody");
		await rejectRequests(page, "**/tenant/login-options*");
		await look("error", acme.slug);
		expect(problems).toEqual([]);
	});

	test("have no accessibility problem in the account", async () => {
		const server = await pages();
		const acme = await server.newTenant("Acme", branding);
		await server.signUp(acme, "ada@example.com", password);
		const { page, problems } = await open(server.baseUrl);
		const look = async (name: string) =>
			expect(await checkPage(page, `tenant-${name}`)).toEqual([]);
		await page.goto(`/t/${acme.slug}/sign-in`);
		await submitForm(page, "Sign in", { Email: "ada@example.com", Password: "not the password" });
		await page.getByRole("alert").waitFor();
		await look("sign-in-error");
		await page.getByLabel("Password", { exact: true }).fill(password);
		await page.getByRole("button", { name: "Sign in", exact: true }).click();
		await page.getByRole("button", { name: "Link GitHub" }).waitFor();
		await look("account");
		await page.getByRole("button", { name: "Delete account" }).click();
		await look("account-delete");

		const release = await holdRequests(page, "**/list-{accounts,sessions}");
		await page.reload();
		await page.locator(".skeleton").first().waitFor();
		await look("account-loading");
		await release();
		await rejectRequests(page, "**/list-{accounts,sessions}");
		await page.reload();
		await page.getByRole("alert").first().waitFor();
		await look("account-lists-error");
		await rejectRequests(page, "**/get-session");
		await page.reload();
		await page.getByText("Could not load your account").waitFor();
		await look("account-error");
		expect(problems).toEqual([]);
	});

	test("show no brand before the brand of the tenant has loaded", async () => {
		const server = await pages();
		const acme = await server.newTenant("Acme", branding);
		const globex = await server.newTenant("Globex", { primaryColor: "#be123c" });
		const { page } = await open(server.baseUrl);
		await page.goto(`/t/${acme.slug}/sign-in`);
		await page.getByRole("heading", { name: "Sign in" }).waitFor();
		const brand = () => page.evaluate("document.documentElement.style.getPropertyValue('--fill')");
		await expect.poll(brand).toBe("#0f766e");

		const release = await holdRequests(page, "**/tenant/login-options*");
		await page.goto(`/t/${globex.slug}/sign-in`);
		await page.getByRole("heading", { name: "Loading" }).waitFor({ state: "attached" });
		await expect.poll(brand).toBe("");
		expect(await page.content()).not.toMatch(/Acme|Globex/);
		expect(await checkPage(page, "tenant-loading")).toEqual([]);
		await release();
		await page.getByText("Globex").waitFor();
		await expect.poll(brand).toBe("#be123c");
	});
});
