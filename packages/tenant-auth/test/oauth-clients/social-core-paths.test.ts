import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { Browser } from "../support/http/browser";
import {
	accountsOf,
	callbacks,
	inTenant,
	signInAtCore,
	three,
	useTokens,
} from "../support/providers/core-social";
import {
	type IdentityProvider,
	startIdentityProvider,
	useIdentityProvider,
} from "../support/providers/identity-provider";
import { cheapPasswords } from "../support/worlds/cheap-passwords";
import { PASSWORD } from "../support/worlds/instance";
import {
	addTenantAt,
	hostProvider,
	makeSocialApp,
	readSession,
	type SocialApp,
} from "../support/worlds/social-app";
import { useWorld } from "../support/worlds/world";

const ORIGIN = "https://app.example.com";
const CORE_CALLBACK = `${ORIGIN}/api/auth/callback/gitlab`;
const TENANT_CALLBACK = `${ORIGIN}/api/auth/tenant/callback/gitlab`;

const gitlab = useIdentityProvider("gitlab");

async function makeApp(options: Parameters<typeof makeSocialApp>[0] = {}) {
	const hostClient = await gitlab.addClient({ redirectURIs: [CORE_CALLBACK, TENANT_CALLBACK] });
	const app = await makeSocialApp({
		emailAndPassword: cheapPasswords,
		account: { accountLinking: { allowDifferentEmails: true } },
		socialProviders: hostProvider("gitlab", gitlab, hostClient),
		...options,
	});
	return { ...app, hostClient };
}

const world = useWorld(() => makeApp());

const newPerson = () => gitlab.addPerson({ email: `${randomUUID()}@example.com` });

describe("the social sign-in of core with a tenant header", () => {
	it("creates one user per tenant for a person, with the client of the tenant", async () => {
		const app = world();
		const [a, b] = [
			await addTenantAt(app, "gitlab", gitlab),
			await addTenantAt(app, "gitlab", gitlab),
		];
		const person = newPerson();
		const ids = new Set<string>();
		for (const { tenantId, client } of [a, b]) {
			const { browser, visit, clientId } = await signInAtCore(app, tenantId, person);
			expect(clientId).toBe(client.clientId);
			expect(visit.url.pathname).toBe("/home");
			const session = await readSession(browser);
			expect(session).toMatchObject({ user: { email: person.email, tenantId } });
			ids.add(String(session?.user.id));
		}
		const platform = await signInAtCore(app, null, person);
		expect(platform.clientId).toBe(app.hostClient.clientId);
		expect((await readSession(platform.browser))?.user.tenantId).toBeNull();
		expect(ids.size).toBe(2);
	});

	it("uses the callback of core if the OAuth config says so", async () => {
		const app = world();
		const { tenantId } = await addTenantAt(app, "gitlab", gitlab, { redirectURI: CORE_CALLBACK });
		const person = newPerson();
		const { browser, visit } = await signInAtCore(app, tenantId, person);
		expect(visit.visited.map(({ pathname }) => pathname)).toContain("/api/auth/callback/gitlab");
		expect(await readSession(browser)).toMatchObject({ user: { email: person.email, tenantId } });
	});

	it("uses the tenant of the state at the callback of core, and ignores the header", async () => {
		const app = world();
		const { tenantId } = await addTenantAt(app, "gitlab", gitlab, { redirectURI: CORE_CALLBACK });
		const other = await app.createTenant();
		const browser = new Browser(app);
		const started = await browser.fetch("/sign-in/social", {
			body: { provider: "gitlab", ...callbacks },
			headers: inTenant(tenantId),
		});
		const { url }: { url: string } = await started.json();
		const until = (at: URL) => at.href.startsWith(CORE_CALLBACK);
		const { url: callback } = await browser.follow(url, { as: newPerson(), until });
		const path = `/callback/gitlab${callback.search}`;
		await browser.fetch(path, { headers: inTenant(other) });
		expect((await readSession(browser))?.user.tenantId).toBe(tenantId);
	});
});

