import { randomUUID } from "node:crypto";
import type { BetterAuthOptions } from "better-auth";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type App, Browser } from "../http/browser";
import { makePlainApp } from "../worlds/plain-app";
import {
	type Brand,
	type Client,
	type IdentityProvider,
	startIdentityProvider,
} from "./identity-provider";

// Apple accepts https redirect URIs only, and so does the test's Apple.
const origin = "https://app.example.com";

async function makeApp(brand: Brand, { url }: IdentityProvider, client: Client): Promise<App> {
	const socialProviders: BetterAuthOptions["socialProviders"] = {
		[brand]: {
			clientId: client.clientId,
			clientSecret: client.clientSecret,
			issuer: url,
			authority: url,
		},
	};
	return makePlainApp({ baseURL: origin, socialProviders });
}

async function begin(app: App, provider: Brand) {
	const browser = new Browser(app);
	const response = await browser.fetch("/sign-in/social", {
		body: { provider, callbackURL: "/home", errorCallbackURL: "/failed" },
	});
	const { url }: { url: string } = await response.json();
	return { browser, url };
}

async function readSession(browser: Browser): Promise<{ user: Record<string, unknown> } | null> {
	return (await browser.fetch("/get-session")).json();
}

describe.each<Brand>(["gitlab", "microsoft", "google", "github", "apple"])("%s", (brand) => {
	const redirectURIs = [`${origin}/api/auth/callback/${brand}`];
	let provider: IdentityProvider;

	beforeAll(async () => {
		provider = await startIdentityProvider(brand);
	});

	afterAll(() => provider.close());

	async function setUp(change: Partial<Client> = {}) {
		const email = `${randomUUID()}@example.com`;
		const person = provider.addPerson({ email, name: "Ada Lovelace" });
		const client = await provider.addClient({ redirectURIs });
		const app = await makeApp(brand, provider, { ...client, ...change });
		return { app, client, person };
	}

	it("signs in from login and consent to a session", async () => {
		const { app, person } = await setUp();
		const { browser, url } = await begin(app, brand);
		const visit = await browser.follow(url, { as: person });
		expect(visit.url.href).toBe(`${origin}/home`);
		expect((await readSession(browser))?.user).toMatchObject({
			email: person.email,
			name: "Ada Lovelace",
			emailVerified: true,
		});
	});

	it("finds the same user when the person comes again", async () => {
		const { app, person } = await setUp();
		const first = await begin(app, brand);
		await first.browser.follow(first.url, { as: person });
		const second = await begin(app, brand);
		await second.browser.follow(second.url, { as: person });
		const user = (await readSession(first.browser))?.user;
		expect(user?.id).toBeTypeOf("string");
		expect((await readSession(second.browser))?.user.id).toBe(user?.id);
	});

	it("refuses a wrong password at the login page", async () => {
		const { app, person } = await setUp();
		const { browser, url } = await begin(app, brand);
		const visit = await browser.follow(url, { as: { ...person, password: "guess" } });
		expect(visit.status).toBe(401);
		expect(await readSession(browser)).toBeNull();
	});

	it("tells the app that the person refused consent", async () => {
		const { app, person } = await setUp();
		const { browser, url } = await begin(app, brand);
		const visit = await browser.follow(url, { as: person, consent: "deny" });
		expect(visit.url.pathname).toBe("/failed");
		expect(visit.url.searchParams.get("error")).toBe("access_denied");
		expect(visit.url.searchParams.get("error_description")).toBe("The user said no");
		expect(await readSession(browser)).toBeNull();
	});

	it("refuses a wrong client secret", async () => {
		const { app, person } = await setUp({ clientSecret: "wrong" });
		const { browser, url } = await begin(app, brand);
		const visit = await browser.follow(url, { as: person });
		expect(visit.url.href).toBe(`${origin}/failed?error=invalid_code`);
		expect(await readSession(browser)).toBeNull();
	});

	it("refuses an unknown client", async () => {
		const { app, person } = await setUp({ clientId: "nobody" });
		const { browser, url } = await begin(app, brand);
		const visit = await browser.follow(url, { as: person });
		expect(visit.status).toBe(400);
		expect(visit.page).toContain("invalid_client");
	});

	it("refuses a redirect URI that the client did not register", async () => {
		const { app, client, person } = await setUp();
		await provider.addClient({ ...client, redirectURIs: [`${origin}/elsewhere`] });
		const { browser, url } = await begin(app, brand);
		const visit = await browser.follow(url, { as: person });
		expect(visit.status).toBe(400);
		expect(visit.page).toContain("invalid_redirect_uri");
	});

	it("refuses a code that another client was given", async () => {
		const { app, client, person } = await setUp();
		const other = await provider.addClient({ redirectURIs });
		const { browser, url } = await begin(app, brand);
		const swapped = url.replace(client.clientId, other.clientId);
		const visit = await browser.follow(swapped, { as: person });
		expect(visit.url.href).toBe(`${origin}/failed?error=invalid_code`);
	});
});

describe("gitlab's token endpoint", () => {
	it("gives tokens once for a code", async () => {
		const gitlab = await startIdentityProvider("gitlab");
		const person = gitlab.addPerson({ email: "ada@example.com" });
		const redirectURI = "https://client.example/callback";
		const client = await gitlab.addClient({ redirectURIs: [redirectURI] });
		const browser = new Browser({ baseURL: origin, handler: () => Promise.reject() });
		const request = new URLSearchParams({
			response_type: "code",
			client_id: client.clientId,
			redirect_uri: redirectURI,
			scope: "read_user",
		});
		const { url } = await browser.follow(`${gitlab.url}/oauth/authorize?${request}`, {
			as: person,
		});
		const exchange = () =>
			fetch(`${gitlab.url}/oauth/token`, {
				method: "POST",
				body: new URLSearchParams({
					grant_type: "authorization_code",
					code: url.searchParams.get("code") ?? "",
					redirect_uri: redirectURI,
					client_id: client.clientId,
					client_secret: client.clientSecret,
				}),
			});
		expect((await exchange()).status).toBe(200);
		expect((await exchange()).status).toBe(400);
		await gitlab.close();
	});
});

describe("apple's form", () => {
	it("comes as a POST without the state cookie, which the GET that follows has", async () => {
		const apple = await startIdentityProvider("apple");
		const person = apple.addPerson({ email: "ada@example.com" });
		const redirectURIs = [`${origin}/api/auth/callback/apple`];
		const app = await makeApp("apple", apple, await apple.addClient({ redirectURIs }));
		const seen: { method: string; hasState: boolean }[] = [];
		const watched: App = {
			...app,
			handler(request) {
				const hasState = request.headers.get("cookie")?.includes("state=") ?? false;
				if (request.url.includes("/callback/")) seen.push({ method: request.method, hasState });
				return app.handler(request);
			},
		};
		const { browser, url } = await begin(watched, "apple");
		await browser.follow(url, { as: person });
		expect(seen).toEqual([
			{ method: "POST", hasState: false },
			{ method: "GET", hasState: true },
		]);
		await apple.close();
	});
});

describe("hosts that are led to loopback", () => {
	it("are reached over TLS with a certificate for their name, and no other host is", async () => {
		const google = await startIdentityProvider("google");
		const keys = await fetch("https://www.googleapis.com/oauth2/v3/certs");
		expect(await keys.json()).toMatchObject({ keys: [{ kty: "RSA" }] });
		const cause = { cause: { message: expect.stringContaining("stay on loopback") } };
		await expect(fetch("https://www.example.com")).rejects.toMatchObject(cause);
		await google.close();
	});
});
