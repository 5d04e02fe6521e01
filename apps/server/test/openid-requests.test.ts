import { decodeJwt, SignJWT } from "jose";
import * as openid from "openid-client";
import { beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { notEmpty } from "../../../testing/not-empty";
import {
	atTheEndOfFile,
	authorizationRequest,
	connect,
	type IssuingTenant,
	newBrowser,
	POST_LOGOUT_URI,
	REDIRECT_URI,
	type RunningIssuers,
	runningIssuers,
	signInAt,
} from "./running-issuers";

const atTheEnd = atTheEndOfFile();
let issuers: RunningIssuers;
let acme: IssuingTenant;
/** Another user of the same tenant. */
let bob: IssuingTenant;
let config: openid.Configuration;
let application: { clientId: string; clientSecret: string | null };

beforeAll(async () => {
	issuers = await runningIssuers(atTheEnd);
	acme = await issuers.newTenant("acme");
	const email = "bob@acme.example.com";
	const signedUp = await issuers.post(
		"/tenant/sign-up/email",
		{ name: "Bob", email, password: "correct horse battery" },
		{ "x-tenant-id": acme.tenantId },
	);
	const { user } = (await signedUp.json()) as { user: { id: string } };
	bob = { ...acme, email, userId: user.id };
	application = await issuers.createApplication(acme.tenantId);
	config = await connect(acme, application);
});

const isCallback = (url: URL) => `${url.origin}${url.pathname}` === REDIRECT_URI;
const callbackOf = (url: URL) => Object.fromEntries(url.searchParams);

describe("id_token_hint", () => {
	async function withHint() {
		const ada = await signInAt(issuers, acme, config);
		const other = await signInAt(issuers, bob, config);
		return { hint: ada.tokens.id_token ?? "", browser: other.browser };
	}
	const request = (parameters: Record<string, string>) => authorizationRequest(config, parameters);

	it("of another user with prompt=none gets login_required, and no code", async () => {
		const { hint, browser } = await withHint();
		const { url } = await request({ prompt: "none", id_token_hint: hint });
		const answer = await browser.open(url);
		expect(isCallback(answer.url)).toBe(true);
		expect(callbackOf(answer.url)).toMatchObject({ error: "login_required", iss: acme.issuer });
		expect(answer.url.searchParams.has("code")).toBe(false);
		// The session is still there.
		const { url: without } = await request({ prompt: "none" });
		expect((await browser.open(without)).url.searchParams.has("code")).toBe(true);
	});

	it.each([
		["that nobody signed", "e30.e30.e30"],
		["that is not a token", "nonsense"],
	])("%s with prompt=none gets login_required", async (_, id_token_hint) => {
		const { browser } = await signInAt(issuers, acme, config);
		const { url } = await request({ prompt: "none", id_token_hint });
		expect(callbackOf((await browser.open(url)).url)).toMatchObject({ error: "login_required" });
	});

	it("of another user asks to sign in, and accepts only the user of the hint", async () => {
		const { hint, browser } = await withHint();
		const { url, checks } = await request({ id_token_hint: hint });
		const page = await browser.open(url);
		expect(page.url.pathname).toBe("/t/acme/sign-in");
		const wrong = new URL((await browser.signIn(bob, page.url)).url ?? "");
		expect(callbackOf(wrong)).toMatchObject({ error: "login_required" });
		const right = new URL((await browser.signIn(acme, page.url)).url ?? "");
		const tokens = await openid.authorizationCodeGrant(config, right, checks);
		expect(tokens.claims()?.sub).toBe(acme.userId);
	});

	it("accepts only the user of the hint if nobody was signed in", async () => {
		const { hint } = await withHint();
		const { url } = await request({ id_token_hint: hint });
		const browser = newBrowser(issuers);
		const page = await browser.open(url);
		const wrong = new URL((await browser.signIn(bob, page.url)).url ?? "");
		expect(callbackOf(wrong)).toMatchObject({ error: "login_required" });
	});

	it("that is not of the tenant is ignored without prompt=none", async () => {
		const { browser } = await signInAt(issuers, acme, config);
		const { url } = await request({ id_token_hint: "e30.e30.e30" });
		expect((await browser.open(url)).url.searchParams.has("code")).toBe(true);
	});
});

describe("a sign-out with an ID token of an unknown key", () => {
	it("does not make the server call itself", async () => {
		const fetched = vi.spyOn(globalThis, "fetch");
		onTestFinished(() => fetched.mockRestore());
		const foreign = await new SignJWT({ sub: acme.userId, sid: "x" })
			.setProtectedHeader({ alg: "HS256", kid: "unknown" })
			.setIssuer(acme.issuer)
			.setAudience(application.clientId)
			.sign(new TextEncoder().encode("x".repeat(32)));
		const url = new URL(`${acme.issuer}/oauth2/end-session`);
		url.searchParams.set("client_id", application.clientId);
		url.searchParams.set("id_token_hint", foreign);
		const own = await fetch(url, { redirect: "manual" });
		expect(own.status).toBeLessThan(500);
		const urls = fetched.mock.calls.map(([input]) => String(input));
		expect(notEmpty(urls).filter((each) => each.includes("/jwks"))).toEqual([]);
	});

	it("asks the user, and a right one signs out at once", async () => {
		const { tokens, browser } = await signInAt(issuers, acme, config);
		const url = openid.buildEndSessionUrl(config, {
			id_token_hint: tokens.id_token ?? "",
			post_logout_redirect_uri: POST_LOGOUT_URI,
		});
		const asked = new URL(url);
		asked.searchParams.set("id_token_hint", "e30.e30.e30");
		expect((await browser.open(asked)).url.pathname).toBe("/t/acme/sign-out");
		expect((await browser.open(url)).url.href).toContain(POST_LOGOUT_URI);
	});
});

describe("a code verifier", () => {
	/** The answer of the token endpoint to a code that the request below got. */
	async function redeem(app: typeof application, challenge: boolean, verifier: string | null) {
		const url = new URL(`${acme.issuer}/oauth2/authorize`);
		const { clientId, clientSecret } = app;
		const code_challenge = await openid.calculatePKCECodeChallenge("v".repeat(43));
		for (const [name, value] of Object.entries({
			client_id: clientId,
			response_type: "code",
			redirect_uri: REDIRECT_URI,
			scope: "openid",
			...(challenge ? { code_challenge, code_challenge_method: "S256" } : {}),
		})) {
			url.searchParams.set(name, value);
		}
		const { browser } = await signInAt(issuers, acme, config);
		const { url: callback } = await browser.open(url);
		const response = await fetch(`${acme.issuer}/oauth2/token`, {
			method: "POST",
			body: new URLSearchParams({
				grant_type: "authorization_code",
				code: callback.searchParams.get("code") ?? "",
				redirect_uri: REDIRECT_URI,
				client_id: clientId,
				client_secret: clientSecret ?? "",
				...(verifier ? { code_verifier: verifier } : {}),
			}),
		});
		return [response.status, await response.json()];
	}

	it.each([
		["that is wrong", true, "w".repeat(43)],
		["without a challenge", false, "v".repeat(43)],
		["that is missing", true, null],
	])("%s is an invalid grant", async (_, challenge, verifier) => {
		const app = await issuers.createApplication(acme.tenantId, { requirePkce: false });
		const answer = await redeem(app, challenge, verifier);
		expect(answer).toMatchObject([400, { error: "invalid_grant" }]);
	});
});

describe("userinfo", () => {
	it.each(["GET", "POST"])("without a token asks for one, by %s", async (method) => {
		const response = await fetch(`${acme.issuer}/oauth2/userinfo`, { method });
		expect(response.status).toBe(401);
		// RFC 6750, section 3.1: there is no error code.
		expect(response.headers.get("www-authenticate")).toBe("Bearer");
		expect(await response.json()).not.toHaveProperty("error");
	});
});

describe("response_mode", () => {
	it.each(["form_post", "fragment", "query.jwt"])("%s is an error to the app", async (mode) => {
		const { browser } = await signInAt(issuers, acme, config);
		const { url } = await authorizationRequest(config, { response_mode: mode, state: "s" });
		const answer = await browser.open(url);
		expect(isCallback(answer.url)).toBe(true);
		expect(callbackOf(answer.url)).toMatchObject({ error: "invalid_request", iss: acme.issuer });
		expect(answer.url.searchParams.has("code")).toBe(false);
	});

	it("is not answered at a redirect URI that is not registered", async () => {
		const { url } = await authorizationRequest(config, {
			response_mode: "fragment",
			redirect_uri: "https://evil.example.com/",
		});
		expect((await newBrowser(issuers).open(url)).url.pathname).toBe("/t/acme/error");
	});

	it("query works, and is the only one that is announced", async () => {
		const { tokens } = await signInAt(issuers, acme, config, { response_mode: "query" });
		expect(tokens.claims()?.sub).toBe(acme.userId);
		expect(config.serverMetadata()).toMatchObject({
			response_modes_supported: ["query"],
			// Claims of the ID token cannot be asked for.
			claims_parameter_supported: false,
		});
	});
});

describe("the keys", () => {
	it("say what they are for, and for how long they can be kept", async () => {
		const response = await fetch(`${acme.issuer}/jwks`);
		const { keys } = (await response.json()) as { keys: Record<string, unknown>[] };
		for (const key of notEmpty(keys)) {
			expect(key).toMatchObject({ use: "sig", alg: "RS256", kid: expect.any(String) });
			expect(key).not.toHaveProperty("d");
		}
		expect(response.headers.get("cache-control")).toMatch(/^public, max-age=\d+$/);
		for (const method of ["HEAD", "POST"]) {
			expect((await fetch(`${acme.issuer}/jwks`, { method })).status).toBeLessThan(500);
		}
	});
});

describe("an ID token of a session that has ended", () => {
	it("has no sid", async () => {
		const { tokens, browser } = await signInAt(issuers, acme, config);
		await browser.open(openid.buildEndSessionUrl(config, { id_token_hint: tokens.id_token ?? "" }));
		const answer = await openid
			.refreshTokenGrant(config, tokens.refresh_token ?? "")
			.catch((error: { error?: string }) => error.error);
		// It may also be refused: then there is no token at all.
		if (typeof answer === "object") {
			expect(decodeJwt(answer?.id_token ?? "")).not.toHaveProperty("sid");
		} else expect(answer).toBe("invalid_grant");
	});
});

describe("ui_locales", () => {
	it("chooses the language of the page", async () => {
		const { url } = await authorizationRequest(config, { ui_locales: "xx fr-CA de" });
		const { response } = await newBrowser(issuers).open(url);
		expect(response?.headers.get("content-language")).toBe("fr");
	});
});

it("a redirect URI with a wildcard is refused", async () => {
	for (const uris of [
		{ redirectUris: ["https://*.example.com/cb"] },
		{ redirectUris: [REDIRECT_URI, "https://app.example.com/*"] },
		{ postLogoutRedirectUris: ["https://*.example.com/"] },
	]) {
		await expect(issuers.createApplication(acme.tenantId, uris)).rejects.toThrow(
			"INVALID_APPLICATION",
		);
	}
});
