import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { Browser } from "../support/http/browser";
import { startIdentityProvider, useIdentityProvider } from "../support/providers/identity-provider";
import { cheapPasswords } from "../support/worlds/cheap-passwords";
import {
	addTenantAt,
	beginSocial,
	hostProvider,
	makeSocialApp,
	readSession,
} from "../support/worlds/social-app";
import { useWorld } from "../support/worlds/world";

const provider = "gitlab";

describe("a user of a tenant with a social account", () => {
	const gitlab = useIdentityProvider("gitlab");

	/** Besides the client of the tenant, the app has one. */
	const world = useWorld(async () => {
		const redirectURIs = ["https://app.example.com/api/auth/tenant/callback/gitlab"];
		const hostClient = await gitlab.addClient({ redirectURIs });
		return makeSocialApp({
			emailAndPassword: cheapPasswords,
			account: { encryptOAuthTokens: true, accountLinking: { allowDifferentEmails: true } },
			socialProviders: hostProvider("gitlab", gitlab, hostClient),
		});
	});

	const newPerson = () => gitlab.addPerson({ email: `${randomUUID()}@example.com` });

	async function selectAccount(browser: Browser): Promise<{ accountId: string }> {
		const accounts: { id: string }[] = await (await browser.fetch("/list-accounts")).json();
		return { accountId: String(accounts[0]?.id) };
	}

	it.each(["the tenant", "the app"])("refreshes tokens with the client of %s", async (owner) => {
		const app = world();
		const { tenantId } =
			owner === "the tenant"
				? await addTenantAt(app, "gitlab", gitlab)
				: { tenantId: await app.createTenant() };
		const { browser, url } = await beginSocial(app, { tenantId, provider });
		await browser.follow(url, { as: newPerson() });
		const response = await browser.fetch("/refresh-token", { body: await selectAccount(browser) });
		expect(response.status).toBe(200);
		expect(await response.json()).toMatchObject({ accessToken: expect.any(String) });
	});

	it("reads what the provider knows about the account", async () => {
		const app = world();
		const { tenantId } = await addTenantAt(app, "gitlab", gitlab);
		const person = newPerson();
		const { browser, url } = await beginSocial(app, { tenantId, provider });
		await browser.follow(url, { as: person });
		const selection = new URLSearchParams(await selectAccount(browser));
		const response = await browser.fetch(`/account-info?${selection}`);
		expect(response.status).toBe(200);
		expect(await response.json()).toMatchObject({ user: { email: person.email } });
	});

	it("links another account with the client of the tenant", async () => {
		const app = world();
		const github = await startIdentityProvider("github");
		const { tenantId } = await addTenantAt(app, "gitlab", gitlab);
		const { client } = await addTenantAt(app, "github", github, { tenantId });
		const { browser, url } = await beginSocial(app, { tenantId, provider });
		await browser.follow(url, { as: newPerson() });
		const before = await readSession(browser);
		const response = await browser.fetch("/link-social", {
			body: { provider: "github", callbackURL: "/linked", errorCallbackURL: "/failed" },
		});
		const link: { url: string } = await response.json();
		expect(new URL(link.url).searchParams.get("client_id")).toBe(client.clientId);
		const person = github.addPerson({ email: `${randomUUID()}@example.com` });
		const visit = await browser.follow(link.url, { as: person });
		expect(visit.url.href).toBe(`${app.origin}/linked`);
		const accounts = await (await browser.fetch("/list-accounts")).json();
		expect(accounts).toHaveLength(2);
		const again = await beginSocial(app, { tenantId, provider: "github" });
		await again.browser.follow(again.url, { as: person });
		expect((await readSession(again.browser))?.user.id).toBe(before?.user.id);
		await github.close();
	});
});