describe("a user of a tenant at the account endpoints of core", () => {
	/** Signs up with a password, and links an account of a provider of the tenant. */
	async function link(app: SocialApp, brand: "github" | "gitlab", at: IdentityProvider) {
		const { tenantId, client } = await addTenantAt(app, brand, at);
		const browser = new Browser(app);
		const email = `${randomUUID()}@example.com`;
		const body = { tenantId, name: "Ada", email, password: PASSWORD };
		await browser.fetch("/tenant/sign-up/email", { body });
		const asked = await browser.fetch("/link-social", { body: { provider: brand, ...callbacks } });
		const { url }: { url: string } = await asked.json();
		expect(new URL(url).searchParams.get("client_id")).toBe(client.clientId);
		const person = at.addPerson({ email: `${randomUUID()}@example.com` });
		const visit = await browser.follow(url, { as: person });
		return { tenantId, browser, person, visit };
	}

	it("links another account with the client of the tenant, and unlinks it", async () => {
		const app = world();
		const github = await startIdentityProvider("github");
		const { tenantId, browser, person, visit } = await link(app, "github", github);
		expect(visit.url.href).toBe(`${ORIGIN}/home`);
		const accounts = await accountsOf(browser);
		expect(accounts.map(({ providerId }) => providerId).sort()).toEqual(["credential", "github"]);
		const again = await signInAtCore(app, tenantId, person, "github");
		const me = (await readSession(browser))?.user.id;
		expect((await readSession(again.browser))?.user.id).toBe(me);
		const accountId = accounts.find(({ providerId }) => providerId === "github")?.id;
		const unlinked = await browser.fetch("/unlink-account", { body: { accountId } });
		expect(unlinked.status).toBe(200);
		expect(await accountsOf(browser)).toHaveLength(1);
		await github.close();
	});

	it("links an account of a provider that the tenant runs", async () => {
		const { visit, browser } = await link(world(), "gitlab", gitlab);
		expect(visit.url.href).toBe(`${ORIGIN}/home`);
		expect(await accountsOf(browser)).toHaveLength(2);
	});

	it("uses tokens with the client that obtained them", async () => {
		const app = world();
		const { tenantId } = await addTenantAt(app, "gitlab", gitlab);
		const { browser } = await signInAtCore(app, tenantId, newPerson());
		const [account] = await accountsOf(browser);
		expect(await useTokens(browser, String(account?.id))).toEqual(three([200, undefined]));
	});

	it("uses tokens of the account cookie with the client that obtained them", async () => {
		const app = await makeApp({ account: { storeAccountCookie: true } });
		const { tenantId, config } = await addTenantAt(app, "gitlab", gitlab);
		const { browser } = await signInAtCore(app, tenantId, newPerson());
		const refresh = async () => {
			const answer = await browser.fetch("/refresh-token", { body: { useAccountCookie: true } });
			return [answer.status, ((await answer.json()) as { code?: string }).code];
		};
		expect(await refresh()).toEqual([200, undefined]);
		await app.registerConfig({ ...config, enabled: false });
		expect(await refresh()).toEqual([409, "OAUTH_CLIENT_CHANGED"]);
	});

	it.each(["disabled", "deleted", "replaced"])(
		"gets OAUTH_CLIENT_CHANGED if the OAuth config was %s, also if the app has a client",
		async (change) => {
			const app = world();
			const { tenantId, config } = await addTenantAt(app, "gitlab", gitlab);
			const { browser } = await signInAtCore(app, tenantId, newPerson());
			const [account] = await accountsOf(browser);
			if (change === "disabled") await app.registerConfig({ ...config, enabled: false });
			if (change === "deleted") await app.deleteConfig({ tenantId, providerId: "gitlab" });
			if (change === "replaced") await addTenantAt(app, "gitlab", gitlab, { tenantId });
			expect(await useTokens(browser, String(account?.id))).toEqual(
				three([409, "OAUTH_CLIENT_CHANGED"]),
			);
		},
	);

	it("gets PROVIDER_NOT_SUPPORTED if the OAuth config is disabled and the app has no client", async () => {
		const app = await makeApp({ socialProviders: {} });
		const { tenantId, config } = await addTenantAt(app, "gitlab", gitlab);
		const { browser } = await signInAtCore(app, tenantId, newPerson());
		const [account] = await accountsOf(browser);
		await app.registerConfig({ ...config, enabled: false });
		expect(await useTokens(browser, String(account?.id))).toEqual([
			[400, "PROVIDER_NOT_SUPPORTED"],
			[400, "PROVIDER_NOT_SUPPORTED"],
			[400, "PROVIDER_NOT_CONFIGURED"],
		]);
	});

	it("cannot use an account of another tenant by its id", async () => {
		const app = world();
		const [a, b] = [
			await addTenantAt(app, "gitlab", gitlab),
			await addTenantAt(app, "gitlab", gitlab),
		];
		const person = newPerson();
		const [mine, theirs] = [
			await signInAtCore(app, a.tenantId, person),
			await signInAtCore(app, b.tenantId, person),
		];
		const [account] = await accountsOf(theirs.browser);
		const accountId = String(account?.id);
		expect(await useTokens(mine.browser, accountId)).toEqual(three([400, "ACCOUNT_NOT_FOUND"]));
		const named = await useTokens(mine.browser, accountId, inTenant(b.tenantId));
		expect(named.map(([status]) => status)).toEqual(three(401));
		expect((await mine.browser.fetch("/unlink-account", { body: { accountId } })).status).toBe(400);
		expect(await accountsOf(theirs.browser)).toHaveLength(1);
		expect(await useTokens(theirs.browser, accountId)).toEqual(three([200, undefined]));
	});
});
