import type { Page } from "playwright-core";
import { describe, expect, onTestFinished, test } from "vitest";
import { startIdentityProvider } from "../../../packages/tenant-auth/test/support/providers/identity-provider";
import { notEmpty } from "../../../testing/not-empty";
import { services } from "../../../testing/services";
import { useChromium } from "./chromium";
import { confirm, enterConsole, waitForToast } from "./console-driver";
import { fillSignUp, waitForAccount } from "./end-user";
import { passProvider } from "./provider-login";
import { runningPages } from "./running-pages";

const ada = "ada@example.com";

const waitForSignIn = (page: Page) => page.getByRole("heading", { name: "Sign in" }).waitFor();

async function signUp(page: Page, slug: string, email: string): Promise<void> {
	await page.goto(`/t/${slug}/sign-up`);
	await fillSignUp(page, email);
	await waitForAccount(page);
}

describe.skipIf(!services.browser)("the life of a tenant in Chromium", () => {
	const open = useChromium();

	test("works from creation to deletion, and leaves the user with the same email in another tenant alone", async () => {
		const server = await runningPages({ ALLOW_PRIVATE_PROVIDER_HOSTS: "true" });
		const provider = await startIdentityProvider("gitlab");
		onTestFinished(() => provider.close());
		const browsers = {
			operator: await open(server.baseUrl),
			ada: await open(server.baseUrl),
			grace: await open(server.baseUrl, [provider.url]),
			neighbor: await open(server.baseUrl),
		};
		const { page: operator } = browsers.operator;
		const { page: adasPage } = browsers.ada;
		const { page: gracesPage } = browsers.grace;
		const { page: neighbor } = browsers.neighbor;

		// The same email in another tenant.
		const globex = await server.newTenant("Globex");
		await signUp(neighbor, globex.slug, ada);
		type Row = { id: string; email: string; updatedAt: string };
		const usersOfGlobex = () => server.manage<Row[]>(`/user/list?tenantId=${globex.id}`);
		const usersBefore = await usersOfGlobex();
		expect(usersBefore.map(({ email }) => email)).toEqual([ada]);
		const expectNeighborUntouched = async () => {
			await neighbor.reload();
			await waitForAccount(neighbor);
			await neighbor.getByText(ada).first().waitFor();
			expect(await usersOfGlobex()).toEqual(usersBefore);
		};

		await enterConsole(operator, "/console/tenants/new");
		await operator.getByLabel("Name").fill("Acme");
		await operator.getByText("“acme” is available.").waitFor();
		await operator.getByRole("button", { name: "Create tenant" }).click();
		await operator.getByRole("heading", { name: "Acme", exact: true }).waitFor();
		await expectNeighborUntouched();

		// The provider gets the callback URL that the console shows.
		await operator.getByRole("link", { name: "Providers", exact: true }).click();
		await operator.getByRole("button", { name: "Set up GitLab" }).click();
		const dialog = operator.getByRole("dialog");
		const callback = await dialog.locator("dd code").first().textContent();
		const redirectURIs = [callback ?? ""];
		const saveCredentials = async (client: { clientId: string; clientSecret: string }) => {
			await dialog.getByLabel("Client ID").fill(client.clientId);
			await dialog.getByLabel("Client secret", { exact: true }).fill(client.clientSecret);
			await dialog.getByLabel("Issuer").fill(provider.url);
			await dialog.getByRole("button", { name: "Save credentials" }).click();
			await operator.getByText(client.clientId).waitFor();
		};
		const first = await provider.addClient({ redirectURIs });
		await saveCredentials(first);
		await expectNeighborUntouched();

		await signUp(adasPage, "acme", ada);
		const signInWithProvider = async () => {
			await gracesPage.goto("/t/acme");
			await gracesPage.getByRole("button", { name: "Continue with GitLab" }).click();
		};
		await signInWithProvider();
		await passProvider(gracesPage, provider.addPerson({ email: "grace@example.com" }));
		await waitForAccount(gracesPage);
		await expectNeighborUntouched();

		await operator.getByRole("link", { name: "Users", exact: true }).click();
		await operator.getByText("1–2 of 2 users").waitFor();
		await operator.getByText(ada).waitFor();
		await operator.getByRole("cell", { name: "grace@example.com", exact: true }).waitFor();

		await operator
			.getByRole("row", { name: /grace@example\.com/ })
			.getByRole("link")
			.click();
		await operator.getByText("GitLab", { exact: true }).waitFor();
		await operator.getByRole("main").getByRole("button", { name: "Sign out" }).click();
		await operator.getByRole("dialog").getByRole("button", { name: "Sign out" }).click();
		await operator.getByText("No active sessions").waitFor();
		await gracesPage.reload();
		await waitForSignIn(gracesPage);
		await adasPage.reload();
		await waitForAccount(adasPage);
		await expectNeighborUntouched();

		// The provider has a new client, and the console gets its credentials.
		await provider.removeClient(first.clientId);
		await operator.getByRole("link", { name: "Providers", exact: true }).click();
		await operator.getByRole("button", { name: "Replace credentials for GitLab" }).click();
		await saveCredentials(await provider.addClient({ redirectURIs }));
		await expect.poll(() => operator.getByText(first.clientId).count()).toBe(0);
		await signInWithProvider();
		await gracesPage.locator("[name=decision]").fill("allow");
		await gracesPage.locator("form").evaluate("document.forms[0].submit()");
		await waitForAccount(gracesPage);
		await expectNeighborUntouched();

		await operator.getByRole("link", { name: "Settings" }).click();
		await operator.getByRole("button", { name: "Suspend" }).click();
		await confirm(operator, "acme", "Suspend tenant");
		await operator.getByText("Suspended since").waitFor();
		await adasPage.reload();
		await adasPage.getByRole("heading", { name: "Organization suspended" }).waitFor();
		await expectNeighborUntouched();

		await operator.getByRole("button", { name: "Resume" }).click();
		await waitForToast(operator, "Acme was resumed.");
		await adasPage.reload();
		await waitForAccount(adasPage);
		await expectNeighborUntouched();

		await operator.getByRole("button", { name: "Delete", exact: true }).click();
		await confirm(operator, "acme", "Delete tenant");
		await operator.getByRole("heading", { name: "Tenants" }).waitFor();
		for (const page of [adasPage, gracesPage]) {
			await page.reload();
			await page.getByRole("heading", { name: "Organization not found" }).waitFor();
		}
		await expectNeighborUntouched();

		await operator.getByRole("link", { name: "Audit log" }).click();
		for (const event of [
			"Tenant created",
			"Credentials saved",
			"User signed out",
			"Tenant suspended",
			"Tenant resumed",
			"Tenant deleted",
		]) {
			await operator.getByRole("cell", { name: event }).first().waitFor();
		}
		for (const [name, { problems }] of notEmpty(Object.entries(browsers))) {
			expect({ name, problems }).toEqual({ name, problems: [] });
		}
	});
});
