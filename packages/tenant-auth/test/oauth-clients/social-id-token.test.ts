import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { Browser } from "../support/http/browser";
import { obtainGoogleIdToken } from "../support/providers/id-token";
import { useIdentityProvider } from "../support/providers/identity-provider";
import {
	addTenantAt,
	askSocialSignIn,
	hostProvider,
	makeSocialApp,
	readSession,
} from "../support/worlds/social-app";
import { useWorld } from "../support/worlds/world";

const provider = "google";

describe("a sign-in with an id token", () => {
	const google = useIdentityProvider("google");
	const world = useWorld(() => makeSocialApp());

	const newPerson = () => google.addPerson({ email: `${randomUUID()}@example.com` });

	it("creates a session of the tenant whose client it was issued to", async () => {
		const app = world();
		const { tenantId, client } = await addTenantAt(app, "google", google);
		const person = newPerson();
		const token = await obtainGoogleIdToken(google, client, person);
		const browser = new Browser(app);
		const response = await askSocialSignIn(browser, { tenantId, provider, idToken: { token } });
		expect(response.status).toBe(200);
		expect(await response.json()).toMatchObject({
			redirect: false,
			token: expect.any(String),
			user: { email: person.email },
		});
		expect(await readSession(browser)).toMatchObject({
			user: { email: person.email, tenantId },
			session: { tenantId },
		});
	});

	it("accepts tokens of every client in the OAuth config, and of no other", async () => {
		const app = world();
		const redirectURIs = ["https://native.example/callback"];
		const [web, ios, other] = [
			await google.addClient({ redirectURIs }),
			await google.addClient({ redirectURIs }),
			await google.addClient({ redirectURIs }),
		];
		const { tenantId } = await addTenantAt(app, "google", google, {
			clientId: [web.clientId, ios.clientId],
		});
		const statuses = [];
		for (const client of [web, ios, other]) {
			const token = await obtainGoogleIdToken(google, client, newPerson());
			const body = { tenantId, provider, idToken: { token } };
			statuses.push((await askSocialSignIn(new Browser(app), body)).status);
		}
		expect(statuses).toEqual([200, 200, 401]);
	});

	it("is rejected if the token was issued to the client of another tenant", async () => {
		const app = world();
		const { tenantId } = await addTenantAt(app, "google", google);
		const other = await addTenantAt(app, "google", google);
		const token = await obtainGoogleIdToken(google, other.client, newPerson());
		const browser = new Browser(app);
		const response = await askSocialSignIn(browser, { tenantId, provider, idToken: { token } });
		expect(response.status).toBe(401);
		expect(await response.json()).toMatchObject({ code: "INVALID_TOKEN" });
		expect(await readSession(browser)).toBeNull();
	});

	it("is rejected if the token was issued to the client of the app and the tenant has its own", async () => {
		const client = await google.addClient({ redirectURIs: ["https://app.example.com/none"] });
		const app = await makeSocialApp({ socialProviders: hostProvider("google", google, client) });
		const { tenantId } = await addTenantAt(app, "google", google);
		const token = await obtainGoogleIdToken(google, client, newPerson());
		const body = { tenantId, provider, idToken: { token } };
		expect((await askSocialSignIn(new Browser(app), body)).status).toBe(401);
		const bare = { ...body, tenantId: await app.createTenant() };
		expect((await askSocialSignIn(new Browser(app), bare)).status).toBe(200);
	});

	it("rejects accounts outside the domain in the OAuth config", async () => {
		const app = world();
		const { tenantId, client } = await addTenantAt(app, "google", google, {
			options: { hd: "acme.example" },
		});
		const member = google.addPerson({ email: "in@acme.example", claims: { hd: "acme.example" } });
		const outsider = google.addPerson({ email: "out@acme.example" });
		const attempts = [];
		for (const person of [member, outsider]) {
			const token = await obtainGoogleIdToken(google, client, person);
			const body = { tenantId, provider, idToken: { token } };
			attempts.push((await askSocialSignIn(new Browser(app), body)).status);
		}
		expect(attempts).toEqual([200, 401]);
	});
});
