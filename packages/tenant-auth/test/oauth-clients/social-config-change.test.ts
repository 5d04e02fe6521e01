import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
	type Client,
	type IdentityProvider,
	startIdentityProvider,
} from "../support/identity-provider";
import {
	addTenantAt,
	beginSocial,
	hostProvider,
	makeSocialApp,
	readSession,
	type SocialApp,
} from "../support/social-app";

const provider = "gitlab";

describe("a configuration that changes between start and callback", () => {
	let gitlab: IdentityProvider;
	let hostClient: Client;

	beforeAll(async () => {
		gitlab = await startIdentityProvider("gitlab");
		const redirectURIs = ["https://app.example.com/api/auth/tenant/callback/gitlab"];
		hostClient = await gitlab.addClient({ redirectURIs });
	});

	afterAll(() => gitlab.close());

	/** With a client of the host, which nothing may fall back to in the middle of a flow. */
	const makeApp = () =>
		makeSocialApp({ socialProviders: hostProvider("gitlab", gitlab, hostClient) });

	async function finishAfter(app: SocialApp, tenantId: string, change: () => Promise<unknown>) {
		const person = gitlab.addPerson({ email: `${randomUUID()}@example.com` });
		const { browser, url } = await beginSocial(app, { tenantId, provider });
		const until = (at: URL) => at.pathname.includes("/callback/");
		const { url: callback } = await browser.follow(url, { as: person, until });
		await change();
		const visit = await browser.follow(callback);
		return { url: visit.url, session: await readSession(browser) };
	}

	function expectRefused({ url, session }: Awaited<ReturnType<typeof finishAfter>>) {
		expect(url.pathname).toBe("/failed");
		// By our own check, not because the provider refused what other credentials asked for.
		expect(url.searchParams.get("error")).toBe("oauth_config_changed");
		expect(session).toBeNull();
	}

	it("fails the flow when the config was deleted", async () => {
		const app = await makeApp();
		const { tenantId } = await addTenantAt(app, "gitlab", gitlab);
		const config = { tenantId, providerId: provider };
		expectRefused(await finishAfter(app, tenantId, () => app.deleteConfig(config)));
	});

	it("fails the flow when the config was disabled", async () => {
		const app = await makeApp();
		const { tenantId, config } = await addTenantAt(app, "gitlab", gitlab);
		const disable = () => app.registerConfig({ ...config, enabled: false });
		expectRefused(await finishAfter(app, tenantId, disable));
	});

	it("fails the flow when the client id was replaced", async () => {
		const app = await makeApp();
		const { tenantId, config } = await addTenantAt(app, "gitlab", gitlab);
		const { clientId, clientSecret } = await gitlab.addClient({
			redirectURIs: [app.callbackOf("gitlab")],
		});
		const replace = () => app.registerConfig({ ...config, clientId, clientSecret });
		expectRefused(await finishAfter(app, tenantId, replace));
	});

	it("fails the flow when the config was deleted and made again for another client", async () => {
		const app = await makeApp();
		const { tenantId } = await addTenantAt(app, "gitlab", gitlab);
		expectRefused(
			await finishAfter(app, tenantId, async () => {
				await app.deleteConfig({ tenantId, providerId: provider });
				await addTenantAt(app, "gitlab", gitlab, { tenantId });
			}),
		);
	});

	it("fails the flow when the provider's address was replaced", async () => {
		const app = await makeApp();
		const { tenantId, config } = await addTenantAt(app, "gitlab", gitlab);
		const elsewhere = await startIdentityProvider("gitlab");
		const move = () => app.registerConfig({ ...config, options: { issuer: elsewhere.url } });
		expectRefused(await finishAfter(app, tenantId, move));
		await elsewhere.close();
	});

	it("fails a flow begun with the host's client when the tenant got one of its own", async () => {
		const app = await makeApp();
		const tenantId = await app.createTenant();
		const register = () => addTenantAt(app, "gitlab", gitlab, { tenantId });
		expectRefused(await finishAfter(app, tenantId, register));
	});

	it("fails the flow when the tenant was deleted", async () => {
		const app = await makeApp();
		const { tenantId } = await addTenantAt(app, "gitlab", gitlab);
		const result = await finishAfter(app, tenantId, () => app.deleteTenant(tenantId));
		expect(result.url.searchParams.get("error")).toBeTruthy();
		expect(result.session).toBeNull();
	});

	it("finishes the flow when the secret was rotated for the same client id", async () => {
		const app = await makeApp();
		const { tenantId, client, config } = await addTenantAt(app, "gitlab", gitlab);
		const clientSecret = "the rotated secret of the same client";
		const { url, session } = await finishAfter(app, tenantId, async () => {
			await gitlab.addClient({ ...client, clientSecret });
			await app.registerConfig({ ...config, clientSecret });
		});
		expect(url.href).toBe(`${app.origin}/home`);
		expect(session?.session.tenantId).toBe(tenantId);
	});

	it("finishes the flow when only its scopes were changed", async () => {
		const app = await makeApp();
		const { tenantId, config } = await addTenantAt(app, "gitlab", gitlab);
		const widen = () => app.registerConfig({ ...config, scopes: ["read_api"] });
		const { session } = await finishAfter(app, tenantId, widen);
		expect(session?.session.tenantId).toBe(tenantId);
	});

	it("of another tenant does not touch the flow", async () => {
		const app = await makeApp();
		const { tenantId } = await addTenantAt(app, "gitlab", gitlab);
		const other = await addTenantAt(app, "gitlab", gitlab);
		const config = { tenantId: other.tenantId, providerId: provider };
		const { session } = await finishAfter(app, tenantId, () => app.deleteConfig(config));
		expect(session?.session.tenantId).toBe(tenantId);
	});
});
