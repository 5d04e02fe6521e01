import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { type Brand, useIdentityProvider } from "../support/providers/identity-provider";
import {
	addTenantAt,
	beginSocial,
	hostProvider,
	makeSocialApp,
	readSession,
} from "../support/worlds/social-app";
import { useWorld } from "../support/worlds/world";

const callbackOf = (brand: Brand) => `https://app.example.com/api/auth/tenant/callback/${brand}`;

describe.each<Brand>(["gitlab", "microsoft", "google", "github", "apple"])("%s", (brand) => {
	const provider = useIdentityProvider(brand);
	const world = useWorld(async () => {
		const app = await makeSocialApp();
		const one = await addTenantAt(app, brand, provider);
		const other = await addTenantAt(app, brand, provider);
		return { ...app, one, other };
	});

	const newPerson = () =>
		provider.addPerson({ email: `${randomUUID()}@example.com`, name: "Ada Lovelace" });

	it("signs in to the tenant with the client of the tenant", async () => {
		const app = world();
		const { tenantId, client } = app.one;
		const person = newPerson();
		const { browser, url } = await beginSocial(app, { tenantId, provider: brand });
		expect(new URL(url).searchParams.get("client_id")).toBe(client.clientId);
		expect(new URL(url).searchParams.get("redirect_uri")).toBe(app.callbackOf(brand));
		const visit = await browser.follow(url, { as: person });
		expect(visit.url.href).toBe(`${app.origin}/home`);
		expect(await readSession(browser)).toMatchObject({
			user: { email: person.email, name: "Ada Lovelace", tenantId },
			session: { tenantId },
		});
	});

	it("signs in with the client of the app if the tenant has none", async () => {
		const client = await provider.addClient({ redirectURIs: [callbackOf(brand)] });
		const app = await makeSocialApp({ socialProviders: hostProvider(brand, provider, client) });
		const tenantId = await app.createTenant();
		const person = newPerson();
		const { browser, url } = await beginSocial(app, { tenantId, provider: brand });
		expect(new URL(url).searchParams.get("client_id")).toBe(client.clientId);
		const visit = await browser.follow(url, { as: person });
		expect(visit.url.href).toBe(`${app.origin}/home`);
		expect(await readSession(browser)).toMatchObject({
			user: { email: person.email, tenantId },
			session: { tenantId },
		});
	});

	it("has one user per tenant for an account, also when it signs in again", async () => {
		const app = world();
		const { one, other } = app;
		const person = newPerson();
		const signIn = async (tenantId: string) => {
			const { browser, url } = await beginSocial(app, { tenantId, provider: brand });
			await browser.follow(url, { as: person });
			return (await readSession(browser))?.user;
		};
		const first = [await signIn(one.tenantId), await signIn(other.tenantId)];
		expect(first.map((user) => user?.tenantId)).toEqual([one.tenantId, other.tenantId]);
		expect(first[0]?.id).not.toBe(first[1]?.id);
		const again = [await signIn(one.tenantId), await signIn(other.tenantId)];
		expect(again.map((user) => user?.id)).toEqual(first.map((user) => user?.id));
	});

	it("rejects the client secret of another tenant", async () => {
		const app = world();
		const { one, other } = app;
		await app.registerConfig({ ...one.config, clientSecret: other.client.clientSecret });
		const { tenantId } = one;
		const { browser, url } = await beginSocial(app, { tenantId, provider: brand });
		const visit = await browser.follow(url, { as: newPerson() });
		expect(visit.url.href).toBe(`${app.origin}/failed?error=invalid_code`);
		expect(await readSession(browser)).toBeNull();
	});

	it("reports that the person denied consent", async () => {
		const app = world();
		const { tenantId } = app.one;
		const { browser, url } = await beginSocial(app, { tenantId, provider: brand });
		const visit = await browser.follow(url, { as: newPerson(), consent: "deny" });
		expect(visit.url.pathname).toBe("/failed");
		expect(visit.url.searchParams.get("error")).toBe("access_denied");
		expect(visit.url.searchParams.get("error_description")).toBe("The user said no");
		expect(await readSession(browser)).toBeNull();
	});
});
