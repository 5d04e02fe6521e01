import { createRemoteJWKSet, decodeJwt, jwtVerify } from "jose";
import * as openid from "openid-client";
import { beforeAll, describe, expect, it } from "vitest";
import { notEmpty } from "../../../testing/not-empty";
import {
	API,
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

let issuers: RunningIssuers;
let acme: IssuingTenant;

const atTheEnd = atTheEndOfFile();

beforeAll(async () => {
	issuers = await runningIssuers(atTheEnd);
	acme = await issuers.newTenant("acme");
});

const application = (more: object = {}) => issuers.createApplication(acme.tenantId, more);

/** The error code that the library got. */
const errorOf = async (call: Promise<unknown>): Promise<unknown> =>
	call.then(
		(value) => ({ succeeded: value }),
		(error: { error?: string; code?: string; status?: number }) => error.error ?? error.code,
	);

describe("the discovery document", () => {
	it("has everything below the issuer, in both places", async () => {
		const [oidc, oauth] = await Promise.all(
			[
				`${acme.issuer}/.well-known/openid-configuration`,
				`${issuers.baseUrl}/.well-known/oauth-authorization-server/t/acme`,
			].map(async (url) => (await fetch(url)).json() as Promise<Record<string, unknown>>),
		);
		expect(oauth).toEqual(oidc);
		expect(oidc).toMatchObject({
			issuer: acme.issuer,
			authorization_endpoint: `${acme.issuer}/oauth2/authorize`,
			token_endpoint: `${acme.issuer}/oauth2/token`,
			userinfo_endpoint: `${acme.issuer}/oauth2/userinfo`,
			introspection_endpoint: `${acme.issuer}/oauth2/introspect`,
			revocation_endpoint: `${acme.issuer}/oauth2/revoke`,
			end_session_endpoint: `${acme.issuer}/oauth2/end-session`,
			jwks_uri: `${acme.issuer}/jwks`,
			id_token_signing_alg_values_supported: ["RS256"],
			code_challenge_methods_supported: ["S256"],
			authorization_response_iss_parameter_supported: true,
		});
	});
});

describe("the lifetime of tokens", () => {
	it("is a setting of the service", async () => {
		const settings = { ACCESS_TOKEN_MINUTES: "5", ID_TOKEN_MINUTES: "15" };
		const short = await runningIssuers(atTheEnd, settings);
		const tenant = await short.newTenant("acme");
		const config = await connect(tenant, await short.createApplication(tenant.tenantId));
		const { tokens } = await signInAt(short, tenant, config, { resource: API });
		const lifetime = ({ exp = 0, iat = 0 }: { exp?: number; iat?: number } = {}) => exp - iat;
		expect(tokens.expires_in).toBe(5 * 60);
		expect(lifetime(decodeJwt(tokens.access_token))).toBe(5 * 60);
		expect(lifetime(tokens.claims())).toBe(15 * 60);
	});
});

describe("an app with a secret", () => {
	it("signs a user in, and reads who it is", async () => {
		const config = await connect(acme, await application());
		const { tokens, page, callback } = await signInAt(issuers, acme, config);
		expect(`${page.origin}${page.pathname}`).toBe(`${acme.issuer}/sign-in`);
		expect(callback.searchParams.get("iss")).toBe(acme.issuer);
		expect(tokens.claims()).toMatchObject({
			iss: acme.issuer,
			sub: acme.userId,
			tenant_id: acme.tenantId,
			auth_time: expect.any(Number),
			sid: expect.any(String),
		});
		const user = await openid.fetchUserInfo(config, tokens.access_token, acme.userId);
		expect(user).toMatchObject({
			sub: acme.userId,
			email: acme.email,
			name: "Ada Lovelace",
			tenant_id: acme.tenantId,
		});
	});

	it.each([
		["in the form", openid.ClientSecretPost],
		["in the header", openid.ClientSecretBasic],
	])("can send its secret %s", async (_, method) => {
		const app = await application();
		const config = await connect(acme, app, method(app.clientSecret ?? ""));
		const { tokens } = await signInAt(issuers, acme, config);
		expect(await openid.tokenIntrospection(config, tokens.access_token)).toMatchObject({
			active: true,
			iss: acme.issuer,
			sub: acme.userId,
			tenant_id: acme.tenantId,
		});
	});

	it("gets a JWT for an API, which anybody can verify with the published keys", async () => {
		const app = await application();
		const config = await connect(acme, app);
		const { tokens } = await signInAt(issuers, acme, config, {
			resource: API,
			scope: "openid read",
		});
		const keys = createRemoteJWKSet(new URL(`${acme.issuer}/jwks`));
		const { payload } = await jwtVerify(tokens.access_token, keys, {
			issuer: acme.issuer,
			audience: API,
			typ: "at+jwt",
		});
		expect(payload).toMatchObject({
			sub: acme.userId,
			client_id: app.clientId,
			tenant_id: acme.tenantId,
			scope: "openid read",
			aud: [API, `${acme.issuer}/oauth2/userinfo`],
		});
		expect(await openid.fetchUserInfo(config, tokens.access_token, acme.userId)).toMatchObject({
			sub: acme.userId,
		});
		expect(await openid.tokenIntrospection(config, tokens.access_token)).toMatchObject({
			active: true,
		});
	});

	it("sends a user who is signed in straight back", async () => {
		const config = await connect(acme, await application());
		const { browser } = await signInAt(issuers, acme, config);
		const { url, checks } = await authorizationRequest(config);
		const { url: callback } = await browser.open(url);
		expect(`${callback.origin}${callback.pathname}`).toBe(REDIRECT_URI);
		const tokens = await openid.authorizationCodeGrant(config, callback, checks);
		expect(tokens.claims()?.sub).toBe(acme.userId);
	});

	it("refreshes its tokens", async () => {
		const config = await connect(acme, await application());
		const { tokens } = await signInAt(issuers, acme, config);
		const first = tokens.refresh_token ?? "";
		const next = await openid.refreshTokenGrant(config, first);
		expect(next.claims()).toMatchObject({ sub: acme.userId, tenant_id: acme.tenantId });
		expect(next.refresh_token).not.toBe(first);
		// An answer may get lost. For some seconds, the same token gives the same new one.
		const again = await openid.refreshTokenGrant(config, first);
		expect(again.refresh_token).toBe(next.refresh_token);
	});

	it("revokes a token", async () => {
		const config = await connect(acme, await application());
		const { tokens } = await signInAt(issuers, acme, config);
		await openid.tokenRevocation(config, tokens.access_token);
		expect(await openid.tokenIntrospection(config, tokens.access_token)).toEqual({
			active: false,
		});
		await openid.tokenRevocation(config, tokens.refresh_token ?? "");
		const again = openid.refreshTokenGrant(config, tokens.refresh_token ?? "");
		expect(await errorOf(again)).toBe("invalid_grant");
		// RFC 7009, section 2.2: a token that is not valid is revoked already.
		await openid.tokenRevocation(config, "no-such-token");
		await openid.tokenRevocation(config, tokens.access_token);
	});

	it("signs a user out, who returns to the app", async () => {
		const config = await connect(acme, await application());
		const { browser, tokens } = await signInAt(issuers, acme, config);
		const signOut = openid.buildEndSessionUrl(config, {
			id_token_hint: tokens.id_token ?? "",
			post_logout_redirect_uri: POST_LOGOUT_URI,
			state: "bye",
		});
		const { url } = await browser.open(signOut);
		expect(url.href).toBe(`${POST_LOGOUT_URI}?state=bye`);
		const { url: next } = await browser.open((await authorizationRequest(config)).url);
		expect(next.pathname).toBe("/t/acme/sign-in");
	});

	it("returns to no other URL after a sign-out", async () => {
		const config = await connect(acme, await application());
		const { browser, tokens } = await signInAt(issuers, acme, config);
		const signOut = openid.buildEndSessionUrl(config, {
			id_token_hint: tokens.id_token ?? "",
			post_logout_redirect_uri: "https://evil.example/goodbye",
		});
		expect((await browser.open(signOut)).url.origin).toBe(issuers.baseUrl);
	});
});

describe("an app without a secret", () => {
	it("signs a user in with PKCE", async () => {
		const config = await connect(acme, await application({ type: "spa" }));
		const { tokens } = await signInAt(issuers, acme, config);
		expect(tokens.claims()?.sub).toBe(acme.userId);
		const next = await openid.refreshTokenGrant(config, tokens.refresh_token ?? "");
		expect(next.access_token).toEqual(expect.any(String));
	});

	it("must use PKCE", async () => {
		const config = await connect(acme, await application({ type: "spa" }));
		const url = openid.buildAuthorizationUrl(config, {
			redirect_uri: REDIRECT_URI,
			scope: "openid",
			state: "state",
		});
		const { url: callback } = await newBrowser(issuers).open(url);
		expect(Object.fromEntries(callback.searchParams)).toMatchObject({
			error: "invalid_request",
			state: "state",
			iss: acme.issuer,
		});
	});

	it("gets no token with another verifier", async () => {
		const config = await connect(acme, await application({ type: "spa" }));
		const browser = newBrowser(issuers);
		const { url, checks } = await authorizationRequest(config);
		const page = await browser.open(url);
		const { url: callback = "" } = await browser.signIn(acme, page.url);
		const grant = openid.authorizationCodeGrant(config, new URL(callback), {
			...checks,
			pkceCodeVerifier: openid.randomPKCECodeVerifier(),
		});
		expect(await errorOf(grant)).toBe("invalid_grant");
	});

	it("on a phone returns to its own scheme", async () => {
		const redirectUri = "com.example.notes:/callback";
		const app = await application({ type: "native", redirectUris: [redirectUri] });
		const config = await connect(acme, app);
		const { callback } = await signInAt(issuers, acme, config, { redirect_uri: redirectUri });
		expect(callback.protocol).toBe("com.example.notes:");
	});
});

describe("an app without users", () => {
	it("gets a token for itself", async () => {
		const app = await application({
			type: "machine",
			redirectUris: [],
			postLogoutRedirectUris: [],
			scopes: ["read"],
		});
		const config = await connect(acme, app);
		const tokens = await openid.clientCredentialsGrant(config, { scope: "read", resource: API });
		const keys = createRemoteJWKSet(new URL(`${acme.issuer}/jwks`));
		const { payload } = await jwtVerify(tokens.access_token, keys, {
			issuer: acme.issuer,
			audience: API,
		});
		expect(payload).toMatchObject({
			sub: app.clientId,
			scope: "read",
			tenant_id: acme.tenantId,
		});
		const more = openid.clientCredentialsGrant(config, { scope: "write" });
		expect(await errorOf(more)).toBe("invalid_scope");
		const opaque = await openid.clientCredentialsGrant(config, { scope: "read" });
		expect(await openid.tokenIntrospection(config, opaque.access_token)).toMatchObject({
			active: true,
			tenant_id: acme.tenantId,
		});
	});
});

describe("prompt and max_age", () => {
	it("none: an error if nobody is signed in, otherwise a code", async () => {
		const config = await connect(acme, await application());
		const { url } = await authorizationRequest(config, { prompt: "none" });
		const nobody = await newBrowser(issuers).open(url);
		expect(nobody.url.searchParams.get("error")).toBe("login_required");
		const { browser } = await signInAt(issuers, acme, config);
		const again = await authorizationRequest(config, { prompt: "none" });
		const { url: callback } = await browser.open(again.url);
		const tokens = await openid.authorizationCodeGrant(config, callback, again.checks);
		expect(tokens.claims()?.sub).toBe(acme.userId);
	});

	it.each([
		["prompt", "login"],
		["max_age", "0"],
		["prompt", "select_account"],
	])("%s=%s: the user signs in again", async (name, value) => {
		const config = await connect(acme, await application());
		const { browser, tokens } = await signInAt(issuers, acme, config);
		const before = tokens.claims()?.auth_time ?? 0;
		await new Promise((resolve) => setTimeout(resolve, 1100));
		const { url, checks } = await authorizationRequest(config, { [name]: value });
		const page = await browser.open(url);
		expect(page.url.pathname).toBe("/t/acme/sign-in");
		const { url: callback = "" } = await browser.signIn(acme, page.url);
		const again = await openid.authorizationCodeGrant(config, new URL(callback), checks);
		expect(again.claims()?.auth_time).toBeGreaterThan(before);
	});

	it("consent: the user is asked again, even by a first-party app", async () => {
		const config = await connect(acme, await application());
		const { browser } = await signInAt(issuers, acme, config);
		const { url } = await authorizationRequest(config, { prompt: "consent" });
		expect((await browser.open(url)).url.pathname).toBe("/t/acme/consent");
	});
});

describe("a third-party app", () => {
	it("asks for consent once", async () => {
		const config = await connect(acme, await application({ firstParty: false }));
		const browser = newBrowser(issuers);
		const { url, checks } = await authorizationRequest(config);
		const signInPage = await browser.open(url);
		const { url: consentPage = "" } = await browser.signIn(acme, signInPage.url);
		expect(new URL(consentPage).pathname).toBe("/t/acme/consent");
		const { url: callback } = await browser.consent(acme, new URL(consentPage));
		const tokens = await openid.authorizationCodeGrant(config, new URL(callback), checks);
		expect(tokens.claims()?.sub).toBe(acme.userId);
		const again = await browser.open((await authorizationRequest(config)).url);
		expect(again.url.searchParams.has("code")).toBe(true);
	});

	it("is told if the user does not consent", async () => {
		const config = await connect(acme, await application({ firstParty: false }));
		const browser = newBrowser(issuers);
		const { url } = await authorizationRequest(config);
		const signInPage = await browser.open(url);
		const { url: consentPage = "" } = await browser.signIn(acme, signInPage.url);
		const { url: callback } = await browser.consent(acme, new URL(consentPage), false);
		expect(Object.fromEntries(new URL(callback).searchParams)).toMatchObject({
			error: "access_denied",
			iss: acme.issuer,
		});
	});
});

describe("a user who is disabled", () => {
	it("gets no new tokens, and the old ones stop", async () => {
		const tenant = await issuers.newTenant("disabling");
		const config = await connect(tenant, await issuers.createApplication(tenant.tenantId));
		const { tokens } = await signInAt(issuers, tenant, config);
		const { tenantId, userId } = tenant;
		await issuers.manage("/tenant/user/disable", { tenantId, userId });
		const refreshed = openid.refreshTokenGrant(config, tokens.refresh_token ?? "");
		expect(await errorOf(refreshed)).toBe("invalid_grant");
		const user = openid.fetchUserInfo(config, tokens.access_token, userId);
		expect(await errorOf(user)).not.toHaveProperty("succeeded");
	});
});

describe("bad input", () => {
	it("gets an error of the protocol, never 500", async () => {
		const app = await application();
		const basic = Buffer.from(`${app.clientId}:${app.clientSecret}`).toString("base64");
		const form = (path: string, fields: Record<string, string>, headers: object = {}) =>
			fetch(`${acme.issuer}/oauth2/${path}`, {
				method: "POST",
				headers: { authorization: `Basic ${basic}`, ...headers },
				body: new URLSearchParams(fields),
			});
		const forged = "eyJhbGciOiJSUzI1NiIsImtpZCI6IngifQ.eyJzdWIiOiJ4In0.c2ln";
		const answers = await Promise.all([
			form("token", {}),
			form("token", { grant_type: "password" }),
			form("token", { grant_type: "authorization_code", code: "\0" }),
			form("token", { grant_type: "refresh_token", refresh_token: forged }),
			form(
				"token",
				{ grant_type: "authorization_code", code: "x" },
				{ authorization: "Basic %%%" },
			),
			form("introspect", {}),
			form("introspect", { token: "x" }, { authorization: "Basic eDp5" }),
			form("revoke", {}),
			fetch(`${acme.issuer}/oauth2/token`, { method: "POST", body: "{}" }),
			fetch(`${acme.issuer}/oauth2/token`),
			fetch(`${acme.issuer}/oauth2/userinfo`),
			fetch(`${acme.issuer}/oauth2/userinfo`, { headers: { authorization: `Bearer ${forged}` } }),
			fetch(`${acme.issuer}/oauth2/userinfo`, { headers: { authorization: "Bearer x" } }),
			fetch(`${issuers.baseUrl}/t/nobody/oauth2/token`, { method: "POST" }),
			fetch(`${issuers.baseUrl}/t/nobody/.well-known/openid-configuration`),
			fetch(`${issuers.baseUrl}/t/%00/jwks`),
		]);
		for (const answer of notEmpty(answers)) {
			expect([answer.url, answer.status >= 400 && answer.status < 500]).toEqual([answer.url, true]);
		}
		for (const token of [forged, "x"]) {
			const inactive = await form("introspect", { token });
			expect([inactive.status, await inactive.json()]).toEqual([200, { active: false }]);
			expect((await form("revoke", { token })).status).toBe(200);
		}
	});

	it("at the authorization endpoint ends on a page of the tenant, or at the app", async () => {
		const app = await application();
		const config = await connect(acme, app);
		const { url } = await authorizationRequest(config);
		const with_ = (changes: Record<string, string | null>) => {
			const changed = new URL(url);
			for (const [name, value] of Object.entries(changes)) {
				if (value === null) changed.searchParams.delete(name);
				else changed.searchParams.set(name, value);
			}
			return newBrowser(issuers).open(changed);
		};
		// Never a redirect to a URL that is not registered.
		const misleading: Record<string, string | null>[] = [
			{ client_id: "nobody" },
			{ client_id: null },
			{ client_id: "\0" },
			{ redirect_uri: "https://evil.example/callback" },
			{ redirect_uri: `${REDIRECT_URI}/more` },
			{ redirect_uri: `${REDIRECT_URI}?more=1` },
			{ redirect_uri: "javascript:alert(1)" },
			{ redirect_uri: null },
		];
		for (const changes of notEmpty(misleading)) {
			const { url: page } = await with_(changes);
			expect(`${page.origin}${page.pathname}`).toBe(`${acme.issuer}/error`);
		}
		for (const [changes, error] of [
			[{ response_type: "token" }, "unsupported_response_type"],
			[{ response_type: null }, "invalid_request"],
			[{ scope: "openid everything" }, "invalid_scope"],
			[{ code_challenge_method: "plain" }, "invalid_request"],
			[{ prompt: "none login" }, "invalid_request"],
			[{ max_age: "-1" }, "invalid_request"],
			[{ resource: "https://other.example.com" }, "invalid_target"],
			[{ request: "x" }, "request_not_supported"],
		] as const) {
			const { url: callback } = await with_(changes);
			expect(callback.origin).toBe("https://app.example.com");
			const parameters = new URLSearchParams(callback.search || callback.hash.slice(1));
			expect([changes, parameters.get("error")]).toEqual([changes, error]);
		}
	});

	it("finds no endpoint of the protocol outside of an issuer", async () => {
		const auth = `${issuers.baseUrl}/api/auth`;
		for (const path of [
			"/oauth2/authorize",
			"/oauth2/token",
			"/oauth2/userinfo",
			"/oauth2/create-client",
			"/oauth2/register",
			"/oauth2/get-clients",
			"/jwks",
			"/token",
			"/.well-known/openid-configuration",
			"/.well-known/oauth-authorization-server",
		]) {
			expect([path, (await fetch(`${auth}${path}`)).status]).toEqual([path, 404]);
		}
	});
});

it("an ID token has no data of the user that its scopes do not contain", async () => {
	const config = await connect(acme, await application());
	const { tokens } = await signInAt(issuers, acme, config, { scope: "openid" });
	const claims = Object.keys(decodeJwt(tokens.id_token ?? "")).sort();
	expect(claims).not.toContain("email");
	expect(tokens.refresh_token).toBeUndefined();
});
