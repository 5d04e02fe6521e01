import { describe, expect, test } from "vitest";
import { services } from "../../../testing/services";
import { useChromium } from "./chromium";
import { fillSignIn, fillSignUp, password, waitForAccount } from "./end-user";
import { submitForm } from "./forms";
import { pagesWithProvider, passProvider } from "./provider-login";
import { type PagesTenant, usePages } from "./running-pages";

describe.skipIf(!services.browser)("the pages of a tenant in Chromium", () => {
	const open = useChromium();
	const pages = usePages();
	const strictPages = usePages({ REQUIRE_EMAIL_VERIFICATION: "true" });

	async function signedIn({ slug }: PagesTenant, email: string) {
		const { page, problems } = await open((await pages()).baseUrl);
		await page.goto(`/t/${slug}/sign-in`);
		await fillSignIn(page, email);
		await waitForAccount(page);
		return { page, problems };
	}

	test("a user signs up, signs out, and signs in again", async () => {
		const server = await pages();
		const { slug } = await server.newTenant("Acme");
		const { page, problems } = await open(server.baseUrl);
		await page.goto(`/t/${slug}`);
		await page.getByRole("link", { name: "Create an account" }).click();
		await fillSignUp(page, "ada@example.com");
		await waitForAccount(page);
		await expect.poll(() => new URL(page.url()).pathname).toBe(`/t/${slug}/account`);

		await page.getByRole("button", { name: "Sign out" }).click();
		await page.getByRole("heading", { name: "Sign in" }).waitFor();
		await fillSignIn(page, "ada@example.com", "not the password");
		await page.getByRole("alert").filter({ hasText: "Incorrect email or password." }).waitFor();
		await fillSignIn(page, "ada@example.com");
		await waitForAccount(page);
		expect(problems).toEqual([]);
	});

	test("an email that is taken is an error at its field, and is available in another tenant", async () => {
		const server = await pages();
		const acme = await server.newTenant("Acme");
		const globex = await server.newTenant("Globex");
		await server.signUp(acme, "ada@example.com", password);
		const { page } = await open(server.baseUrl);
		await page.goto(`/t/${acme.slug}/sign-up`);
		await fillSignUp(page, "ada@example.com");
		await page.getByText("An account with this email already exists").waitFor();
		const field = page.getByLabel("Email", { exact: true });
		await expect.poll(() => field.getAttribute("aria-invalid")).toBe("true");

		await page.goto(`/t/${globex.slug}/sign-up`);
		await fillSignUp(page, "ada@example.com");
		await waitForAccount(page);
		await page.goto(`/t/${acme.slug}/account`);
		await page.getByRole("heading", { name: "Sign in" }).waitFor();
	});

	test("a link from an email resets a forgotten password, once", async () => {
		const server = await pages();
		const acme = await server.newTenant("Acme");
		await server.signUp(acme, "forgetful@example.com", password);
		const { page, problems } = await open(server.baseUrl);
		await page.goto(`/t/${acme.slug}/sign-in`);
		await page.getByRole("link", { name: "Forgot your password?" }).click();
		await submitForm(page, "Send link", { Email: "forgetful@example.com" });
		await page.getByRole("heading", { name: "Check your email" }).waitFor();

		const link = await server.emailedLink("forgetful@example.com");
		await page.goto(link);
		await page.getByLabel("New password", { exact: true }).fill("another horse battery");
		await page.getByRole("button", { name: "Save password" }).click();
		await page.getByRole("link", { name: "Sign in" }).click();
		await fillSignIn(page, "forgetful@example.com", "another horse battery");
		await waitForAccount(page);

		await page.goto(link);
		await page.getByRole("heading", { name: "This link no longer works" }).waitFor();
		expect(problems).toEqual([]);
	});

	test("a link from an email verifies a new user before the first sign-in", async () => {
		const server = await strictPages();
		const { slug } = await server.newTenant("Acme");
		const { page, problems } = await open(server.baseUrl);
		await page.goto(`/t/${slug}/sign-up`);
		await fillSignUp(page, "new@example.com");
		await page.getByText("We sent a link to new@example.com").waitFor();

		await page.goto(`/t/${slug}/sign-in`);
		await fillSignIn(page, "new@example.com");
		await page.getByText("Verify your email before you sign in.").waitFor();

		await page.goto(await server.emailedLink("new@example.com"));
		await page.getByRole("button", { name: "Verify your email" }).click();
		await page.getByText("Your email is verified.").waitFor();
		await page.getByRole("link", { name: "Go to your account" }).click();
		await page.getByText("Verified", { exact: true }).waitFor();
		expect(problems).toEqual([]);
	});

	test("the account page changes the name and the password, and revokes other sessions", async () => {
		const server = await pages();
		const acme = await server.newTenant("Acme");
		await server.signUp(acme, "ada@example.com", password);
		const { page, problems } = await signedIn(acme, "ada@example.com");

		await page.getByLabel("Name", { exact: true }).fill("Countess Ada");
		await page.getByRole("button", { name: "Save" }).click();
		await page.getByText("Name saved.").waitFor();
		await page.reload();
		await expect
			.poll(() => page.getByLabel("Name", { exact: true }).inputValue())
			.toBe("Countess Ada");

		await page.getByRole("button", { name: /^Sign out of (?!all)\S/ }).click();
		await expect.poll(() => page.getByText("This device").count()).toBe(1);
		await expect.poll(() => page.getByRole("button", { name: /^Sign out of \S/ }).count()).toBe(0);

		await page.getByLabel("Current password", { exact: true }).fill("not the password");
		await page.getByLabel("New password", { exact: true }).fill("another horse battery");
		await page.getByRole("button", { name: "Change password" }).click();
		await page.getByText("Incorrect password.").waitFor();
		await page.getByLabel("Current password", { exact: true }).fill(password);
		await page.getByRole("button", { name: "Change password" }).click();
		await page.getByText("Password changed.").waitFor();
		expect(problems).toEqual([]);
	});

	test("an account is deleted after the user typed its email and opened the link from an email", async () => {
		const server = await pages();
		const acme = await server.newTenant("Acme");
		await server.signUp(acme, "leaving@example.com", password);
		const { page, problems } = await signedIn(acme, "leaving@example.com");
		await page.getByRole("button", { name: "Delete account" }).click();
		const last = page.getByRole("button", { name: "Send confirmation link" });
		await expect.poll(() => last.isDisabled()).toBe(true);
		await page.getByLabel("Type your email").fill("leaving@example.com");
		await last.click();
		await page.getByText("Open it to delete your account.").waitFor();
		await page.goto(await server.emailedLink("leaving@example.com"));
		await page.getByRole("button", { name: "Delete account" }).click();
		await page.getByRole("heading", { name: "Account deleted" }).waitFor();
		await page.goto(`/t/${acme.slug}/account`);
		await page.getByRole("heading", { name: "Sign in" }).waitFor();
		expect(problems).toEqual([]);
	});

	test("a provider account is linked, used for a sign-in, and unlinked", async () => {
		const { server, provider } = await pagesWithProvider();
		const acme = await server.newTenant("Acme");
		const person = provider.addPerson({ email: "ada@example.com" });
		await server.signUp(acme, "ada@example.com", password);
		const { page, problems } = await open(server.baseUrl, [provider.url]);
		await page.goto(`/t/${acme.slug}/sign-in`);
		await fillSignIn(page, "ada@example.com");

		await page.getByRole("button", { name: "Link GitLab" }).click();
		await passProvider(page, person);
		await page.getByRole("button", { name: "Unlink GitLab" }).waitFor();
		await expect.poll(() => new URL(page.url()).pathname).toBe(`/t/${acme.slug}/account`);

		await page.getByRole("button", { name: "Sign out", exact: true }).click();
		await page.getByRole("button", { name: "Continue with GitLab" }).click();
		await waitForAccount(page);
		await page.getByRole("button", { name: "Unlink GitLab" }).click();
		await page.getByRole("button", { name: "Link GitLab" }).waitFor();
		expect(problems).toEqual([]);
	});

	test("a tenant that is suspended while the page is open says so at the next sign-in", async () => {
		const server = await pages();
		const acme = await server.newTenant("Acme");
		const { page } = await open(server.baseUrl);
		await page.goto(`/t/${acme.slug}/sign-in`);
		await page.getByRole("heading", { name: "Sign in" }).waitFor();
		await server.manage("/suspend", { tenantId: acme.id });
		await fillSignIn(page, "ada@example.com");
		const heading = page.getByRole("heading", { name: "Organization suspended" });
		await expect.poll(() => heading.isVisible()).toBe(true);
	});

	test("the chosen theme survives a reload", async () => {
		const server = await pages();
		const { slug } = await server.newTenant("Acme");
		const { page } = await open(server.baseUrl);
		await page.emulateMedia({ colorScheme: "light" });
		await page.goto(`/t/${slug}/sign-in`);
		await page.getByRole("button", { name: "Switch to dark mode" }).click();
		await page.reload();
		await page.getByRole("button", { name: "Switch to light mode" }).waitFor();
		expect(await page.evaluate("getComputedStyle(document.documentElement).colorScheme")).toBe(
			"dark",
		);
	});
});
