import type { Page } from "playwright-core";
import { describe, expect, onTestFinished, test } from "vitest";
import { startIdentityProvider } from "../../../packages/tenant-auth/test/support/identity-provider";
import { services } from "../../../testing/services";
import { useChromium } from "./chromium";
import { confirm, enterConsole, waitForToast } from "./console-driver";
import { passProvider } from "./provider-login";
import { runningPages } from "./running-pages";

const password = "correct horse battery";
const ada = "ada@example.com";

const waitForAccount = (page: Page) =>
	page.getByRole("heading", { name: "Account", exact: true }).waitFor();

const waitForSignIn = (page: Page) => page.getByRole("heading", { name: "Sign in" }).waitFor();

async function signUp(page: Page, slug: string, email: string): Promise<void> {
	await page.goto(`/t/${slug}/sign-up`);
	await page.getByLabel("Name", { exact: true }).fill("Ada Lovelace");
	await page.getByLabel("Email", { exact: true }).fill(email);
	await page.getByLabel("Password", { exact: true }).fill(password);
	await page.getByRole("button", { name: "Create account" }).click();
	await waitForAccount(page);
}

// A browser takes its time on a busy machine.
describe.skipIf(!services.browser)("the whole story in Chromium", () => {
	const open = useChromium();

	test("of a tenant, from its creation to its end, and of the same address in another", async () => {
		const server = await runningPages({ ALLOW_PRIVATE_PROVIDER_HOSTS: "true" });
		const provider = await startIdentityProvider("gitlab");
		onTestFinished(() => provider.close());
		const visitors = {
			operator: await open(server.baseUrl),
			ada: await open(server.baseUrl),
			grace: await open(server.baseUrl, [provider.url]),
			neighbour: await open(server.baseUrl),
		};
		const { page: operator } = visitors.operator;
		const { page: adasPage } = visitors.ada;
		const { page: gracesPage } = visitors.grace;
		const { page: neighbour } = visitors.neighbour;

		// The same address, in another tenant.
		const globex = await server.newTenant("Globex");
		await signUp(neighbour, globex.slug, ada);
		type Row = { id: string; email: string; updatedAt: string };
		const usersOfGlobex = () => server.manage<Row[]>(`/user/list?tenantId=${globex.id}`);
		const usersBefore = await usersOfGlobex();
		expect(usersBefore.map(({ email }) => email)).toEqual([ada]);
		const expectNeighbourUntouched = async () => {
			await neighbour.reload();
			await waitForAccount(neighbour);
			await neighbour.getByText(ada).first().waitFor();
			expect(await usersOfGlobex()).toEqual(usersBefore);
		};

		await enterConsole(operator, "/console/tenants/new");
		await operator.getByLabel("Name").fill("Acme");
		await operator.getByText("“acme” is free.").waitFor();
		await operator.getByRole("button", { name: "Create tenant" }).click();
		await operator.getByRole("heading", { name: "Acme", exact: true }).waitFor();
		await expectNeighbourUntouched();

		// What the console says is what is registered at the provider.
		await operator.getByRole("link", { name: "Providers", exact: true }).click();
		await operator.getByRole("button", { name: "Set up GitLab" }).click();
		const dialog = operator.getByRole("dialog");
		const callback = await dialog.locator("dd code").first().textContent();
		const redirectURIs = [callback ?? ""];
		const storeCredentials = async (client: { clientId: string; clientSecret: string }) => {
			await dialog.getByLabel("Client ID").fill(client.clientId);
			await dialog.getByLabel("Client secret", { exact: true }).fill(client.clientSecret);
			await dialog.getByLabel("Issuer").fill(provider.url);
			await dialog.getByRole("button", { name: "Store credentials" }).click();
			await operator.getByText(client.clientId).waitFor();
		};
		const first = await provider.addClient({ redirectURIs });
		await storeCredentials(first);
		await expectNeighbourUntouched();

		await signUp(adasPage, "acme", ada);
		const enterThroughProvider = async () => {
			await gracesPage.goto("/t/acme");
			await gracesPage.getByRole("button", { name: "Continue with GitLab" }).click();
		};
		await enterThroughProvider();
		await passProvider(gracesPage, provider.addPerson({ email: "grace@example.com" }));
		await waitForAccount(gracesPage);
		await expectNeighbourUntouched();

		await operator.getByRole("link", { name: "Users", exact: true }).click();
		await operator.getByText("1–2 of 2 users").waitFor();
		await operator.getByText(ada).waitFor();
		await operator.getByRole("cell", { name: "grace@example.com" }).waitFor();

		await operator
			.getByRole("row", { name: /grace@example\.com/ })
			.getByRole("link")
			.click();
		await operator.getByText("GitLab", { exact: true }).waitFor();
		await operator.getByRole("main").getByRole("button", { name: "Sign out" }).click();
		await confirm(operator, "grace@example.com", "Sign out");
		await operator.getByText("Not signed in anywhere").waitFor();
		await gracesPage.reload();
		await waitForSignIn(gracesPage);
		await adasPage.reload();
		await waitForAccount(adasPage);
		await expectNeighbourUntouched();

		// The old client is gone at the provider, and the new one is in the console.
		await provider.removeClient(first.clientId);
		await operator.getByRole("link", { name: "Providers", exact: true }).click();
		await operator.getByRole("button", { name: "Replace credentials for GitLab" }).click();
		await storeCredentials(await provider.addClient({ redirectURIs }));
		expect(await operator.getByText(first.clientId).count()).toBe(0);
		await enterThroughProvider();
		await gracesPage.locator("[name=decision]").fill("allow");
		await gracesPage.locator("form").evaluate("document.forms[0].submit()");
		await waitForAccount(gracesPage);
		await expectNeighbourUntouched();

		await operator.getByRole("link", { name: "Settings" }).click();
		await operator.getByRole("button", { name: "Suspend" }).click();
		await confirm(operator, "acme", "Suspend tenant");
		await operator.getByText("Suspended since").waitFor();
		await adasPage.reload();
		await adasPage.getByRole("heading", { name: "Sign-in is paused" }).waitFor();
		await expectNeighbourUntouched();

		await operator.getByRole("button", { name: "Resume" }).click();
		await waitForToast(operator, "Acme is resumed.");
		await adasPage.reload();
		await waitForAccount(adasPage);
		await expectNeighbourUntouched();

		await operator.getByRole("button", { name: "Delete", exact: true }).click();
		await confirm(operator, "acme", "Delete tenant");
		await operator.getByRole("heading", { name: "Tenants" }).waitFor();
		for (const page of [adasPage, gracesPage]) {
			await page.reload();
			await page.getByRole("heading", { name: "There is nothing here" }).waitFor();
		}
		await expectNeighbourUntouched();

		await operator.getByRole("link", { name: "Audit log" }).click();
		for (const done of [
			"Created the tenant",
			"Stored credentials",
			"Signed a user out everywhere",
			"Suspended the tenant",
			"Resumed the tenant",
			"Deleted the tenant",
		]) {
			await operator.getByRole("cell", { name: done }).first().waitFor();
		}
		for (const [name, { problems }] of Object.entries(visitors)) {
			expect({ name, problems }).toEqual({ name, problems: [] });
		}
	});
});
