import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { Browser } from "../support/http/browser";
import { startIdentityProvider, useIdentityProvider } from "../support/providers/identity-provider";
import { cheapPasswords } from "../support/worlds/cheap-passwords";
import { MANAGEMENT_KEY } from "../support/worlds/instance";
import {
	addTenantAt,
	beginSocial,
	hostProvider,
	makeSocialApp,
	readSession,
	type SocialApp,
} from "../support/worlds/social-app";
import { useWorld } from "../support/worlds/world";

const provider = "gitlab";

describe("a user of a tenant with a social account", () => {
	const gitlab = useIdentityProvider("gitlab");

	/** Besides the client of the tenant, the app has one. */
	const world = useWorld(async () => {
		const redirectURIs = ["/tenant/callback/gitlab", "/callback/gitlab"].map(
			(path) => `https://app.example.com/api/auth${path}`,
		);
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

	const useTokens = async (browser: Browser) => {
		const selection = await selectAccount(browser);
		const query = new URLSearchParams(selection);
		const responses = [
			await browser.fetch("/get-access-token", { body: selection }),
			await browser.fetch("/refresh-token", { body: selection }),
			await browser.fetch(`/account-info?${query}`),
		];
		return responses.map(({ status }) => status);
	};

	async function move(app: SocialApp, tenantId: string, userId: string) {
		const headers = {
			authorization: `Bearer ${MANAGEMENT_KEY}`,
			"content-type": "application/json",
		};
		const body = JSON.stringify({ tenantId, userIds: [userId] });
		const url = `${app.baseURL}/tenant/user/move`;
		const response = await app.handler(new Request(url, { method: "POST", headers, body }));
		expect(response.status).toBe(200);
	}

	async function signInOnPlatform(app: SocialApp, person: ReturnType<typeof newPerson>) {
		const browser = new Browser(app);
		const body = { provider, callbackURL: "/home", errorCallbackURL: "/failed" };
		const { url } = await (await browser.fetch("/sign-in/social", { body })).json();
		await browser.follow(url, { as: person });
		return { browser, userId: String((await readSession(browser))?.user.id) };
	}

	it("keeps the tokens and signs in after a move from the platform to the client of the app", async () => {
		const app = world();
		const person = newPerson();
		const { browser, userId } = await signInOnPlatform(app, person);
		const tenantId = await app.createTenant();
		await move(app, tenantId, userId);
		expect(await useTokens(browser)).toEqual([200, 200, 200]);
		const again = await beginSocial(app, { tenantId, provider });
		await again.browser.follow(again.url, { as: person });
		expect((await readSession(again.browser))?.user.id).toBe(userId);
	});

	it("does not give tokens of the platform to the client of a tenant", async () => {
		const app = world();
		const { browser, userId } = await signInOnPlatform(app, newPerson());
		const { tenantId } = await addTenantAt(app, "gitlab", gitlab);
		await move(app, tenantId, userId);
		expect(await useTokens(browser)).toEqual([409, 409, 409]);
	});

	it("uses the tokens of an account that server code has created", async () => {
		const app = world();
		const tenantId = await app.createTenant();
		const { browser, url } = await beginSocial(app, { tenantId, provider });
		await browser.follow(url, { as: newPerson() });
		// Only a sign-in in a tenant stores the client.
		app.database.exec("update account set oauthClient = null");
		expect(await useTokens(browser)).toEqual([200, 200, 200]);
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
