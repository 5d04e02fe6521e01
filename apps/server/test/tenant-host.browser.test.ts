import { describe, expect, onTestFinished, test } from "vitest";
import { startIdentityProvider } from "../../../packages/tenant-auth/test/support/providers/identity-provider";
import { services } from "../../../testing/services";
import { useChromium } from "./chromium";
import { enterConsole } from "./console-driver";
import { fillSignIn } from "./end-user";
import { submitForm } from "./forms";
import { passProvider } from "./provider-login";
import { type PagesTenant, usePages } from "./running-pages";

describe.skipIf(!services.browser)("a tenant on its own host", () => {
	const open = useChromium();
	const pages = usePages({
		TENANT_DOMAIN: "tenants.localhost",
		ALLOW_PRIVATE_PROVIDER_HOSTS: "true",
	});

	const originOf = ({ slug }: PagesTenant, baseUrl: string) =>
		`http://${slug}.tenants.localhost:${new URL(baseUrl).port}`;

	test("has its pages at the root, and its URL on the service redirects there", async () => {
		const server = await pages();
		const acme = await server.newTenant("Acme");
		const origin = originOf(acme, server.baseUrl);
		const { page, problems } = await open(server.baseUrl, [origin]);
		await page.goto(`/t/${acme.slug}`);
		await page.getByRole("link", { name: "Create an account" }).click();
		await expect.poll(() => page.url()).toBe(`${origin}/sign-up`);
		await submitForm(page, "Create account", {
			Name: "Ada Lovelace",
			Email: "ada@example.com",
			Password: "correct horse battery",
		});
		await page.getByRole("heading", { name: "Account", exact: true }).waitFor();
		await expect.poll(() => page.url()).toBe(`${origin}/account`);
		expect(problems).toEqual([]);
	});

	test("has the pages of its administrators, where its owner is signed in", async () => {
		const server = await pages();
		const acme = await server.newTenant("Acme");
		const globex = await server.newTenant("Globex");
		const [email, password] = ["ada@example.com", "correct horse battery"];
		for (const { id: tenantId } of [acme, globex]) {
			const user = { tenantId, name: "Ada", email, password, role: "owner" };
			await server.manage("/user/create", user);
		}
		const [origin, other] = [acme, globex].map((tenant) => originOf(tenant, server.baseUrl));
		const { page, problems } = await open(server.baseUrl, [String(origin), String(other)]);
		await page.goto(`/t/${acme.slug}/admin/users`);
		await page.waitForURL(`${origin}/sign-in?callbackURL=*`);
		await fillSignIn(page, email);
		await page.waitForURL(`${origin}/admin/users`);
		await page.getByRole("table").getByText(email).waitFor();
		await page.getByRole("link", { name: "Overview" }).click();
		await page.getByRole("link", { name: `${origin}/` }).waitFor();
		await expect.poll(() => page.url()).toBe(`${origin}/admin`);
		await page.goto(`${other}/admin`);
		await page.waitForURL(`${other}/sign-in?callbackURL=*`);
		expect(problems).toEqual([]);
	});

	test("is where a provider redirects to, as the console shows", async () => {
		const server = await pages();
		const acme = await server.newTenant("Acme");
		const origin = originOf(acme, server.baseUrl);
		const provider = await startIdentityProvider("gitlab");
		onTestFinished(() => provider.close());

		const { page: operator, problems } = await open(server.baseUrl);
		await enterConsole(operator, `/console/tenants/${acme.id}/providers`);
		await operator.getByRole("button", { name: "Set up GitLab" }).click();
		const dialog = operator.getByRole("dialog");
		const callbacks = dialog.locator("dd code");
		await callbacks.nth(1).waitFor();
		const [tenantCallback, serviceCallback] = await callbacks.allTextContents();
		expect(tenantCallback).toBe(`${origin}/api/auth/tenant/callback/gitlab`);
		expect(serviceCallback).toBe(`${server.baseUrl}/api/auth/tenant/callback/gitlab`);

		const client = await provider.addClient({ redirectURIs: [tenantCallback ?? ""] });
		await dialog.getByLabel("Client ID").fill(client.clientId);
		await dialog.getByLabel("Client secret", { exact: true }).fill(client.clientSecret);
		await dialog.getByLabel("Issuer").fill(provider.url);
		await dialog.getByRole("button", { name: "Save credentials" }).click();
		await operator.getByText(client.clientId).waitFor();
		await expect
			.poll(() => operator.locator("dd code").allTextContents())
			.toContain(tenantCallback);

		const { page } = await open(origin, [provider.url]);
		await page.goto("/");
		await page.getByRole("button", { name: "Continue with GitLab" }).click();
		await page.locator("[name=login]").waitFor();
		await passProvider(page, provider.addPerson({ email: "grace@example.com" }));
		await page.getByRole("heading", { name: "Account", exact: true }).waitFor();
		await expect.poll(() => page.url()).toBe(`${origin}/account`);
		expect(problems).toEqual([]);
	});
});
