import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
	type Brand,
	type IdentityProvider,
	startIdentityProvider,
} from "../support/identity-provider";
import {
	addTenantAt,
	beginSocial,
	hostProvider,
	makeSocialApp,
	readSession,
} from "../support/social-app";

const callbackOf = (brand: Brand) => `https://app.example.com/api/auth/tenant/callback/${brand}`;

describe.each<Brand>(["gitlab", "microsoft", "google", "github", "apple"])("%s", (brand) => {
	let provider: IdentityProvider;

	beforeAll(async () => {
		provider = await startIdentityProvider(brand);
	});

	afterAll(() => provider.close());

	const newPerson = () =>
		provider.addPerson({ email: `${randomUUID()}@example.com`, name: "Ada Lovelace" });

	it("signs in with the tenant's own client to a session of the tenant", async () => {
		const app = await makeSocialApp();
		const { tenantId, client } = await addTenantAt(app, brand, provider);
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

	it("signs in with the host's client where the tenant has none", async () => {
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

	it("makes one upstream account two users in two tenants, and the same two again", async () => {
		const app = await makeSocialApp();
		const one = await addTenantAt(app, brand, provider);
		const other = await addTenantAt(app, brand, provider);
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

	it("fails with the secret of another tenant's client", async () => {
		const app = await makeSocialApp();
		const one = await addTenantAt(app, brand, provider);
		const other = await addTenantAt(app, brand, provider);
		await app.registerConfig({ ...one.config, clientSecret: other.client.clientSecret });
		const { tenantId } = one;
		const { browser, url } = await beginSocial(app, { tenantId, provider: brand });
		const visit = await browser.follow(url, { as: newPerson() });
		expect(visit.url.href).toBe(`${app.origin}/failed?error=invalid_code`);
		expect(await readSession(browser)).toBeNull();
	});

	it("says why when the person refuses consent", async () => {
		const app = await makeSocialApp();
		const { tenantId } = await addTenantAt(app, brand, provider);
		const { browser, url } = await beginSocial(app, { tenantId, provider: brand });
		const visit = await browser.follow(url, { as: newPerson(), consent: "deny" });
		expect(visit.url.pathname).toBe("/failed");
		expect(visit.url.searchParams.get("error")).toBe("access_denied");
		expect(visit.url.searchParams.get("error_description")).toBe("The user said no");
		expect(await readSession(browser)).toBeNull();
	});
});
