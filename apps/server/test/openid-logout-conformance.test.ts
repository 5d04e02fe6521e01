import type * as openid from "openid-client";
import { beforeAll, expect, it } from "vitest";
import {
	atTheEndOfFile,
	authorizationRequest,
	connect,
	type IssuingTenant,
	POST_LOGOUT_URI,
	type RunningIssuers,
	runningIssuers,
	signInAt,
} from "./running-issuers";

/**
 * The plan "RP-Initiated Logout" of the OpenID Foundation, driven with openid-client. The tests have the
 * names of the modules.
 */
const atTheEnd = atTheEndOfFile();
let issuers: RunningIssuers;
let acme: IssuingTenant;
let config: openid.Configuration;

beforeAll(async () => {
	issuers = await runningIssuers(atTheEnd);
	acme = await issuers.newTenant("acme");
	config = await connect(acme, await issuers.createApplication(acme.tenantId));
});

/** Signs a user in, and opens the sign-out: where the browser ends, and whether the session did. */
async function signOut(parametersFor: (idToken: string) => Record<string, string>) {
	const { browser, tokens } = await signInAt(issuers, acme, config);
	const endpoint = new URL(config.serverMetadata().end_session_endpoint ?? "");
	const parameters = parametersFor(tokens.id_token ?? "");
	for (const [name, value] of Object.entries(parameters)) endpoint.searchParams.set(name, value);
	const { url } = await browser.open(endpoint);
	const { url: silent } = await authorizationRequest(config, { prompt: "none" });
	const after = (await browser.open(silent)).url.searchParams;
	return { url, isSignedIn: after.has("code"), error: after.get("error") };
}

const CONFIRMATION = "/t/acme/sign-out";
const redirect = { post_logout_redirect_uri: POST_LOGOUT_URI };

/** The user stays signed in until they confirm, on a page of the tenant. */
async function expectConfirmation(parametersFor: (idToken: string) => Record<string, string>) {
	const { url, isSignedIn } = await signOut(parametersFor);
	expect([url.origin, url.pathname]).toEqual([issuers.baseUrl, CONFIRMATION]);
	expect(isSignedIn).toBe(true);
}

it("oidcc-rp-initiated-logout-discovery-endpoint-verification", () => {
	const { end_session_endpoint } = config.serverMetadata();
	expect(end_session_endpoint).toBe(`${acme.issuer}/oauth2/end-session`);
});

it("oidcc-rp-initiated-logout", async () => {
	const { url, error } = await signOut((id_token_hint) => ({
		...{ id_token_hint, state: "the-state", ...redirect },
	}));
	expect(String(url)).toBe(`${POST_LOGOUT_URI}?state=the-state`);
	expect(error).toBe("login_required");
});

it("oidcc-rp-initiated-logout-no-state", async () => {
	const { url, error } = await signOut((id_token_hint) => ({ id_token_hint, ...redirect }));
	expect(String(url)).toBe(POST_LOGOUT_URI);
	expect(error).toBe("login_required");
});

it("oidcc-rp-initiated-logout-no-post-logout-redirect-uri", async () => {
	const { url, error } = await signOut((id_token_hint) => ({ id_token_hint, state: "x" }));
	expect([url.origin, url.pathname]).toEqual([issuers.baseUrl, "/t/acme/sign-in"]);
	expect(error).toBe("login_required");
});

it.each([
	[
		"oidcc-rp-initiated-logout-bad-post-logout-redirect-uri",
		"https://app.example.com/another-page",
	],
	[
		"oidcc-rp-initiated-logout-query-added-to-post-logout-redirect-uri",
		`${POST_LOGOUT_URI}?foo=bar`,
	],
])("%s", async (_, post_logout_redirect_uri) => {
	const { url } = await signOut((id_token_hint) => ({
		...{ id_token_hint, state: "the-state", post_logout_redirect_uri },
	}));
	expect(url.origin).toBe(issuers.baseUrl);
	expect(url.pathname).toMatch(/^\/t\/acme\/(error|sign-out|sign-in)$/);
});

it("oidcc-rp-initiated-logout-no-id-token-hint", () =>
	expectConfirmation(() => ({ state: "the-state", ...redirect })));

it("oidcc-rp-initiated-logout-no-params", () => expectConfirmation(() => ({})));

it("oidcc-rp-initiated-logout-only-state", () => expectConfirmation(() => ({ state: "x" })));

it("oidcc-rp-initiated-logout-modified-id-token-hint", () =>
	expectConfirmation((idToken) => {
		const [header = "", payload = "", signature = ""] = idToken.split(".");
		const claims = JSON.parse(Buffer.from(payload, "base64url").toString());
		const changed = Buffer.from(JSON.stringify({ ...claims, sub: "another" })).toString(
			"base64url",
		);
		return { id_token_hint: [header, changed, signature].join("."), ...redirect };
	}));

it("oidcc-rp-initiated-logout-bad-id-token-hint", () =>
	expectConfirmation(() => ({ id_token_hint: "bad", state: "the-state", ...redirect })));
