import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { makeMemoryStorage } from "../support/databases/memory-storage";
import type { Browser } from "../support/http/browser";
import { type RogueProvider, startRogueProvider } from "../support/providers/rogue-provider";
import { beginSocial, makeSocialApp, type SocialApp } from "../support/worlds/social-app";

/**
 * A hostile tenant's identity provider passes a user on to that of another tenant, with the client of that
 * tenant and the state of its own flow. The code comes back to us in the browser of the user.
 */
describe.each([
	["the database", () => ({})],
	["a secondary storage", () => ({ secondaryStorage: makeMemoryStorage() })],
])("with %s, a code of one identity provider for a flow of another one", (_, stored) => {
	let app: SocialApp;
	let honest: RogueProvider;
	let hostile: RogueProvider;
	let acme: string;
	let evil: string;

	beforeAll(async () => {
		honest = await startRogueProvider();
		hostile = await startRogueProvider();
	});
	afterAll(async () => {
		await honest?.close();
		await hostile?.close();
	});
	beforeEach(async () => {
		app = await makeSocialApp({
			...stored(),
			socialProviders: {
				gitlab: { clientId: "of the app", clientSecret: "secret", issuer: honest.issuer },
			},
		});
		acme = await app.createTenant();
		evil = await app.createTenant();
	});

	const register = (tenantId: string, providerId: string, { issuer }: RogueProvider) =>
		app.registerConfig({
			tenantId,
			providerId,
			clientId: "client",
			clientSecret: "secret",
			options: { issuer },
		});

	async function begin(tenantId: string, provider: string) {
		const { browser, url } = await beginSocial(app, { tenantId, provider });
		return { browser, state: String(new URL(url).searchParams.get("state")) };
	}

	async function answer(browser: Browser, callback: string, state: string) {
		honest.requests.length = 0;
		hostile.requests.length = 0;
		const visit = await browser.follow(
			`${callback}?${new URLSearchParams({ code: "of-ada", state })}`,
		);
		return visit.url.searchParams.get("error");
	}

	describe("of a tenant's own provider", () => {
		const provider = "oidc:sso";

		beforeEach(async () => {
			await register(acme, provider, honest);
			await register(evil, provider, hostile);
		});

		it("is sent nowhere, because each tenant has a callback of its own", async () => {
			const { browser, state } = await begin(evil, provider);
			expect(await answer(browser, app.callbackOf(provider, acme), state)).toBeTruthy();
			expect([...hostile.requests, ...honest.requests]).toEqual([]);
		});

		it.each([
			["core", () => `${app.baseURL}/callback/${provider}`],
			["no tenant", () => app.callbackOf(provider)],
			["nobody", () => app.callbackOf(provider, "unknown")],
			["a built-in provider", () => app.callbackOf("gitlab")],
		])("is sent nowhere from the callback of %s", async (_, callback) => {
			const { browser, state } = await begin(evil, provider);
			expect(await answer(browser, callback(), state)).toBeTruthy();
			expect([...hostile.requests, ...honest.requests]).toEqual([]);
		});

		it("is sent to its own provider, also if a colon comes encoded or the answer by POST", async () => {
			const callback = app.callbackOf(provider, acme);
			const { browser, state } = await begin(acme, provider);
			await answer(browser, callback.replaceAll("oidc:", "oidc%3A"), state);
			expect(honest.requests.map(({ path }) => path)).toContain("/token");
			const body = new URLSearchParams({ code: "of-ada", state });
			const posted = await app.handler(new Request(callback, { method: "POST", body }));
			expect(posted.headers.get("location")).toBe(`${callback}?code=of-ada&state=${state}`);
		});
	});

	describe("of a built-in provider whose server a tenant can choose", () => {
		const provider = "gitlab";

		/** The hostile server gets the code. Nothing tells it from one of its own. */
		async function stealCode() {
			await register(evil, provider, hostile);
			const { browser, state } = await begin(evil, provider);
			await answer(browser, app.callbackOf(provider), state);
			expect(JSON.stringify(hostile.requests)).toContain("of-ada");
		}

		it("cannot be used in a flow of another tenant", async () => {
			await register(acme, provider, honest);
			await stealCode();
			const { browser, state } = await begin(acme, provider);
			expect(await answer(browser, app.callbackOf(provider), state)).toBe("invalid_code");
			expect(honest.requests).toEqual([]);
		});

		it("cannot be used in a flow with the client of the app, in a tenant or on the platform", async () => {
			await stealCode();
			const inTenant = await begin(acme, provider);
			const error = await answer(inTenant.browser, app.callbackOf(provider), inTenant.state);
			expect(error).toBe("invalid_code");
			const body = { provider, callbackURL: "/home", errorCallbackURL: "/failed" };
			const response = await inTenant.browser.fetch("/sign-in/social", { body });
			const { url }: { url: string } = await response.json();
			const state = String(new URL(url).searchParams.get("state"));
			const callback = `${app.baseURL}/callback/${provider}`;
			expect(await answer(inTenant.browser, callback, state)).toBe("invalid_code");
			expect(honest.requests).toEqual([]);
		});

		it("is sent to the same server again, which decides itself", async () => {
			await register(acme, provider, honest);
			for (let round = 0; round < 2; round += 1) {
				const { browser, state } = await begin(acme, provider);
				await answer(browser, app.callbackOf(provider), state);
				expect(honest.requests).not.toEqual([]);
			}
		});
	});
});
