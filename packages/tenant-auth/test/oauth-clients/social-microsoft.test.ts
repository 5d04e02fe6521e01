import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { useIdentityProvider } from "../support/providers/identity-provider";
import { directoryId } from "../support/providers/identity-provider/microsoft";
import { addTenantAt, beginSocial, makeSocialApp, readSession } from "../support/worlds/social-app";
import { useWorld } from "../support/worlds/world";

const provider = "microsoft";

describe("an Entra directory of a tenant", () => {
	const microsoft = useIdentityProvider("microsoft");
	const world = useWorld(() => makeSocialApp());

	const newPerson = () => microsoft.addPerson({ email: `${randomUUID()}@example.com` });

	it("logs users in, and returns their picture", async () => {
		const app = world();
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

	it("is not confused with a tenant that has the same id", async () => {
		const app = world();
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
