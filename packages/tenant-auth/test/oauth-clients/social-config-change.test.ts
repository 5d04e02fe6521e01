import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { startIdentityProvider, useIdentityProvider } from "../support/providers/identity-provider";
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

describe("an OAuth config that changes between start and callback", () => {
	const gitlab = useIdentityProvider("gitlab");

	/** The app has a client too. No flow may switch to it. */
	const world = useWorld(async () => {
		const redirectURIs = ["https://app.example.com/api/auth/tenant/callback/gitlab"];
		const hostClient = await gitlab.addClient({ redirectURIs });
		const app = await makeSocialApp({
			socialProviders: hostProvider("gitlab", gitlab, hostClient),
		});
		return { ...app, tenant: await addTenantAt(app, "gitlab", gitlab) };
	});

	async function finishAfter(app: SocialApp, tenantId: string, change: () => Promise<unknown>) {
		const person = gitlab.addPerson({ email: `${randomUUID()}@example.com` });
		const { browser, url } = await beginSocial(app, { tenantId, provider });
		const until = (at: URL) => at.pathname.includes("/callback/");
		const { url: callback } = await browser.follow(url, { as: person, until });
		await change();
		const visit = await browser.follow(callback);
		return { url: visit.url, session: await readSession(browser) };
	}

	function expectRejected({ url, session }: Awaited<ReturnType<typeof finishAfter>>) {
		expect(url.pathname).toBe("/failed");
		// This plugin rejected it, not the provider.
		expect(url.searchParams.get("error")).toBe("oauth_config_changed");
		expect(session).toBeNull();
	}

	it("fails the flow if it was deleted", async () => {
		const app = world();
		const { tenantId } = app.tenant;
		const config = { tenantId, providerId: provider };
		expectRejected(await finishAfter(app, tenantId, () => app.deleteConfig(config)));
	});

	it("fails the flow if it was disabled", async () => {
		const app = world();
		const { tenantId, config } = app.tenant;
		const disable = () => app.registerConfig({ ...config, enabled: false });
		expectRejected(await finishAfter(app, tenantId, disable));
	});

	it("fails the flow if its client id was replaced", async () => {
		const app = world();
		const { tenantId, config } = app.tenant;
		const { clientId, clientSecret } = await gitlab.addClient({
			redirectURIs: [app.callbackOf("gitlab")],
		});
		const replace = () => app.registerConfig({ ...config, clientId, clientSecret });
		expectRejected(await finishAfter(app, tenantId, replace));
	});

	it("fails the flow if it was deleted and created again for another client", async () => {
		const app = world();
		const { tenantId } = app.tenant;
		expectRejected(
			await finishAfter(app, tenantId, async () => {
				await app.deleteConfig({ tenantId, providerId: provider });
				await addTenantAt(app, "gitlab", gitlab, { tenantId });
			}),
		);
	});

	it("fails the flow if the URL of the provider was replaced", async () => {
		const app = world();
		const { tenantId, config } = app.tenant;
		const elsewhere = await startIdentityProvider("gitlab");
		const move = () => app.registerConfig({ ...config, options: { issuer: elsewhere.url } });
		expectRejected(await finishAfter(app, tenantId, move));
		await elsewhere.close();
	});

	it("fails a flow with the client of the app if it was created for the tenant", async () => {
		const app = world();
		const tenantId = await app.createTenant();
		const register = () => addTenantAt(app, "gitlab", gitlab, { tenantId });
		expectRejected(await finishAfter(app, tenantId, register));
	});

	it("fails the flow if the tenant was deleted", async () => {
		const app = world();
		const { tenantId } = app.tenant;
		const result = await finishAfter(app, tenantId, () => app.deleteTenant(tenantId));
		expect(result.url.searchParams.get("error")).toBeTruthy();
		expect(result.session).toBeNull();
	});

	it("does not fail the flow if only its secret was rotated", async () => {
		const app = world();
		// The provider keeps the new secret, so this client is not shared with other tests.
		const { tenantId, client, config } = await addTenantAt(app, "gitlab", gitlab);
		const clientSecret = "the rotated secret of the same client";
		const { url, session } = await finishAfter(app, tenantId, async () => {
			await gitlab.addClient({ ...client, clientSecret });
			await app.registerConfig({ ...config, clientSecret });
		});
		expect(url.href).toBe(`${app.origin}/home`);
		expect(session?.session.tenantId).toBe(tenantId);
	});

	it("does not fail the flow if only its scopes were changed", async () => {
		const app = world();
		const { tenantId, config } = app.tenant;
		const widen = () => app.registerConfig({ ...config, scopes: ["read_api"] });
		const { session } = await finishAfter(app, tenantId, widen);
		expect(session?.session.tenantId).toBe(tenantId);
	});

	it("of another tenant does not affect the flow", async () => {
		const app = world();
		const { tenantId } = app.tenant;
		const other = await addTenantAt(app, "gitlab", gitlab);
		const config = { tenantId: other.tenantId, providerId: provider };
		const { session } = await finishAfter(app, tenantId, () => app.deleteConfig(config));
		expect(session?.session.tenantId).toBe(tenantId);
	});
});
