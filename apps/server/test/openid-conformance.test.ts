import * as oauth from "oauth4webapi";
import { beforeAll, describe, expect, it } from "vitest";
import { notEmpty } from "../../../testing/not-empty";
import {
	atTheEndOfFile,
	type CreatedApplication,
	type IssuingTenant,
	newBrowser,
	REDIRECT_URI,
	type RunningIssuers,
	runningIssuers,
} from "./running-issuers";

/**
 * The plans "Basic" and "Config" of the OpenID Foundation, driven with oauth4webapi. The tests have the names
 * of the modules. `openid-plans.ts` has all modules. The suite itself needs a browser and the network.
 */
const atTheEnd = atTheEndOfFile();
const http = { [oauth.allowInsecureRequests]: true };

let issuers: RunningIssuers;
let acme: IssuingTenant;
let server: oauth.AuthorizationServer;
let application: CreatedApplication;
let client: oauth.Client;

beforeAll(async () => {
	issuers = await runningIssuers(atTheEnd);
	acme = await issuers.newTenant("acme");
	// Clients of the plan use no PKCE.
	application = await issuers.createApplication(acme.tenantId, { requirePkce: false });
	client = { client_id: application.clientId };
	const issuer = new URL(acme.issuer);
	server = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, http));
});

const secret = () => oauth.ClientSecretBasic(application.clientSecret ?? "");

function requestUrl(parameters: Record<string, string | undefined> = {}): URL {
	const url = new URL(server.authorization_endpoint ?? "");
	const all: Record<string, string | undefined> = {
		client_id: client.client_id,
		response_type: "code",
		redirect_uri: REDIRECT_URI,
		scope: "openid",
		state: "the-state",
		nonce: "the-nonce",
		...parameters,
	};
	for (const [name, value] of Object.entries(all)) {
		if (value !== undefined) url.searchParams.set(name, value);
	}
	return url;
}

/** Signs the user in, and returns the parameters of the callback. The library checks them. */
async function authorize(url: URL, browser = newBrowser(issuers)) {
	const page = await browser.open(url);
	const callback = page.url.pathname.endsWith("/sign-in")
		? new URL((await browser.signIn(acme, page.url)).url ?? "")
		: page.url;
	expect(`${callback.origin}${callback.pathname}`).toBe(REDIRECT_URI);
	return { browser, parameters: oauth.validateAuthResponse(server, client, callback, "the-state") };
}

const redeem = (parameters: URLSearchParams, authentication = secret()) =>
	oauth.authorizationCodeGrantRequest(
		server,
		client,
		authentication,
		parameters,
		REDIRECT_URI,
		oauth.nopkce,
		http,
	);

const tokensIn = (response: Response, expectedNonce: string | typeof oauth.expectNoNonce) =>
	oauth.processAuthorizationCodeResponse(server, client, response, {
		expectedNonce,
		requireIdToken: true,
	});

async function signIn(parameters: Record<string, string | undefined> = {}) {
	const { parameters: callback, browser } = await authorize(requestUrl(parameters));
	const response = await redeem(callback);
	const nonce = "nonce" in parameters && !parameters.nonce ? oauth.expectNoNonce : "the-nonce";
	const tokens = await tokensIn(response, nonce);
	await oauth.validateApplicationLevelSignature(server, response, http);
	return { tokens, browser, claims: oauth.getValidatedIdTokenClaims(tokens) };
}

const userInfo = async (token: string) =>
	oauth.processUserInfoResponse(
		server,
		client,
		acme.userId,
		await oauth.userInfoRequest(server, client, token, http),
	);

describe("the response", () => {
	it("oidcc-server, oidcc-idtoken-signature", async () => {
		const { claims } = await signIn();
		expect(claims).toMatchObject({ iss: acme.issuer, sub: acme.userId, aud: client.client_id });
	});

	it("oidcc-server-client-secret-post", async () => {
		const { parameters } = await authorize(requestUrl());
		const post = oauth.ClientSecretPost(application.clientSecret ?? "");
		const tokens = await tokensIn(await redeem(parameters, post), "the-nonce");
		expect(tokens.token_type).toBe("bearer");
	});

	it("oidcc-response-type-missing", async () => {
		const { url } = await newBrowser(issuers).open(requestUrl({ response_type: undefined }));
		expect(url.searchParams.get("error")).toBe("invalid_request");
	});

	it("oidcc-ensure-request-without-nonce-succeeds-for-code-flow", async () => {
		const { claims } = await signIn({ nonce: undefined });
		expect(claims).not.toHaveProperty("nonce");
	});
});

