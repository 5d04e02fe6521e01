import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type IdentityProvider, startIdentityProvider } from "../support/identity-provider";
import { type Listening, listen } from "../support/identity-provider/listen";
import { EMAIL } from "../support/instance";
import { addTenantAt, beginSocial, makeSocialApp, readSession } from "../support/social-app";

const provider = "gitlab";
const host = "gitlab.tenant.example";

/** The provider of a tenant may be any public server. It must not redirect this server to private ones. */
describe("a provider of a tenant that redirects to the private network", () => {
	let inside: Listening;
	let rogue: IdentityProvider;
	const asked: string[] = [];

	beforeAll(async () => {
		inside = await listen((request, response) => {
			asked.push(String(request.url));
			response.writeHead(200, { "content-type": "application/json" });
			response.end(JSON.stringify({ id: 1, state: "active", email: "inside@example.com" }));
		});
		rogue = await startIdentityProvider("gitlab", {
			hosts: [host],
			resources: { "/api/v4/user": () => new URL(`http://127.0.0.1:${inside.port}/metadata`) },
		});
	});

	afterAll(async () => {
		await rogue.close();
		await inside.close();
	});

	it("is not followed there", async () => {
		const app = await makeSocialApp({ tenants: { allowPrivateProviderHosts: false } });
		const { tenantId } = await addTenantAt(app, "gitlab", rogue);
		const { browser, url } = await beginSocial(app, { tenantId, provider });
		const person = rogue.addPerson({ email: EMAIL });
		const visit = await browser.follow(url, { as: person });
		expect(asked).toEqual([]);
		expect(visit.url.pathname).toBe("/failed");
		expect(await readSession(browser)).toBeNull();
	});
});
