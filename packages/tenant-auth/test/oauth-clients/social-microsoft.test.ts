import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type IdentityProvider, startIdentityProvider } from "../support/identity-provider";
import { directoryId } from "../support/identity-provider/microsoft";
import { addTenantAt, beginSocial, makeSocialApp, readSession } from "../support/social-app";

const provider = "microsoft";

describe("an Entra directory of a tenant", () => {
	let microsoft: IdentityProvider;

	beforeAll(async () => {
		microsoft = await startIdentityProvider("microsoft");
	});

	afterAll(() => microsoft.close());

	const newPerson = () => microsoft.addPerson({ email: `${randomUUID()}@example.com` });

	it("is where its users log in, and gives their picture", async () => {
		const app = await makeSocialApp();
		const { tenantId } = await addTenantAt(app, "microsoft", microsoft, {
			options: { authority: microsoft.url, tenantId: directoryId },
		});
		const { browser, url } = await beginSocial(app, { tenantId, provider });
		expect(url).toContain(`${microsoft.url}/${directoryId}/oauth2/v2.0/authorize?`);
		await browser.follow(url, { as: newPerson() });
		expect(await readSession(browser)).toMatchObject({
			user: { tenantId, image: expect.stringContaining("data:image/jpeg;base64") },
		});
	});

	it("is not mistaken for the tenant that its name is given to", async () => {
		const app = await makeSocialApp();
		const other = await app.createTenant();
		const { tenantId } = await addTenantAt(app, "microsoft", microsoft, {
			options: { authority: microsoft.url, tenantId: other },
		});
		expect(tenantId).not.toBe(other);
		const { browser, url } = await beginSocial(app, { tenantId, provider });
		const visit = await browser.follow(url, { as: newPerson() });
		expect(visit.status).toBe(404);
		expect(await readSession(browser)).toBeNull();
	});
});