describe("the discovery document", () => {
	it("oidcc-discovery-endpoint-verification", async () => {
		expect(server).toMatchObject({
			issuer: acme.issuer,
			response_types_supported: ["code"],
			subject_types_supported: ["public"],
			id_token_signing_alg_values_supported: ["RS256"],
			scopes_supported: expect.arrayContaining(["openid"]),
			claims_parameter_supported: false,
		});
		const endpoints = ["authorization_endpoint", "token_endpoint", "userinfo_endpoint"] as const;
		for (const name of notEmpty([...endpoints, "jwks_uri" as const])) {
			expect(server[name]).toMatch(new RegExp(`^${acme.issuer}/`));
		}
		await signIn();
		const response = await fetch(server.jwks_uri ?? "");
		const { keys } = (await response.json()) as { keys: object[] };
		for (const key of notEmpty(keys)) {
			expect(key).toMatchObject({ kty: "RSA", alg: "RS256", use: "sig", kid: expect.any(String) });
			// Nothing of the private key.
			for (const secret of ["d", "p", "q", "dp", "dq", "qi"])
				expect(key).not.toHaveProperty(secret);
		}
	});
});

describe("userinfo", () => {
	it("oidcc-userinfo-get, oidcc-scope-profile, oidcc-scope-email, oidcc-scope-all", async () => {
		const { tokens } = await signIn({ scope: "openid profile email" });
		expect(await userInfo(tokens.access_token)).toMatchObject({
			name: "Ada Lovelace",
			given_name: "Ada",
			family_name: "Lovelace",
			email: acme.email,
			email_verified: false,
		});
		const { tokens: fewer } = await signIn();
		expect(Object.keys(await userInfo(fewer.access_token)).sort()).toEqual(["sub", "tenant_id"]);
	});

	it("oidcc-userinfo-post-header, oidcc-userinfo-post-body", async () => {
		const { tokens } = await signIn();
		const url = server.userinfo_endpoint ?? "";
		const inHeader = await fetch(url, {
			method: "POST",
			headers: { authorization: `Bearer ${tokens.access_token}` },
		});
		const inBody = await fetch(url, {
			method: "POST",
			body: new URLSearchParams({ access_token: tokens.access_token }),
		});
		for (const response of [inHeader, inBody]) {
			expect([response.status, await response.json()]).toMatchObject([200, { sub: acme.userId }]);
		}
	});

	it("oidcc-claims-essential", async () => {
		const claims = JSON.stringify({ userinfo: { name: { essential: true } } });
		const { tokens } = await signIn({ claims });
		expect(await userInfo(tokens.access_token)).toMatchObject({ name: "Ada Lovelace" });
	});
});

