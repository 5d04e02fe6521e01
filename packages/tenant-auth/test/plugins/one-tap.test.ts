import { oneTap } from "better-auth/plugins";
import { describe, expect, it } from "vitest";
import { obtainGoogleIdToken } from "../support/providers/id-token";
import { useIdentityProvider } from "../support/providers/identity-provider";
import { makeTwoTenants } from "../support/worlds/two-tenants";
import { useWorld } from "../support/worlds/world";

const google = useIdentityProvider("google");

describe("one-tap", () => {
	const world = useWorld(async () => {
		const client = await google.addClient({ redirectURIs: ["https://app.example.com/none"] });
		const person = google.addPerson({ email: "person@example.com" });
		const idToken = await obtainGoogleIdToken(google, client, person);
		const app = await makeTwoTenants({ plugins: [oneTap({ clientId: client.clientId })] });
		return { ...app, idToken };
	});

	it("creates one user per tenant for a person, and finds the user again", async () => {
		const { call, a, b, idToken, sessionOf } = world();
		const ids: string[] = [];
		for (const tenant of [a, b, a]) {
			const { cookie } = await call("/one-tap/callback", { tenant, body: { idToken } });
			const session = await sessionOf(cookie);
			expect(session.user).toMatchObject({ email: "person@example.com", tenantId: tenant });
			ids.push(session.user.id);
			expect(await sessionOf(cookie, tenant === a ? b : a)).toBeNull();
		}
		expect(new Set(ids).size).toBe(2);
		expect(ids[2]).toBe(ids[0]);
	});
});
