import { describe, expect, onTestFinished, test } from "vitest";
import { startIdentityProvider } from "../../../packages/tenant-auth/test/support/providers/identity-provider";
import { services } from "../../../testing/services";
import { checkPage, useChromium } from "./chromium";
import { enterConsole } from "./console-driver";
import { waitForAccount } from "./end-user";
import { passProvider } from "./provider-login";
import { usePages } from "./running-pages";

describe.skipIf(!services.browser)("setting up a provider in the console", () => {
	const open = useChromium();
	const pages = usePages({ ALLOW_PRIVATE_PROVIDER_HOSTS: "true" });

	test("the steps at the provider have the callback URL, and work with the keyboard", async () => {
		const server = await pages();
		const tenant = await server.newTenant("Acme");
		const { page, problems } = await open(server.baseUrl);
		await enterConsole(page, `/console/tenants/${tenant.id}/providers`);
		await page.getByRole("button", { name: "Set up GitHub" }).click();
		const dialog = page.getByRole("dialog");
		await dialog.getByText("Press Generate a new client secret").waitFor();
		const callback = `${server.baseUrl}/api/auth/tenant/callback/github`;
		await expect.poll(() => dialog.getByRole("list").innerText()).toContain(callback);
		const link = dialog.getByRole("link", { name: "the developer settings of GitHub (new tab)" });
		await expect
			.poll(() => link.getAttribute("href"))
			.toBe("https://github.com/settings/developers");
		expect(await checkPage(page, "console-guide")).toEqual([]);

		// The summary has the focus.
		await page.keyboard.press("Enter");
		await dialog.getByText("Press Generate a new client secret").waitFor({ state: "hidden" });
		await page.keyboard.press("Enter");
		await dialog.getByText("If it does not work").focus();
		await page.keyboard.press("Enter");
		await dialog.getByText("An OAuth app has one callback URL.").waitFor();
		expect(await checkPage(page, "console-guide-errors")).toEqual([]);
		expect(problems).toEqual([]);
	});

	test("an OpenID Connect provider is added, tested, and signs a user in", async () => {
		const server = await pages();
		const tenant = await server.newTenant("Acme");
		const provider = await startIdentityProvider("openid");
		onTestFinished(() => provider.close());
		const callback = `${server.baseUrl}/api/auth/tenant/callback/oidc:staff:${tenant.id}`;
		const client = await provider.addClient({ redirectURIs: [callback] });
		const { page, problems } = await open(server.baseUrl, [provider.url]);
		await enterConsole(page, `/console/tenants/${tenant.id}/providers`);
		await page.getByRole("button", { name: "Add OpenID Connect" }).click();
		const dialog = page.getByRole("dialog");
		await dialog.getByLabel("ID", { exact: true }).fill("Staff!");
		await dialog.getByText("Use lowercase letters, digits and hyphens.").waitFor();
		await dialog.getByLabel("ID", { exact: true }).fill("staff");
		expect(await checkPage(page, "console-add-openid")).toEqual([]);
		await dialog.getByRole("button", { name: "Continue" }).click();
		await dialog.getByText(callback).waitFor();
		await dialog.getByText("How to set up Okta").waitFor();
		await dialog.getByLabel("Product").selectOption("Keycloak");
		await dialog.getByText("How to set up Keycloak").waitFor();
		await dialog.getByLabel("Client ID").fill(client.clientId);
		await dialog.getByLabel("Client secret", { exact: true }).fill(client.clientSecret);
		await dialog.getByLabel("Issuer").fill(provider.url);
		await dialog.getByLabel("Name", { exact: true }).fill("Acme Staff");
		expect(await checkPage(page, "console-openid-credentials")).toEqual([]);
		await dialog.getByRole("button", { name: "Save credentials" }).click();

		await page.getByText("Saved. Find out whether Acme Staff accepts it.").waitFor();
		expect(await checkPage(page, "console-provider-saved")).toEqual([]);
		// The button has the focus.
		await page.keyboard.press("Enter");
		await dialog.getByText("The provider accepts this client.").waitFor();
		await page.keyboard.press("Escape");

		await page.goto(`/t/${tenant.slug}/sign-in`);
		await page.getByRole("button", { name: "Continue with Acme Staff" }).click();
		await passProvider(page, provider.addPerson({ email: "ada@acme.example" }));
		await waitForAccount(page);
		expect(problems).toEqual([]);
	});
});
