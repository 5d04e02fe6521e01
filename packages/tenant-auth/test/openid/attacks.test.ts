import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import {
	type RogueProvider,
	type Signature,
	startRogueProvider,
} from "../support/providers/rogue-provider";
import {
	beginSocial,
	makeSocialApp,
	readSession,
	type SocialApp,
} from "../support/worlds/social-app";

const provider = "oidc:rogue";
const now = () => Math.floor(Date.now() / 1000);

describe("an answer of a tenant's own identity provider", () => {
	let app: SocialApp;
	let rogue: RogueProvider;
	let tenantId: string;

	beforeAll(async () => {
		app = await makeSocialApp();
		rogue = await startRogueProvider();
	});
	afterAll(() => rogue?.close());

	const register = (id: string, options: object = {}, secret = "secret") =>
		app.registerConfig({
			tenantId: id,
			providerId: provider,
			clientId: "client",
			clientSecret: secret,
			options: { issuer: rogue.issuer, ...options },
		});

	beforeEach(async () => {
		Object.assign(rogue, { discovery: {}, claims: {}, userInfo: {}, signature: "ES256" });
		rogue.answer = () => false;
		tenantId = await app.createTenant();
		await register(tenantId);
	});

	const signIn = async () => {
		const { browser, url } = await rogue.signIn(app, tenantId, provider);
		return { url, session: await readSession(browser) };
	};

	async function expectRejected() {
		const { url, session } = await signIn();
		expect([url.pathname, url.searchParams.get("error")]).toEqual([
			"/failed",
			"unable_to_get_user_info",
		]);
		expect(session).toBeNull();
	}

	it("signs in a user if everything is right", async () => {
		const { url, session } = await signIn();
		expect(url.pathname).toBe("/home");
		expect(session).toMatchObject({ user: { email: "ada@example.com", name: "Ada", tenantId } });
	});

	it.each<[string, Record<string, unknown>]>([
		["another issuer", { iss: "https://accounts.google.com" }],
		["an issuer with a slash at the end", { iss: "http://127.0.0.1/" }],
		["no issuer", { iss: undefined }],
		["another audience", { aud: "another-client" }],
		["no audience", { aud: undefined }],
		["several audiences and no authorized party", { aud: ["client", "another-client"] }],
		["another authorized party", { aud: ["client", "another-client"], azp: "another-client" }],
		["another authorized party for one audience", { azp: "another-client" }],
		["another nonce", { nonce: "another" }],
		["no nonce", { nonce: undefined }],
		["a nonce that is not a text", { nonce: ["nonce"] }],
		["no subject", { sub: undefined }],
		["an empty subject", { sub: "" }],
		["a subject that is not a text", { sub: 5 }],
		["an expired time", { exp: now() - 120, iat: now() - 300 }],
		["no time of expiry", { exp: undefined }],
		["no time of issue", { iat: undefined }],
		["a time of issue in the future", { iat: now() + 600 }],
		["a time of issue long ago", { iat: now() - 60 * 60 * 3 }],
		["a start in the future", { nbf: now() + 600 }],
	])("is rejected if its ID token has %s", async (_, claims) => {
		rogue.claims = claims;
		await expectRejected();
	});

	it.each<Signature>(["none", "HS256", "other key"])(
		"is rejected if its ID token is signed with %s",
		async (signature) => {
			rogue.signature = signature;
			await expectRejected();
		},
	);

	it("is accepted with several audiences, if the token was issued to the client", async () => {
		rogue.claims = { aud: ["client", "another-client"], azp: "client" };
		expect((await signIn()).url.pathname).toBe("/home");
	});

	it("is accepted within a small difference of the clocks", async () => {
		rogue.claims = { iat: now() + 30, exp: now() - 30 };
		expect((await signIn()).url.pathname).toBe("/home");
	});

	it("is rejected without an ID token", async () => {
		rogue.answer = (path, response) => {
			if (path !== "/token") return false;
			response.writeHead(200, { "content-type": "application/json" });
			response.end(JSON.stringify({ access_token: "access", token_type: "Bearer" }));
			return true;
		};
		rogue.userInfo = { sub: "sub-1", email: "ada@example.com", name: "Ada" };
		await expectRejected();
	});

	it("is rejected if the user info is about another user", async () => {
		rogue.claims = { email: undefined };
		rogue.userInfo = { sub: "sub-2", email: "eve@example.com" };
		await expectRejected();
	});

	it("does not let the user info replace a signed claim", async () => {
		rogue.claims = { name: undefined };
		rogue.userInfo = { sub: "sub-1", name: "From user info", email: "eve@example.com" };
		expect((await signIn()).session?.user).toMatchObject({
			email: "ada@example.com",
			name: "From user info",
		});
	});

	it("counts with a new key at once, and keys are not loaded for every unknown one", async () => {
		const time = vi.spyOn(Date, "now");
		try {
			await signIn();
			rogue.rotateKey();
			time.mockReturnValue(Date.now() + 11_000);
			expect((await signIn()).url.pathname).toBe("/home");
			const loads = () => rogue.requests.filter(({ path }) => path === "/keys").length;
			const before = loads();
			for (let n = 0; n < 3; n += 1) {
				rogue.rotateKey();
				await signIn();
			}
			expect(loads()).toBe(before);
		} finally {
			time.mockRestore();
		}
	});

	it("with the account id of another tenant's user reaches no user there", async () => {
		const { session: first } = await signIn();
		tenantId = await app.createTenant();
		await register(tenantId);
		const { session: second } = await signIn();
		expect(second?.user.tenantId).toBe(tenantId);
		expect(second?.user.id).not.toBe(first?.user.id);
	});

	it("from another server at the same provider id reaches no user of the first server", async () => {
		await signIn();
		const other = await startRogueProvider();
		try {
			await register(tenantId, { issuer: other.issuer });
			const { browser, url } = await other.signIn(app, tenantId, provider);
			expect(url.searchParams.get("error")).toBe("unable_to_link_account");
			expect(await readSession(browser)).toBeNull();
		} finally {
			await other.close();
		}
	});

	it("does not join an existing user, whatever the provider says about the email", async () => {
		await signIn();
		rogue.claims = { sub: "sub-2", email_verified: true };
		expect((await signIn()).url.searchParams.get("error")).toBe("account_not_linked");
	});

	it("joins a user with a verified email, if the app trusts the provider with the domain", async () => {
		rogue.claims = { email_verified: true };
		await app.registerConfig({
			tenantId,
			providerId: provider,
			clientId: "client",
			clientSecret: "secret",
			options: { issuer: rogue.issuer },
			trustEmails: ["example.com"],
		});
		const { session } = await signIn();
		rogue.claims = { sub: "sub-2", email_verified: true };
		expect((await signIn()).session?.user.id).toBe(session?.user.id);
	});

	it("does not verify one email with what the user info says about another one", async () => {
		await app.registerConfig({
			tenantId,
			providerId: provider,
			clientId: "client",
			clientSecret: "secret",
			options: { issuer: rogue.issuer },
			trustEmails: ["example.com"],
		});
		rogue.claims = { email_verified: true };
		await signIn();
		rogue.claims = { sub: "sub-2", name: undefined };
		rogue.userInfo = { sub: "sub-2", email: "eve@example.com", email_verified: true };
		expect((await signIn()).url.searchParams.get("error")).toBe("account_not_linked");
		rogue.userInfo = { sub: "sub-2", email: "ada@example.com", email_verified: true };
		expect((await signIn()).url.pathname).toBe("/home");
	});

	it("does not verify an email of another claim with email_verified, which is about email", async () => {
		const trusting = (claims: object) =>
			app.registerConfig({
				tenantId,
				providerId: provider,
				clientId: "client",
				clientSecret: "secret",
				options: { issuer: rogue.issuer, claims },
				trustEmails: ["example.com"],
			});
		await trusting({});
		rogue.claims = { email_verified: true };
		const { session } = await signIn();
		// Users of many providers can choose their own user name.
		const upn = "ada@example.com";
		const eve = { sub: "sub-2", email: "eve@example.com", email_verified: true };
		rogue.claims = { ...eve, upn, upn_verified: false };
		await trusting({ email: "upn" });
		expect((await signIn()).url.searchParams.get("error")).toBe("account_not_linked");
		await trusting({ email: "upn", emailVerified: "upn_verified" });
		expect((await signIn()).url.searchParams.get("error")).toBe("account_not_linked");
		rogue.claims = { ...rogue.claims, upn_verified: true };
		expect((await signIn()).session?.user.id).toBe(session?.user.id);
	});

	it("for a flow of another tenant is rejected, and the code is sent nowhere", async () => {
		const other = await app.createTenant();
		await register(other, { name: "Another" }, "another secret");
		const { url } = await beginSocial(app, { tenantId, provider });
		const { browser } = await beginSocial(app, { tenantId: other, provider });
		rogue.requests.length = 0;
		const state = new URL(url).searchParams.get("state");
		const visit = await browser.follow(
			`${app.callbackOf(provider, tenantId)}?code=code&state=${state}`,
		);
		expect(visit.url.searchParams.get("error")).toBe("state_mismatch");
		expect(rogue.requests).toEqual([]);
	});

	it("at the callback of another provider is rejected, and the code is sent nowhere", async () => {
		await app.registerConfig({
			tenantId,
			providerId: "oidc:second",
			clientId: "client",
			clientSecret: "secret",
			options: { issuer: rogue.issuer },
		});
		const { browser, url } = await beginSocial(app, { tenantId, provider });
		rogue.requests.length = 0;
		const state = new URL(url).searchParams.get("state");
		const visit = await browser.follow(
			`${app.callbackOf("oidc:second", tenantId)}?code=code&state=${state}`,
		);
		expect(visit.url.searchParams.get("error")).toBe("oauth_config_changed");
		expect(rogue.requests).toEqual([]);
	});

	async function answerWith(parameters: Record<string, string>) {
		const { browser, url } = await beginSocial(app, { tenantId, provider });
		rogue.requests.length = 0;
		const state = String(new URL(url).searchParams.get("state"));
		const answer = new URLSearchParams({ code: "code", state, ...parameters });
		const visit = await browser.follow(`${app.callbackOf(provider, tenantId)}?${answer}`);
		return visit.url.searchParams.get("error");
	}

	it("that names another issuer is rejected, and the code is sent nowhere", async () => {
		expect(await answerWith({ iss: "https://honest.example.com" })).toBe("issuer_mismatch");
		expect(rogue.requests).toEqual([]);
	});

	it("that names no issuer is rejected, if the provider announced it", async () => {
		rogue.discovery = { authorization_response_iss_parameter_supported: true };
		await register(tenantId, { name: "Announced" });
		expect(await answerWith({})).toBe("issuer_mismatch");
		expect(rogue.requests).toEqual([]);
	});

	it.each([
		["another client", { clientId: "another-client" }],
		["other options", { options: { name: "Changed" } }],
		["a disabled config", { enabled: false }],
	])("is rejected after a change to %s during the flow", async (_, change) => {
		const { browser, url } = await beginSocial(app, { tenantId, provider });
		await app.registerConfig({
			tenantId,
			providerId: provider,
			clientId: "client",
			clientSecret: "secret",
			...change,
			options: { issuer: rogue.issuer, ...("options" in change ? change.options : {}) },
		});
		rogue.requests.length = 0;
		const state = new URL(url).searchParams.get("state");
		const visit = await browser.follow(
			`${app.callbackOf(provider, tenantId)}?code=code&state=${state}`,
		);
		expect(visit.url.searchParams.get("error")).toBe("oauth_config_changed");
		expect(rogue.requests).toEqual([]);
	});

	it("is rejected if the discovery document names another issuer meanwhile", async () => {
		await signIn();
		const start = Date.now();
		const time = vi.spyOn(Date, "now");
		try {
			time.mockReturnValue(start + 9 * 60_000);
			const { browser, url } = await beginSocial(app, { tenantId, provider });
			time.mockReturnValue(start + 11 * 60_000);
			rogue.discovery = { issuer: "https://accounts.google.com" };
			const state = new URL(url).searchParams.get("state");
			const visit = await browser.follow(
				`${app.callbackOf(provider, tenantId)}?code=code&state=${state}`,
			);
			expect(visit.url.searchParams.get("error")).toBe("provider_unavailable");
		} finally {
			time.mockRestore();
		}
	});

	describe("that a client brings as an ID token", () => {
		const nonce = "chosen-by-the-app";
		const native = { aud: "ios", nonce };

		async function bring(idToken: { token: string; nonce?: string }) {
			const { browser } = await beginSocial(app, { tenantId, provider });
			const body = { tenantId, provider, idToken };
			const response = await browser.fetch("/tenant/sign-in/social", { body });
			const { code }: { code?: string } = await response.json();
			return { status: response.status, code, session: await readSession(browser) };
		}

		const registerApps = () =>
			app.registerConfig({
				tenantId,
				providerId: provider,
				clientId: ["client", "ios", "android"],
				clientSecret: "secret",
				options: { issuer: rogue.issuer },
			});

		it("is not accepted, unless the tenant has registered native apps", async () => {
			rogue.claims = native;
			expect(await bring({ token: rogue.idToken(), nonce })).toEqual({
				status: 404,
				code: "ID_TOKEN_NOT_SUPPORTED",
				session: null,
			});
		});

		it("signs in a user if it was issued to a native app, and the same one by redirect", async () => {
			await registerApps();
			rogue.claims = native;
			const { status, session } = await bring({ token: rogue.idToken(), nonce });
			expect(status).toBe(200);
			expect(session?.user).toMatchObject({ email: "ada@example.com", tenantId });
			rogue.claims = {};
			expect((await signIn()).session?.user.id).toBe(session?.user.id);
		});

		it.each<[string, Record<string, unknown>, Signature?]>([
			["was issued to the website", { aud: "client" }],
			["was issued to the website too", { aud: ["client", "ios"], azp: "client" }],
			["was issued to another client", { aud: "another" }],
			["has another issuer", { iss: "https://accounts.google.com" }],
			["has another nonce", { nonce: "another" }],
			["has no nonce", { nonce: undefined }],
			["has expired", { exp: now() - 120 }],
			["is old", { iat: now() - 12 * 60 }],
			["is not signed", {}, "none"],
			["is signed with a public key as secret", {}, "HS256"],
			["is signed with another key", {}, "other key"],
		])("is rejected if it %s", async (_, claims, signature = "ES256") => {
			await registerApps();
			rogue.claims = { ...native, ...claims };
			rogue.signature = signature;
			expect(await bring({ token: rogue.idToken(), nonce })).toMatchObject({
				status: 401,
				session: null,
			});
		});

		it("does not make the server ask for keys each time, also if there are none", async () => {
			await registerApps();
			rogue.claims = native;
			rogue.answer = (path, response) => {
				if (path === "/keys") response.writeHead(500).end();
				return path === "/keys";
			};
			rogue.requests.length = 0;
			const token = rogue.idToken();
			for (let n = 0; n < 3; n += 1) expect((await bring({ token, nonce })).status).toBe(401);
			expect(rogue.requests.filter(({ path }) => path === "/keys")).toHaveLength(1);
		});

		it("is rejected if the app names no nonce", async () => {
			await registerApps();
			rogue.claims = native;
			expect((await bring({ token: rogue.idToken() })).status).toBe(401);
			expect((await bring({ token: "a.b.c", nonce })).status).toBe(401);
		});
	});
});
