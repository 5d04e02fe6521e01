import { describe, expect, onTestFinished, test } from "vitest";
import { startIdentityProvider } from "../../../packages/tenant-auth/test/support/providers/identity-provider";
import { services } from "../../../testing/services";
import { useChromium } from "./chromium";
import { fillSignIn, password, waitForAccount } from "./end-user";
import { passProvider } from "./provider-login";
import { usePages } from "./running-pages";

describe.skipIf(!services.browser)("a tenant that moves to its own identity provider", () => {
	const open = useChromium();
	const pages = usePages({ ALLOW_PRIVATE_PROVIDER_HOSTS: "true" });

	test("does not lose a user with a password: the user links the provider", async () => {
		const server = await pages();
		const acme = await server.newTenant("Acme");
		await server.signUp(acme, "bob@entra.example", password);
		const provider = await startIdentityProvider("gitlab");
		onTestFinished(() => provider.close());
		const client = await provider.addClient({
			redirectURIs: [`${server.baseUrl}/api/auth/tenant/callback/gitlab`],
		});
		await server.manage("/oauth-config/register", {
			tenantId: acme.id,
			providerId: "gitlab",
			clientId: client.clientId,
			clientSecret: client.clientSecret,
			options: { issuer: provider.url },
		});
		const person = provider.addPerson({ email: "bob@entra.example" });
		const { page, problems } = await open(server.baseUrl, [provider.url]);

		// The tenant controls the provider, so its word about an email joins nobody.
		await page.goto(`/t/${acme.slug}/sign-in`);
		await page.getByRole("button", { name: "Continue with GitLab" }).click();
		await passProvider(page, person);
		await page.getByRole("heading", { name: "Could not link this account" }).waitFor();
		await page.getByRole("link", { name: "Back to sign-in" }).click();

		// What the page advises works.
		await fillSignIn(page, "bob@entra.example");
		await page.getByRole("button", { name: "Link GitLab" }).click();
		await page.getByRole("button", { name: "Unlink GitLab" }).waitFor();

		await page.getByRole("button", { name: "Sign out", exact: true }).click();
		await page.getByRole("button", { name: "Continue with GitLab" }).click();
		await waitForAccount(page);
		await page.getByText("bob@entra.example").first().waitFor();
		expect(problems).toEqual([]);
	});

	test("gets its users back after a sign-out, also if the provider could sign them out too", async () => {
		const server = await pages();
		const acme = await server.newTenant("Globex");
		const provider = await startIdentityProvider("openid");
		onTestFinished(() => provider.close());
		const providerId = "oidc:corp";
		const callback = `${server.baseUrl}/api/auth/tenant/callback/${providerId}:${acme.id}`;
		const { clientId, clientSecret } = await provider.addClient({ redirectURIs: [callback] });
		const options = { issuer: provider.url, name: "Corp" };
		const config = { tenantId: acme.id, providerId, clientId, clientSecret, options };
		await server.manage("/oauth-config/register", config);
		const person = provider.addPerson({ email: "peter@globex.example" });
		const { page, problems } = await open(server.baseUrl, [provider.url]);
		await page.goto(`/t/${acme.slug}/sign-in`);
		await page.getByRole("button", { name: "Continue with Corp" }).click();
		await passProvider(page, person);
		await waitForAccount(page);
		await page.getByRole("button", { name: "Sign out", exact: true }).click();
		await page.getByRole("button", { name: "Continue with Corp" }).waitFor();
		expect(problems).toEqual([]);
	});
});
