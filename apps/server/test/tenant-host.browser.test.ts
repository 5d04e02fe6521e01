import { describe, expect, onTestFinished, test } from "vitest";
import { startIdentityProvider } from "../../../packages/tenant-auth/test/support/identity-provider";
import { services } from "../../../testing/services";
import { useChromium } from "./chromium";
import { enterConsole } from "./console-driver";
import { passProvider } from "./provider-login";
import { type PagesTenant, usePages } from "./running-pages";

// A browser takes its time on a busy machine.
describe.skipIf(!services.browser)("a tenant on its own host", () => {
	const open = useChromium();
	const pages = usePages({
		TENANT_DOMAIN: "tenants.localhost",
		ALLOW_PRIVATE_PROVIDER_HOSTS: "true",
	});

	const originOf = ({ slug }: PagesTenant, baseUrl: string) =>
		`http://${slug}.tenants.localhost:${new URL(baseUrl).port}`;

	test("has its pages at the root, and is where its address at the service leads", async () => {
		const server = await pages();
		const acme = await server.newTenant("Acme");
		const origin = originOf(acme, server.baseUrl);
		const { page, problems } = await open(server.baseUrl, [origin]);
		await page.goto(`/t/${acme.slug}`);
		await page.getByRole("link", { name: "Create an account" }).click();
		expect(page.url()).toBe(`${origin}/sign-up`);
		await page.getByLabel("Name", { exact: true }).fill("Ada Lovelace");
		await page.getByLabel("Email", { exact: true }).fill("ada@example.com");
		await page.getByLabel("Password", { exact: true }).fill("correct horse battery");
		await page.getByRole("button", { name: "Create account" }).click();
		await page.getByRole("heading", { name: "Account", exact: true }).waitFor();
		expect(page.url()).toBe(`${origin}/account`);
		expect(problems).toEqual([]);
	});

	test("is what a provider sends people back to, as the console says", async () => {
		const server = await pages();
		const acme = await server.newTenant("Acme");
		const origin = originOf(acme, server.baseUrl);
		const provider = await startIdentityProvider("gitlab");
		onTestFinished(() => provider.close());

		const { page: console_, problems } = await open(server.baseUrl);
		await enterConsole(console_, `/console/tenants/${acme.id}/providers`);
		await console_.getByRole("button", { name: "Set up GitLab" }).click();
		const dialog = console_.getByRole("dialog");
		const callbacks = dialog.locator("dd code");
		await callbacks.first().waitFor();
		const [ofPages, ofService] = await callbacks.allTextContents();
		expect(ofPages).toBe(`${origin}/api/auth/tenant/callback/gitlab`);
		expect(ofService).toBe(`${server.baseUrl}/api/auth/tenant/callback/gitlab`);

		const client = await provider.addClient({ redirectURIs: [ofPages ?? ""] });
		await dialog.getByLabel("Client ID").fill(client.clientId);
		await dialog.getByLabel("Client secret", { exact: true }).fill(client.clientSecret);
		await dialog.getByLabel("Issuer").fill(provider.url);
		await dialog.getByRole("button", { name: "Store credentials" }).click();
		await console_.getByText(client.clientId).waitFor();
		expect(await console_.locator("dd code").allTextContents()).toContain(ofPages);

		const { page } = await open(origin, [provider.url]);
		await page.goto("/");
		await page.getByRole("button", { name: "Continue with GitLab" }).click();
		await page.locator("[name=login]").waitFor();
		await passProvider(page, provider.addPerson({ email: "grace@example.com" }));
		await page.getByRole("heading", { name: "Account", exact: true }).waitFor();
		expect(page.url()).toBe(`${origin}/account`);
		expect(problems).toEqual([]);
	});
});
