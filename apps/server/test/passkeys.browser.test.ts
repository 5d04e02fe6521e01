import { describe, expect, test } from "vitest";
import { services } from "../../../testing/services";
import { checkPage, useChromium } from "./chromium";
import { enterConsole, waitForToast } from "./console-driver";
import { addAuthenticator, enroll, fillSignIn, password, waitForAccount } from "./end-user";
import { submitForm } from "./forms";
import { usePages } from "./running-pages";

describe.skipIf(!services.browser)("ways to sign in without a password", () => {
	const open = useChromium();
	const pages = usePages();

	test("a passkey is added, signs in, works in its own tenant only, and is removed", async () => {
		const server = await pages();
		const acme = await server.newTenant("Acme");
		const globex = await server.newTenant("Globex");
		await server.signUp(acme, "ada@example.com", password);
		await server.signUp(globex, "ada@example.com", password);
		const { page, problems } = await open(server.baseUrl);
		await addAuthenticator(page);
		await page.goto(`/t/${acme.slug}/sign-in`);
		await fillSignIn(page, "ada@example.com");
		await page.getByRole("button", { name: "Add a passkey" }).click();
		await page.getByRole("button", { name: /^Remove Chrome on / }).waitFor();
		expect(await checkPage(page, "tenant-account-passkey")).toEqual([]);

		await page.getByRole("button", { name: "Sign out", exact: true }).click();
		await page.getByRole("button", { name: "Sign in with a passkey" }).click();
		await waitForAccount(page);
		await expect.poll(() => new URL(page.url()).pathname).toBe(`/t/${acme.slug}/account`);

		await page.getByRole("button", { name: "Sign out", exact: true }).click();
		await page.goto(`/t/${globex.slug}/sign-in`);
		await page.getByRole("button", { name: "Sign in with a passkey" }).click();
		await page.getByRole("alert").filter({ hasText: "passkey" }).waitFor();

		await page.goto(`/t/${acme.slug}/sign-in`);
		await page.getByRole("button", { name: "Sign in with a passkey" }).click();
		await page.getByRole("button", { name: /^Remove Chrome on / }).click();
		await page.getByText("You have no passkeys yet.").waitFor();
		expect(problems).toEqual([]);
	});

	test("a passkey takes the place of a code after the password", async () => {
		const server = await pages();
		const acme = await server.newTenant("Acme");
		await server.signUp(acme, "ada@example.com", password);
		const { page, problems } = await open(server.baseUrl);
		await addAuthenticator(page);
		await page.goto(`/t/${acme.slug}/sign-in`);
		await fillSignIn(page, "ada@example.com");
		await page.getByRole("button", { name: "Add a passkey" }).click();
		await page.getByRole("button", { name: /^Remove Chrome on / }).waitFor();
		await page.getByRole("link", { name: "Set up" }).click();
		await enroll(page);
		await waitForAccount(page);

		await page.getByRole("button", { name: "Sign out", exact: true }).click();
		await fillSignIn(page, "ada@example.com");
		await page.getByRole("button", { name: "Use a passkey" }).waitFor();
		expect(await checkPage(page, "tenant-two-factor-passkey")).toEqual([]);
		await page.getByRole("button", { name: "Use a passkey" }).click();
		await waitForAccount(page);
		expect(problems).toEqual([]);
	});

	test("a passkey that the user chooses at the email field signs in", async () => {
		const server = await pages();
		const acme = await server.newTenant("Acme");
		await server.signUp(acme, "ada@example.com", password);
		const { page, problems } = await open(server.baseUrl);
		await addAuthenticator(page, { autofill: true });
		await page.goto(`/t/${acme.slug}/sign-in`);
		await fillSignIn(page, "ada@example.com");
		await page.getByRole("button", { name: "Add a passkey" }).click();
		await page.getByRole("button", { name: /^Remove Chrome on / }).waitFor();
		const signedOut = page.waitForResponse(/\/sign-out$/);
		const signedIn = page.waitForResponse(/\/passkey\/verify-authentication$/);
		await page.getByRole("button", { name: "Sign out", exact: true }).click();
		expect((await signedOut).status()).toBe(200);
		expect((await signedIn).status()).toBe(200);
		await waitForAccount(page);
		await expect.poll(() => new URL(page.url()).pathname).toBe(`/t/${acme.slug}/account`);
		expect(problems).toEqual([]);
	});

	test("a lost passkey is removed in the console", async () => {
		const server = await pages();
		const acme = await server.newTenant("Acme");
		const { user } = await server.signUp(acme, "ada@example.com", password);
		const { page } = await open(server.baseUrl);
		await addAuthenticator(page);
		await page.goto(`/t/${acme.slug}/sign-in`);
		await fillSignIn(page, "ada@example.com");
		await page.getByRole("button", { name: "Add a passkey" }).click();
		await page.getByRole("button", { name: /^Remove Chrome on / }).waitFor();

		const { page: operator, problems } = await open(server.baseUrl);
		await enterConsole(operator, `/console/tenants/${acme.id}/users/${user.id}`);
		const remove = operator.getByRole("button", { name: /^Remove the passkey Chrome on / });
		await remove.waitFor();
		expect(await checkPage(operator, "console-user-passkey")).toEqual([]);
		await remove.click();
		expect(await checkPage(operator, "console-remove-passkey")).toEqual([]);
		await operator.getByRole("dialog").getByRole("button", { name: "Remove passkey" }).click();
		await waitForToast(operator, "Passkey removed.");
		await remove.waitFor({ state: "detached" });

		await page.goto(`/t/${acme.slug}/sign-in`);
		await page.getByRole("button", { name: "Sign in with a passkey" }).click();
		await page.getByRole("alert").filter({ hasText: "passkey" }).waitFor();
		await operator.goto(`/console/tenants/${acme.id}/audit`);
		await operator.getByRole("table").getByText("Passkeys removed").first().waitFor();
		expect(problems).toEqual([]);
	});

	test("a link from an email signs in once, and nobody else gets one", async () => {
		const server = await pages();
		const acme = await server.newTenant("Acme");
		await server.signUp(acme, "ada@example.com", password);
		const { page, problems } = await open(server.baseUrl);
		const request = async (email: string) => {
			await page.goto(`/t/${acme.slug}/sign-in`);
			await page.getByRole("link", { name: "Email me a sign-in link" }).click();
			await submitForm(page, "Send link", { Email: email });
			await page.getByText(`If an account exists for ${email}`).waitFor();
		};
		await request("nobody@example.com");
		await expect(server.emailedLink("nobody@example.com")).rejects.toThrow("No email");
		await request("ada@example.com");
		const link = await server.emailedLink("ada@example.com");
		// A program that looks into emails opens it first.
		await page.goto(link);
		await page.getByRole("button", { name: "Sign in" }).waitFor();
		await page.goto(link);
		await page.getByRole("button", { name: "Sign in" }).click();
		await waitForAccount(page);
		await page.goto(link);
		await page.getByRole("button", { name: "Sign in" }).click();
		await page.getByRole("heading", { name: "This link no longer works" }).waitFor();
		await expect.poll(() => new URL(page.url()).pathname).toBe(`/t/${acme.slug}/error`);
		expect(problems).toEqual([]);
	});

	test("are shown only if the tenant's policy allows them", async () => {
		const server = await pages();
		const acme = await server.newTenant("Acme");
		const { page } = await open(server.baseUrl);
		const passkey = page.getByRole("button", { name: "Sign in with a passkey" });
		const emailLink = page.getByRole("link", { name: "Email me a sign-in link" });
		const shown = async () => [
			await page.getByLabel("Password", { exact: true }).count(),
			await passkey.count(),
			await emailLink.count(),
		];
		const expectShown = async (methods: string[], expected: number[]) => {
			await server.manage("/policy/update", { tenantId: acme.id, signIn: { methods } });
			await page.goto(`/t/${acme.slug}/sign-in`);
			await page.getByRole("heading", { name: "Sign in" }).waitFor();
			await expect.poll(shown).toEqual(expected);
		};
		await expectShown(["password"], [1, 0, 0]);
		await expectShown(["passkey"], [0, 1, 0]);
		await expectShown(["magic-link"], [0, 0, 1]);
		expect(await checkPage(page, "tenant-sign-in-email-link-only")).toEqual([]);
		await page.goto(`/t/${acme.slug}/email-link`);
		await page.getByRole("heading", { name: "Sign in by email" }).waitFor();
		expect(await checkPage(page, "tenant-email-link")).toEqual([]);
		await expectShown(["social"], [0, 0, 0]);
		await page.getByText("No sign-in method is available yet.").waitFor();
	});
});
