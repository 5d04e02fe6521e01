import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { decodeJwt, decodeProtectedHeader, exportJWK, generateKeyPair, SignJWT } from "jose";
import * as openid from "openid-client";
import { beforeAll, expect, it, onTestFinished } from "vitest";
import { notEmpty } from "../../../testing/not-empty";
import { logoutReceiver } from "./logout-receiver";
import {
	atTheEndOfFile,
	authorizationRequest,
	type CreatedApplication,
	connect,
	type IssuingTenant,
	newBrowser,
	type RunningIssuers,
	runningIssuers,
	signInAt,
} from "./running-issuers";

/**
 * The discovery document announces what works, and nothing else. Each entry has a test of what it says, and
 * of something that it does not say.
 */
type Document = Record<string, unknown>;

const DEVICE_GRANT = "urn:ietf:params:oauth:grant-type:device_code";

const atTheEnd = atTheEndOfFile();
let issuers: RunningIssuers;
let acme: IssuingTenant;
let web: CreatedApplication;
let spa: CreatedApplication;
let job: CreatedApplication;
let signing: WithKeys;
let television: CreatedApplication;
let config: openid.Configuration;
let document: Document;

beforeAll(async () => {
	issuers = await runningIssuers(atTheEnd, {
		...{ ALLOW_PRIVATE_PROVIDER_HOSTS: "true", WEBHOOK_INTERVAL_SECONDS: "1" },
	});
	acme = await issuers.newTenant("acme");
	const { tenantId, userId } = acme;
	const image = "https://example.com/ada.png";
	await issuers.manage("/tenant/user/update", { tenantId, userId, image });
	web = await issuers.createApplication(tenantId);
	spa = await issuers.createApplication(tenantId, { type: "spa" });
	job = await issuers.createApplication(tenantId, {
		...{ type: "machine", redirectUris: [], postLogoutRedirectUris: [] },
	});
	signing = await applicationWithKeys(["ES256"]);
	television = await issuers.createApplication(tenantId, {
		...{ type: "native", deviceFlow: true, redirectUris: [], postLogoutRedirectUris: [] },
	});
	config = await connect(acme, web);
	const response = await fetch(`${acme.issuer}/.well-known/openid-configuration`);
	document = (await response.json()) as Document;
});

const list = (name: string) => notEmpty(document[name] as string[]);

/** Where a request ends, in a browser without a session. */
async function open(parameters: Record<string, string>, browser = newBrowser(issuers)) {
	const { url } = await authorizationRequest(config, parameters);
	return (await browser.open(url)).url;
}

/** In the fragment, if the app asked for tokens. */
async function errorAt(parameters: Record<string, string>) {
	const { searchParams, hash } = await open(parameters);
	return searchParams.get("error") ?? new URLSearchParams(hash.slice(1)).get("error");
}

