import { describe, expect, onTestFinished, test } from "vitest";
import { services } from "../../../testing/services";
import { inspect, useChromium } from "./chromium";
import { runningPages } from "./running-pages";

const password = "correct horse battery";
const branding = {
	primaryColor: "#0f766e",
	tagline: "Everything for the coyote",
	supportEmail: "help@acme.example",
};

// A browser takes its time on a busy machine.
describe.skipIf(!services.browser)("a tenant's pages in Chromium", { timeout: 300_000 }, () => {
	const open = useChromium();

	test("somebody signs up, signs out, and signs in again", async () => {
		const server = await runningPages();
		await server.newTenant("acme", "Acme");
		const { page, problems } = await open(server.baseUrl);

		await page.goto("/t/acme");
		await page.getByRole("link", { name: "Create an account" }).click();
		await page.getByLabel("Name", { exact: true }).fill("Ada Lovelace");
		await page.getByLabel("E-mail address").fill("ada@example.com");
		await page.getByLabel("Password", { exact: true }).fill(password);
		await page.getByRole("button", { name: "Create account" }).click();
		await page.getByRole("heading", { name: "Account", exact: true }).waitFor();
		expect(new URL(page.url()).pathname).toBe("/t/acme/account");

		await page.getByRole("button", { name: "Sign out" }).click();
		await page.getByRole("heading", { name: "Sign in" }).waitFor();
		await page.getByLabel("E-mail address").fill("ada@example.com");
		await page.getByLabel("Password", { exact: true }).fill("not the password");
		await page.getByRole("button", { name: "Sign in" }).click();
		await expect
			.poll(() => page.getByRole("alert").textContent())
			.toBe("The address or the password is not right.");
		await page.getByLabel("Password", { exact: true }).fill(password);
		await page.getByRole("button", { name: "Sign in" }).click();
		await page.getByRole("heading", { name: "Account", exact: true }).waitFor();
		expect(problems).toEqual([]);
	});

	test("an address that is taken is said at its field, and is free in another tenant", async () => {
		const server = await runningPages();
		const tenant = await server.newTenant("acme", "Acme");
		await server.newTenant("globex", "Globex");
		await server.signUp(tenant, "ada@example.com", password);
		const { page } = await open(server.baseUrl);
		const signUp = async (slug: string) => {
			await page.goto(`/t/${slug}/sign-up`);
			await page.getByLabel("Name", { exact: true }).fill("Ada Lovelace");
			await page.getByLabel("E-mail address").fill("ada@example.com");
			await page.getByLabel("Password", { exact: true }).fill(password);
			await page.getByRole("button", { name: "Create account" }).click();
		};
		await signUp("acme");
		await page.getByText("There is an account with this address already").waitFor();
		const field = page.getByLabel("E-mail address");
		expect(await field.getAttribute("aria-invalid")).toBe("true");

		await signUp("globex");
		await page.getByRole("heading", { name: "Account", exact: true }).waitFor();
		await page.goto("/t/acme/account");
		await page.getByRole("heading", { name: "Sign in" }).waitFor();
	});

	test("a forgotten password is replaced through the mail, and its link works once", async () => {
		const server = await runningPages();
		const tenant = await server.newTenant("acme", "Acme");
		await server.signUp(tenant, "ada@example.com", password);
		const { page, problems } = await open(server.baseUrl);

		await page.goto("/t/acme/sign-in");
		await page.getByRole("link", { name: "Forgot your password?" }).click();
		await page.getByLabel("E-mail address").fill("ada@example.com");
		await page.getByRole("button", { name: "Send the link" }).click();
		await page.getByRole("heading", { name: "Look into your mail" }).waitFor();

		const link = await server.mailedLink("ada@example.com");
		await page.goto(link);
		await page.getByLabel("New password", { exact: true }).fill("another horse battery");
		await page.getByRole("button", { name: "Save the new password" }).click();
		await page.getByRole("link", { name: "Sign in" }).click();
		await page.getByLabel("E-mail address").fill("ada@example.com");
		await page.getByLabel("Password", { exact: true }).fill("another horse battery");
		await page.getByRole("button", { name: "Sign in" }).click();
		await page.getByRole("heading", { name: "Account", exact: true }).waitFor();

		await page.goto(link);
		await page.getByRole("heading", { name: "This link does not work any more" }).waitFor();
		expect(problems).toEqual([]);
	});

	test("an address is confirmed through the mail before the first sign-in", async () => {
		const server = await runningPages({ REQUIRE_EMAIL_VERIFICATION: "true" });
		await server.newTenant("acme", "Acme");
		const { page, problems } = await open(server.baseUrl);

		await page.goto("/t/acme/sign-up");
		await page.getByLabel("Name", { exact: true }).fill("Ada Lovelace");
		await page.getByLabel("E-mail address").fill("ada@example.com");
		await page.getByLabel("Password", { exact: true }).fill(password);
		await page.getByRole("button", { name: "Create account" }).click();
		await page.getByText("We have sent a link to ada@example.com").waitFor();
		expect(await inspect(page, "verify-sent")).toEqual([]);

		await page.goto("/t/acme/sign-in");
		await page.getByLabel("E-mail address").fill("ada@example.com");
		await page.getByLabel("Password", { exact: true }).fill(password);
		await page.getByRole("button", { name: "Sign in" }).click();
		await page.getByText("One step is left before you can sign in.").waitFor();

		await page.goto(await server.mailedLink("ada@example.com"));
		await page.getByText("Your address is confirmed.").waitFor();
		expect(await inspect(page, "verify-done")).toEqual([]);
		await page.getByRole("link", { name: "Go to your account" }).click();
		await page.getByText("Confirmed", { exact: true }).waitFor();
		expect(problems).toEqual([]);
	});

	test("the account page changes what it shows", async () => {
		const server = await runningPages({ GITHUB_CLIENT_ID: "id", GITHUB_CLIENT_SECRET: "secret" });
		const tenant = await server.newTenant("acme", "Acme", branding);
		await server.signUp(tenant, "ada@example.com", password);
		const { page, problems } = await open(server.baseUrl);
		await page.goto("/t/acme/sign-in");
		await page.getByLabel("E-mail address").fill("ada@example.com");
		await page.getByLabel("Password", { exact: true }).fill(password);
		await page.getByRole("button", { name: "Sign in" }).click();

		await page.getByLabel("Name", { exact: true }).fill("Countess Ada");
		await page.getByRole("button", { name: "Save" }).click();
		await page.getByText("Your name is saved.").waitFor();
		await page.reload();
		await expect.poll(() => page.getByLabel("Name", { exact: true }).inputValue()).toBe("Countess Ada");
		expect(await inspect(page, "account")).toEqual([]);

		await page.getByRole("button", { name: /^Sign out (?!everywhere)\S/ }).click();
		await expect.poll(() => page.getByText("This device").count()).toBe(1);
		await expect.poll(() => page.getByRole("button", { name: /^Sign out \S/ }).count()).toBe(0);
		await page.getByRole("button", { name: "Link GitHub" }).waitFor();

		await page.getByLabel("Present password", { exact: true }).fill("not the password");
		await page.getByLabel("New password", { exact: true }).fill("another horse battery");
		await page.getByRole("button", { name: "Change password" }).click();
		await page.getByText("The password is not right.").waitFor();
		await page.getByLabel("Present password", { exact: true }).fill(password);
		await page.getByRole("button", { name: "Change password" }).click();
		await page.getByText("Your password is changed.").waitFor();

		await page.getByRole("button", { name: "Delete account" }).click();
		expect(await inspect(page, "account-delete")).toEqual([]);
		const last = page.getByRole("button", { name: "Send me the last link" });
		expect(await last.isDisabled()).toBe(true);
		await page.getByLabel("Type your address").fill("ada@example.com");
		await last.click();
		await page.getByText("Open it in this browser, and the account is deleted.").waitFor();
		await page.goto(await server.mailedLink("ada@example.com"));
		await page.getByRole("heading", { name: "Your account is deleted" }).waitFor();
		await page.goto("/t/acme/account");
		await page.getByRole("heading", { name: "Sign in" }).waitFor();
		expect(problems).toEqual([]);
	});

	test("nobody finds a serious barrier in any of them", async () => {
		const server = await runningPages({
			GITHUB_CLIENT_ID: "id",
			GITHUB_CLIENT_SECRET: "secret",
			GOOGLE_CLIENT_ID: "id",
			GOOGLE_CLIENT_SECRET: "secret",
			MICROSOFT_CLIENT_ID: "id",
			MICROSOFT_CLIENT_SECRET: "secret",
		});
		await server.newTenant("acme", "Acme", branding);
		// A colour that can be seen on nothing as it is.
		await server.newTenant("pale", "Pale", { primaryColor: "#fffde7" });
		await server.suspend(await server.newTenant("paused", "Paused", branding));
		const { page, problems } = await open(server.baseUrl);
		for (const path of [
			"acme/sign-in",
			"acme/sign-up",
			"acme/forgot-password",
			"acme/new-password?token=1",
			"acme/new-password?error=INVALID_TOKEN",
			"acme/verify/done?error=TOKEN_EXPIRED",
			"acme/error?error=access_denied",
			"acme/nowhere",
			"pale/sign-in",
			"paused",
			"unknown",
		]) {
			await page.goto(`/t/${path}`);
			await page.locator("h1:not(.visually-hidden)").waitFor();
			expect(await inspect(page, path.replace(/[/?=]/g, "-"))).toEqual([]);
		}
		expect(problems).toEqual([]);
	});

	test("nothing of any brand is there before the tenant's own", async () => {
		const server = await runningPages();
		await server.newTenant("acme", "Acme", branding);
		await server.newTenant("globex", "Globex", { primaryColor: "#be123c" });
		const { page } = await open(server.baseUrl);
		await page.goto("/t/acme/sign-in");
		await page.getByRole("heading", { name: "Sign in" }).waitFor();
		const brand = () => page.evaluate("document.documentElement.style.getPropertyValue('--brand')");
		expect(await brand()).toBe("#0f766e");

		let answer = () => {};
		const held = new Promise<void>((resolve) => {
			answer = resolve;
		});
		await page.route("**/tenant/login-options*", async (route) => {
			await held;
			await route.continue();
		});
		onTestFinished(() => answer());
		await page.goto("/t/globex/sign-in");
		await page.getByRole("heading", { name: "Loading" }).waitFor({ state: "attached" });
		expect(await brand()).toBe("");
		expect(await page.content()).not.toMatch(/Acme|Globex/);
		answer();
		await page.getByText("Globex").waitFor();
		expect(await brand()).toBe("#be123c");
	});

	test("a tenant that is suspended meanwhile says so at the next sign-in", async () => {
		const server = await runningPages();
		const tenant = await server.newTenant("acme", "Acme");
		await server.signUp(tenant, "ada@example.com", password);
		const { page } = await open(server.baseUrl);
		await page.goto("/t/acme/sign-in");
		await page.getByLabel("E-mail address").fill("ada@example.com");
		await page.getByLabel("Password", { exact: true }).fill(password);
		await server.suspend(tenant);
		await page.getByRole("button", { name: "Sign in" }).click();
		await page.getByRole("heading", { name: "Sign-in is paused" }).waitFor();
	});

	test("a tenant on its own subdomain has its pages at the root", async () => {
		const server = await runningPages({ TENANT_DOMAIN: "tenants.localhost" });
		await server.newTenant("acme", "Acme");
		const { port } = new URL(server.baseUrl);
		const { page, problems } = await open(`http://acme.tenants.localhost:${port}`);
		await page.goto("/");
		await page.getByRole("link", { name: "Create an account" }).click();
		await page.getByLabel("Name", { exact: true }).fill("Ada Lovelace");
		await page.getByLabel("E-mail address").fill("ada@example.com");
		await page.getByLabel("Password", { exact: true }).fill(password);
		await page.getByRole("button", { name: "Create account" }).click();
		await page.getByRole("heading", { name: "Account", exact: true }).waitFor();
		expect(new URL(page.url()).pathname).toBe("/account");
		expect(problems).toEqual([]);
	});

	test("the chosen colours outlast a reload", async () => {
		const server = await runningPages();
		await server.newTenant("acme", "Acme");
		const { page } = await open(server.baseUrl);
		await page.emulateMedia({ colorScheme: "light" });
		await page.goto("/t/acme/sign-in");
		await page.getByRole("button", { name: "Use dark colours" }).click();
		await page.reload();
		await page.getByRole("button", { name: "Use light colours" }).waitFor();
		expect(await page.evaluate("getComputedStyle(document.documentElement).colorScheme")).toBe(
			"dark",
		);
	});
});