describe("parameters of the request", () => {
	it.each([
		["oidcc-ensure-request-with-unknown-parameter-succeeds", { extra: "foobar" }],
		["oidcc-display-page", { display: "page" }],
		["oidcc-display-popup", { display: "popup" }],
		["oidcc-login-hint", { login_hint: "ada@acme.example.com" }],
		["oidcc-ui-locales", { ui_locales: "se" }],
		["oidcc-claims-locales", { claims_locales: "se" }],
		["oidcc-ensure-request-with-acr-values-succeeds", { acr_values: "1 2" }],
	])("%s", async (_, parameters) => {
		expect((await signIn(parameters)).claims?.sub).toBe(acme.userId);
	});

	it("oidcc-alternate-happy-flow: the order of scopes and of parameters does not matter", async () => {
		const url = requestUrl({ scope: "email openid" });
		const reversed = new URL(url);
		reversed.search = new URLSearchParams([...url.searchParams].reverse()).toString();
		const { parameters } = await authorize(reversed);
		const tokens = await tokensIn(await redeem(parameters), "the-nonce");
		expect(await userInfo(tokens.access_token)).toMatchObject({ email: acme.email });
	});

	it("oidcc-prompt-login", async () => {
		const { browser, claims } = await signIn();
		await new Promise((resolve) => setTimeout(resolve, 1100));
		const { parameters } = await authorize(requestUrl({ prompt: "login" }), browser);
		const tokens = await tokensIn(await redeem(parameters), "the-nonce");
		const again = oauth.getValidatedIdTokenClaims(tokens);
		expect(again?.auth_time).toBeGreaterThan(claims?.auth_time ?? 0);
		expect(again?.sub).toBe(claims?.sub);
	});

	it("oidcc-prompt-none-not-logged-in", async () => {
		const { url } = await newBrowser(issuers).open(requestUrl({ prompt: "none" }));
		expect(() => oauth.validateAuthResponse(server, client, url, "the-state")).toThrow(
			oauth.AuthorizationResponseError,
		);
		expect(url.searchParams.get("error")).toBe("login_required");
	});

	it("oidcc-prompt-none-logged-in, oidcc-max-age-10000, oidcc-id-token-hint", async () => {
		const { browser, claims, tokens } = await signIn();
		for (const more of [
			{ prompt: "none" },
			{ max_age: "10000" },
			{ prompt: "none", id_token_hint: tokens.id_token },
		]) {
			const { parameters } = await authorize(requestUrl(more), browser);
			const again = oauth.getValidatedIdTokenClaims(
				await tokensIn(await redeem(parameters), "the-nonce"),
			);
			expect([again?.sub, again?.auth_time]).toEqual([claims?.sub, claims?.auth_time]);
		}
	});

	it("oidcc-max-age-1", async () => {
		const { browser, claims } = await signIn();
		await new Promise((resolve) => setTimeout(resolve, 2100));
		const { parameters } = await authorize(requestUrl({ max_age: "1" }), browser);
		const tokens = await tokensIn(await redeem(parameters), "the-nonce");
		const again = oauth.getValidatedIdTokenClaims(tokens);
		expect(again?.auth_time).toBeGreaterThan(claims?.auth_time ?? 0);
	});

	it("oidcc-ensure-post-request-succeeds", async () => {
		const { searchParams, origin, pathname } = requestUrl();
		const response = await fetch(`${origin}${pathname}`, {
			method: "POST",
			body: searchParams,
			redirect: "manual",
		});
		expect(response.status).toBe(303);
		const location = new URL(response.headers.get("location") ?? "", origin);
		expect((await authorize(location)).parameters.get("code")).toEqual(expect.any(String));
	});

	it("oidcc-unsigned-request-object-supported-correctly-or-rejected-as-unsupported", async () => {
		const { url } = await newBrowser(issuers).open(requestUrl({ request: "e30.e30." }));
		expect(url.searchParams.get("error")).toBe("request_not_supported");
	});

	it("oidcc-request-uri-unsigned-supported-correctly-or-rejected-as-unsupported", async () => {
		const request_uri = "https://app.example.com/request";
		const { url } = await newBrowser(issuers).open(requestUrl({ request_uri }));
		expect(url.searchParams.get("error")).toBe("request_uri_not_supported");
	});

	it("oidcc-ensure-request-object-with-redirect-uri", async () => {
		const other = JSON.stringify({ redirect_uri: "https://evil.example.com/callback" });
		const request = ['{"alg":"none"}', other, ""]
			.map((part) => Buffer.from(part).toString("base64url"))
			.join(".");
		const { url } = await newBrowser(issuers).open(requestUrl({ request }));
		expect(`${url.origin}${url.pathname}`).toBe(REDIRECT_URI);
		expect(url.searchParams.get("error")).toBe("request_not_supported");
	});

	it("oidcc-ensure-request-with-valid-pkce-succeeds", async () => {
		const verifier = oauth.generateRandomCodeVerifier();
		const code_challenge = await oauth.calculatePKCECodeChallenge(verifier);
		const request = requestUrl({ code_challenge, code_challenge_method: "S256" });
		const { parameters } = await authorize(request);
		const response = await oauth.authorizationCodeGrantRequest(
			...([server, client, secret(), parameters, REDIRECT_URI, verifier, http] as const),
		);
		expect((await tokensIn(response, "the-nonce")).access_token).toEqual(expect.any(String));
	});

	it("oidcc-ensure-registered-redirect-uri, and with none or with a fragment", async () => {
		for (const redirect_uri of [undefined, "https://app.example.com/other", `${REDIRECT_URI}#x`]) {
			const { url } = await newBrowser(issuers).open(requestUrl({ redirect_uri }));
			expect(url.pathname).toBe("/t/acme/error");
		}
	});
});

describe("codes and tokens", () => {
	it("oidcc-codereuse: a code works once, and its tokens stop if it is used again", async () => {
		const { parameters } = await authorize(requestUrl());
		const tokens = await tokensIn(await redeem(parameters), "the-nonce");
		const again = await redeem(parameters);
		expect([again.status, await again.json()]).toMatchObject([400, { error: "invalid_grant" }]);
		await expect(userInfo(tokens.access_token)).rejects.toThrow();
	});

	it("oidcc-refresh-token", async () => {
		const { tokens, claims } = await signIn({ scope: "openid offline_access" });
		const response = await oauth.refreshTokenGrantRequest(
			server,
			client,
			secret(),
			tokens.refresh_token ?? "",
			http,
		);
		const next = await oauth.processRefreshTokenResponse(server, client, response);
		const refreshed = oauth.getValidatedIdTokenClaims(next);
		expect(refreshed).toMatchObject({ sub: claims?.sub, auth_time: claims?.auth_time });
	});
});