const basic = ({ clientId, clientSecret }: CreatedApplication) => ({
	authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}`,
});

async function post(
	endpoint: string,
	fields: Record<string, string>,
	headers: Record<string, string> = {},
) {
	const body = new URLSearchParams(fields);
	const response = await fetch(String(document[endpoint]), { method: "POST", body, headers });
	const text = await response.text();
	return { status: response.status, body: (text ? JSON.parse(text) : {}) as Document };
}

const ASYMMETRIC = [
	...["RS256", "RS384", "RS512", "PS256", "PS384", "PS512"],
	...["ES256", "ES384", "ES512", "EdDSA"],
];

/** An application with a key for each of some algorithms. */
async function applicationWithKeys(algorithms: string[]) {
	const pairs = await Promise.all(
		algorithms.map(async (alg) => {
			const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
			return { alg, privateKey, jwk: { ...(await exportJWK(publicKey)), kid: alg } };
		}),
	);
	const jwks = { keys: pairs.map(({ jwk }) => jwk) };
	const application = await issuers.createApplication(acme.tenantId, { jwks });
	return {
		application,
		keyOf: (alg: string) => pairs.find((pair) => pair.alg === alg)?.privateKey,
	};
}

type WithKeys = Awaited<ReturnType<typeof applicationWithKeys>>;

/** An assertion as `private_key_jwt` has it. Without a key for it, the client's secret is the key. */
async function assertionOf({ application: { clientId }, keyOf }: WithKeys, alg = "ES256") {
	const claims = { iss: clientId, sub: clientId, aud: acme.issuer, jti: randomUUID() };
	return {
		client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
		client_assertion: await new SignJWT(claims)
			.setProtectedHeader({ alg, kid: alg })
			.setIssuedAt()
			.setExpirationTime("1m")
			.sign(keyOf(alg) ?? new TextEncoder().encode(clientId)),
	};
}

/** Asks with each algorithm. Exactly those that the document names are accepted. */
const expectAlgorithms = (endpoint: string) => async (name: string) => {
	const client = await applicationWithKeys(ASYMMETRIC);
	const accepted: string[] = [];
	for (const alg of notEmpty([...ASYMMETRIC, "HS256", "HS384", "HS512"])) {
		const assertion = await assertionOf(client, alg);
		const fields = { grant_type: "client_credentials", token: "x", ...assertion };
		const { body } = await post(endpoint, fields);
		if (body.error !== "invalid_client") accepted.push(alg);
	}
	expect(accepted.sort()).toEqual([...list(name)].sort());
};

/** How a client can present itself: what it sends, and as which application. */
const AUTHENTICATIONS: Record<
	string,
	() => Promise<{ fields?: Record<string, string>; headers?: Record<string, string> }>
> = {
	client_secret_basic: async () => ({ headers: basic(web) }),
	client_secret_post: async () => ({
		fields: { client_id: web.clientId, client_secret: web.clientSecret ?? "" },
	}),
	none: async () => ({ fields: { client_id: spa.clientId } }),
	private_key_jwt: async () => ({ fields: await assertionOf(signing) }),
};

/** Calls an endpoint in each way. Exactly those that the document names are accepted. */
async function expectMethods(
	entry: string,
	call: (application: CreatedApplication) => Promise<{
		endpoint: string;
		fields: Record<string, string>;
		isAccepted: (response: Awaited<ReturnType<typeof post>>) => boolean;
	}>,
) {
	const accepted: string[] = [];
	for (const [method, authenticate] of notEmpty(Object.entries(AUTHENTICATIONS))) {
		const applications: Record<string, CreatedApplication> = {
			...{ none: spa, private_key_jwt: signing.application },
		};
		const { endpoint, fields, isAccepted } = await call(applications[method] ?? web);
		const { fields: more = {}, headers = {} } = await authenticate();
		const response = await post(endpoint, { ...fields, ...more }, headers);
		if (isAccepted(response)) accepted.push(method);
	}
	expect(accepted.sort()).toEqual([...list(entry)].sort());
}

async function tokensOf(application: CreatedApplication, scope = "openid offline_access") {
	const key = signing.keyOf("ES256");
	const authentication =
		application === signing.application && key
			? openid.PrivateKeyJwt({ key: key as CryptoKey, kid: "ES256" })
			: undefined;
	const at = await connect(acme, application, authentication);
	return (await signInAt(issuers, acme, at, { scope })).tokens;
}

/** The logout token after a sign-out, and the ID token of the session. */
async function logoutTokens() {
	const receiver = await logoutReceiver(onTestFinished);
	const app = await issuers.createApplication(acme.tenantId, {
		backchannelLogoutUri: receiver.url,
	});
	const { browser, tokens } = await signInAt(issuers, acme, await connect(acme, app));
	const told = once(receiver.calls, "call");
	const headers = { "x-tenant-id": acme.tenantId, origin: issuers.baseUrl };
	await issuers.post("/sign-out", {}, { ...headers, cookie: browser.cookieHeader() });
	await told;
	const sent = receiver.received[0]?.form.get("logout_token") ?? "";
	return { logoutToken: decodeJwt(sent), idToken: tokens.claims() };
}

/** An endpoint that is there refuses an empty call, and not with 404. */
const expectEndpoint = (path: string) => async (name: string) => {
	expect(document[name]).toBe(`${acme.issuer}${path}`);
	const response = await fetch(String(document[name]), { redirect: "manual" });
	expect(response.status).not.toBe(404);
};

const ENTRIES: Record<string, (name: string) => Promise<void>> = {
	issuer: async () => {
		const tokens = await tokensOf(web);
		expect([document.issuer, tokens.claims()?.iss]).toEqual([acme.issuer, acme.issuer]);
	},
	authorization_endpoint: expectEndpoint("/oauth2/authorize"),
	token_endpoint: async (name) => {
		expect(document[name]).toBe(`${acme.issuer}/oauth2/token`);
		expect((await post(name, {})).body).toHaveProperty("error");
	},
	introspection_endpoint: async (name) => {
		expect(document[name]).toBe(`${acme.issuer}/oauth2/introspect`);
		expect((await post(name, { token: "x" }, basic(web))).body).toEqual({ active: false });
	},
	revocation_endpoint: async (name) => {
		expect(document[name]).toBe(`${acme.issuer}/oauth2/revoke`);
		expect((await post(name, { token: "x" }, basic(web))).status).toBe(200);
	},
	device_authorization_endpoint: async (name) => {
		expect(document[name]).toBe(`${acme.issuer}/device/code`);
		const { clientId: client_id } = television;
		const asked = await post(name, { client_id, scope: "openid" });
		expect(asked.body).toMatchObject({ verification_uri: `${acme.issuer}/device` });
		const page = await fetch(String(asked.body.verification_uri), {
			headers: { accept: "text/html" },
		});
		// The pages are not built in every test run.
		expect(page.status).not.toBe(404);
	},
	userinfo_endpoint: expectEndpoint("/oauth2/userinfo"),
	end_session_endpoint: expectEndpoint("/oauth2/end-session"),
	jwks_uri: expectEndpoint("/jwks"),
	scopes_supported: async (name) => {
		const scope = list(name).join(" ");
		expect((await tokensOf(web, scope)).scope).toBe(scope);
		for (const other of ["address", "phone", "groups"]) {
			expect(await errorAt({ scope: `openid ${other}` })).toBe("invalid_scope");
		}
	},
	response_types_supported: async (name) => {
		expect(list(name)).toEqual(["code"]);
		expect((await open({ response_type: "code" })).pathname).toBe("/t/acme/sign-in");
		for (const response_type of ["token", "id_token", "code id_token", "none"]) {
			expect(await errorAt({ response_type })).toBe("unsupported_response_type");
		}
	},
	response_modes_supported: async (name) => {
		expect(list(name)).toEqual(["query"]);
		expect((await open({ response_mode: "query" })).pathname).toBe("/t/acme/sign-in");
		for (const response_mode of ["fragment", "form_post", "jwt"]) {
			expect(await errorAt({ response_mode })).toBe("invalid_request");
		}
	},
	grant_types_supported: async (name) => {
		const { refresh_token = "" } = await tokensOf(web);
		const refreshed = await openid.refreshTokenGrant(config, refresh_token);
		const own = await openid.clientCredentialsGrant(await connect(acme, job));
		expect([refreshed.access_token, own.access_token]).toEqual([
			...[expect.any(String), expect.any(String)],
		]);
		const polled = await post("token_endpoint", {
			...{ grant_type: DEVICE_GRANT, client_id: television.clientId, device_code: "unknown" },
		});
		expect(polled.body.error).toBe("invalid_grant");
		expect([...list(name)].sort()).toEqual([
			...["authorization_code", "client_credentials", "refresh_token", DEVICE_GRANT],
		]);
		for (const grant_type of notEmpty([
			...["password", "implicit", "urn:openid:params:grant-type:ciba"],
			...["urn:ietf:params:oauth:grant-type:token-exchange"],
		])) {
			const { body } = await post("token_endpoint", { grant_type }, basic(web));
			expect(body.error).toMatch(/^(unsupported_grant_type|invalid_request)$/);
		}
	},
	token_endpoint_auth_methods_supported: (name) =>
		expectMethods(name, async (application) => ({
			endpoint: "token_endpoint",
			fields: {
				grant_type: "refresh_token",
				refresh_token: (await tokensOf(application)).refresh_token ?? "",
			},
			isAccepted: ({ body }) => "access_token" in body,
		})),
	introspection_endpoint_auth_methods_supported: (name) =>
		expectMethods(name, async (application) => ({
			endpoint: "introspection_endpoint",
			fields: { token: (await tokensOf(application)).access_token },
			isAccepted: ({ body }) => body.active === true,
		})),
	revocation_endpoint_auth_methods_supported: (name) =>
		expectMethods(name, async (application) => ({
			endpoint: "revocation_endpoint",
			fields: { token: (await tokensOf(application)).access_token },
			isAccepted: ({ status }) => status === 200,
		})),
	token_endpoint_auth_signing_alg_values_supported: expectAlgorithms("token_endpoint"),
	introspection_endpoint_auth_signing_alg_values_supported:
		expectAlgorithms("introspection_endpoint"),
	revocation_endpoint_auth_signing_alg_values_supported: expectAlgorithms("revocation_endpoint"),
	backchannel_logout_supported: async (name) => {
		expect(document[name]).toBe(true);
		const { logoutToken, idToken } = await logoutTokens();
		expect(logoutToken.sub).toBe(idToken?.sub);
	},
	backchannel_logout_session_supported: async (name) => {
		expect(document[name]).toBe(true);
		const { logoutToken, idToken } = await logoutTokens();
		expect([logoutToken.sid, idToken?.sid]).toEqual([expect.any(String), logoutToken.sid]);
	},
	code_challenge_methods_supported: async (name) => {
		expect(list(name)).toEqual(["S256"]);
		expect(await errorAt({ code_challenge_method: "plain" })).toBe("invalid_request");
	},
	authorization_response_iss_parameter_supported: async () => {
		const { callback } = await signInAt(issuers, acme, config);
		expect(callback.searchParams.get("iss")).toBe(acme.issuer);
		const refused = await open({ prompt: "none" });
		expect(refused.searchParams.get("iss")).toBe(acme.issuer);
	},
	claims_supported: async (name) => {
		const scope = "openid profile email roles permissions";
		const tokens = await tokensOf(web, scope);
		const info = await openid.fetchUserInfo(config, tokens.access_token, acme.userId);
		const found = new Set([...Object.keys(tokens.claims() ?? {}), ...Object.keys(info)]);
		expect([...found].sort()).toEqual([...list(name)].sort());
	},
	claims_parameter_supported: async (name) => {
		expect(document[name]).toBe(false);
		const claims = JSON.stringify({ id_token: { email: { essential: true } } });
		const { tokens } = await signInAt(issuers, acme, config, { scope: "openid", claims });
		expect(tokens.claims()).not.toHaveProperty("email");
	},
	subject_types_supported: async (name) => {
		expect(list(name)).toEqual(["public"]);
		const subjects = [await tokensOf(web), await tokensOf(spa)].map((it) => it.claims()?.sub);
		expect(subjects).toEqual([acme.userId, acme.userId]);
	},
	acr_values_supported: async (name) => {
		expect(list(name)).toEqual(["0"]);
		const { tokens } = await signInAt(issuers, acme, config, { acr_values: "mfa 1" });
		expect(tokens.claims()).toMatchObject({ acr: "0" });
		expect(tokens.claims()).not.toHaveProperty("amr");
		const essential = (value: string) =>
			JSON.stringify({ id_token: { acr: { essential: true, value } } });
		expect(await errorAt({ claims: essential("1") })).toBe("access_denied");
		expect((await open({ claims: essential("0") })).pathname).toBe("/t/acme/sign-in");
	},
	id_token_signing_alg_values_supported: async (name) => {
		expect(list(name)).toEqual(["RS256"]);
		expect(decodeProtectedHeader((await tokensOf(web)).id_token ?? "").alg).toBe("RS256");
	},
	request_parameter_supported: async (name) => {
		expect(document[name]).toBe(false);
		expect(await errorAt({ request: "e30.e30." })).toBe("request_not_supported");
	},
	request_uri_parameter_supported: async (name) => {
		expect(document[name]).toBe(false);
		const request_uri = "https://app.example.com/request";
		expect(await errorAt({ request_uri })).toBe("request_uri_not_supported");
	},
	prompt_values_supported: async (name) => {
		const { browser } = await signInAt(issuers, acme, config);
		const shown: Record<string, string> = {
			login: "/t/acme/sign-in",
			consent: "/t/acme/consent",
			create: "/t/acme/sign-up",
			select_account: "/t/acme/sign-in",
			none: "/callback",
		};
		expect([...list(name)].sort()).toEqual(Object.keys(shown).sort());
		for (const prompt of notEmpty(list(name))) {
			expect([prompt, (await open({ prompt }, browser)).pathname]).toEqual([prompt, shown[prompt]]);
		}
		expect(await errorAt({ prompt: "never" })).toBe("invalid_request");
	},
};

it("every entry of the document has a test", () => {
	expect(Object.keys(document).sort()).toEqual(Object.keys(ENTRIES).sort());
});

it.each(Object.entries(ENTRIES))("%s", async (name, check) => {
	expect(document).toHaveProperty(name);
	await check(name);
});
