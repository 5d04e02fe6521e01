import { decodeJwt, exportJWK, generateKeyPair, SignJWT } from "jose";
import * as oauth from "oauth4webapi";
import * as openid from "openid-client";
import { beforeAll, describe, expect, it } from "vitest";
import { notEmpty } from "../../../testing/not-empty";
import {
	API,
	atTheEndOfFile,
	authorizationRequest,
	type CreatedApplication,
	connect,
	type IssuingTenant,
	newBrowser,
	type RunningIssuers,
	runningIssuers,
} from "./running-issuers";
import { asManager } from "./running-service";

const ALGORITHMS = ["EdDSA", "ES256", "ES512", "PS256", "RS256"];

const atTheEnd = atTheEndOfFile();

/** Made before the servers start, which get fixed keys in tests. */
const keys = new Map<string, Awaited<ReturnType<typeof generateKeyPair>>>();

beforeAll(async () => {
	for (const alg of ["ES384", "PS256", "RS256"]) keys.set(alg, await generateKeyPair(alg));
});

let issuers: RunningIssuers;
let acme: IssuingTenant;
let globex: IssuingTenant;

beforeAll(async () => {
	issuers = await runningIssuers(atTheEnd, { DPOP: "true" });
	acme = await issuers.newTenant("acme");
	globex = await issuers.newTenant("globex");
});

async function newKey(config: openid.Configuration) {
	return openid.getDPoPHandle(config, await openid.randomDPoPKeyPair("ES256"));
}

/** A user signs in at an application that binds its tokens. */
async function signedIn(parameters: Record<string, string> = {}, more: object = {}) {
	const application = await issuers.createApplication(acme.tenantId, { dpop: true, ...more });
	const config = await connect(acme, application);
	const DPoP = await newKey(config);
	const browser = newBrowser(issuers);
	const { url, checks } = await authorizationRequest(config, parameters);
	const { url: callback = "" } = await browser.signIn(acme, (await browser.open(url)).url);
	const resource = parameters.resource ? { resource: parameters.resource } : undefined;
	const tokens = await openid.authorizationCodeGrant(config, new URL(callback), checks, resource, {
		DPoP,
	});
	return { application, config, DPoP, tokens, refreshToken: tokens.refresh_token ?? "" };
}

const errorOf = (call: Promise<unknown>): Promise<unknown> =>
	call.then(
		() => "succeeded",
		(error: { error?: string; cause?: { parameters?: { error?: string } }[] }) =>
			error.error ?? error.cause?.[0]?.parameters?.error,
	);

type Proof = { htu: string; htm?: string; token?: string; claims?: object };

/** A proof of a key of its own, to send as often as a test wants. */
async function prover(alg = "ES256") {
	const { privateKey, publicKey } = keys.get(alg) ?? (await generateKeyPair(alg));
	const jwk = await exportJWK(publicKey);
	const ath = async (token: string) =>
		Buffer.from(await crypto.subtle.digest("SHA-256", Buffer.from(token))).toString("base64url");
	return async ({ htu, htm = "POST", token, claims = {} }: Proof) =>
		new SignJWT({
			...{ htu, htm, jti: crypto.randomUUID() },
			...{ iat: Math.floor(Date.now() / 1000) },
			...(token ? { ath: await ath(token) } : {}),
			...claims,
		})
			.setProtectedHeader({ typ: "dpop+jwt", alg, jwk })
			.sign(privateKey);
}

const newJob = (more: object = {}) =>
	issuers.createApplication(acme.tenantId, {
		...{ type: "machine", redirectUris: [], postLogoutRedirectUris: [], dpop: true },
		...more,
	});

async function askToken(
	{ clientId, clientSecret }: CreatedApplication,
	proof: string | null,
	{ issuer = acme.issuer, ...more }: Record<string, string> = {},
) {
	const response = await fetch(`${issuer}/oauth2/token`, {
		method: "POST",
		headers: {
			authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}`,
			...(proof === null ? {} : { dpop: proof }),
		},
		body: new URLSearchParams({ grant_type: "client_credentials", ...more }),
	});
	return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

describe("an application that binds its tokens to a key", () => {
	it("signs a user in, reads user info, refreshes and introspects", async () => {
		const { config, DPoP, tokens, refreshToken } = await signedIn();
		expect(tokens.token_type).toBe("dpop");
		const user = await openid.fetchUserInfo(config, tokens.access_token, acme.userId, { DPoP });
		expect(user.sub).toBe(acme.userId);
		const jkt = await DPoP.calculateThumbprint();
		const introspected = await openid.tokenIntrospection(config, tokens.access_token);
		expect(introspected).toMatchObject({ active: true, token_type: "DPoP", cnf: { jkt } });
		expect(await openid.tokenIntrospection(config, refreshToken)).toMatchObject({ cnf: { jkt } });
		const next = await openid.refreshTokenGrant(config, refreshToken, undefined, { DPoP });
		expect(next.token_type).toBe("dpop");
	});

	it.each([["web"], ["spa"], ["native"]])("can be of type %s", async (type) => {
		const { tokens } = await signedIn({}, { type });
		expect(tokens.token_type).toBe("dpop");
	});

	it("gets JWTs for APIs with the key in them", async () => {
		const { DPoP, tokens } = await signedIn({ scope: "openid read", resource: API });
		const jkt = await DPoP.calculateThumbprint();
		expect(decodeJwt(tokens.access_token).cnf).toEqual({ jkt });
	});

	it("shows its JWT and a proof to an API, which checks both", async () => {
		const job = await newJob();
		const prove = await prover();
		const { body } = await askToken(job, await prove({ htu: `${acme.issuer}/oauth2/token` }), {
			resource: API,
		});
		const token = String(body.access_token);
		const server = { issuer: acme.issuer, jwks_uri: `${acme.issuer}/jwks` };
		const check = (dpop: string) =>
			oauth.validateJwtAccessToken(
				server,
				new Request(API, { headers: { authorization: `DPoP ${token}`, dpop } }),
				API,
				{ [oauth.allowInsecureRequests]: true },
			);
		const proof = { htu: `${API}/`, htm: "GET", token };
		expect((await check(await prove(proof))).client_id).toBe(job.clientId);
		await expect(check(await (await prover())(proof))).rejects.toThrow();
	});

	it("gets no token without a proof", async () => {
		const { config, refreshToken } = await signedIn();
		expect(await errorOf(openid.refreshTokenGrant(config, refreshToken))).toBe(
			"invalid_dpop_proof",
		);
		const { status, body } = await askToken(await newJob(), null);
		expect([status, body.error]).toEqual([400, "invalid_dpop_proof"]);
	});

	it("refreshes with the same key only", async () => {
		const { config, DPoP, refreshToken } = await signedIn();
		const stolen = openid.refreshTokenGrant(config, refreshToken, undefined, {
			DPoP: await newKey(config),
		});
		expect(await errorOf(stolen)).toBe("invalid_dpop_proof");
		await openid.refreshTokenGrant(config, refreshToken, undefined, { DPoP });
	});

	it("refreshes in several requests at the same time, each with a proof of its own", async () => {
		const { config, DPoP, refreshToken } = await signedIn();
		const all = await Promise.all(
			Array.from({ length: 6 }, () =>
				openid.refreshTokenGrant(config, refreshToken, undefined, { DPoP }),
			),
		);
		expect(new Set(all.map((tokens) => tokens.refresh_token)).size).toBe(1);
	});

	it("binds the code too if it asks for it", async () => {
		const application = await issuers.createApplication(acme.tenantId, { dpop: true });
		const config = await connect(acme, application);
		const browser = newBrowser(issuers);
		const DPoP = await newKey(config);
		const dpop_jkt = await DPoP.calculateThumbprint();
		const { url, checks } = await authorizationRequest(config, { dpop_jkt });
		const { url: callback = "" } = await browser.signIn(acme, (await browser.open(url)).url);
		const stolen = openid.authorizationCodeGrant(config, new URL(callback), checks, undefined, {
			DPoP: await newKey(config),
		});
		expect(await errorOf(stolen)).toBe("invalid_dpop_proof");
	});
});

describe("a bound access token", () => {
	it("is refused at the user info without a proof, and with that of another key", async () => {
		const { tokens } = await signedIn();
		const token = tokens.access_token;
		const url = `${acme.issuer}/oauth2/userinfo`;
		const ask = async (headers: Record<string, string>) => {
			const response = await fetch(url, { headers });
			const { error } = (await response.json()) as { error: string };
			return [response.status, error, response.headers.get("www-authenticate")];
		};
		const challenge = (error: string) =>
			`DPoP error="${error}", algs="EdDSA ES256 ES512 PS256 RS256"`;
		expect(await ask({ authorization: `Bearer ${token}` })).toEqual([
			...[401, "invalid_token", challenge("invalid_token")],
		]);
		const dpop = await (await prover())({ htu: url, htm: "GET", token });
		const authorization = `DPoP ${token}`;
		const proofs: Record<string, string>[] = [{}, { dpop }];
		for (const headers of notEmpty(proofs)) {
			expect(await ask({ authorization, ...headers })).toEqual([
				...[401, "invalid_dpop_proof", challenge("invalid_dpop_proof")],
			]);
		}
	});

	it("is refused at another tenant", async () => {
		const { DPoP, tokens } = await signedIn();
		const other = await issuers.createApplication(globex.tenantId, { dpop: true });
		const config = await connect(globex, other);
		const read = openid.fetchUserInfo(config, tokens.access_token, acme.userId, { DPoP });
		expect(await errorOf(read)).toBe("invalid_token");
		expect(await openid.tokenIntrospection(config, tokens.access_token)).toEqual({ active: false });
	});
});

describe("a proof", () => {
	const htu = () => `${acme.issuer}/oauth2/token`;

	it("can have each algorithm that the discovery document names, and no other", async () => {
		const response = await fetch(`${acme.issuer}/.well-known/openid-configuration`);
		expect(await response.json()).toMatchObject({ dpop_signing_alg_values_supported: ALGORITHMS });
		const job = await newJob();
		const statusOf = async (alg: string) =>
			(await askToken(job, await (await prover(alg))({ htu: htu() }))).status;
		for (const alg of notEmpty(ALGORITHMS)) expect([alg, await statusOf(alg)]).toEqual([alg, 200]);
		expect(await statusOf("ES384")).toBe(400);
	});

	it("is valid once", async () => {
		const job = await newJob();
		const proof = await (await prover())({ htu: htu() });
		const asked = [await askToken(job, proof), await askToken(job, proof)];
		expect(asked.map(({ status, body }) => [status, body.error])).toEqual([
			...[
				[200, undefined],
				[400, "invalid_dpop_proof"],
			],
		]);
	});

	it("is valid once, also in requests at the same time", async () => {
		const job = await newJob();
		const proof = await (await prover())({ htu: htu() });
		const asked = await Promise.all(Array.from({ length: 6 }, () => askToken(job, proof)));
		expect(asked.filter(({ status }) => status === 200)).toHaveLength(1);
		expect(asked.filter(({ body }) => body.error === "invalid_dpop_proof")).toHaveLength(5);
	});

	it.each<[string, () => Partial<Proof>]>([
		["another tenant", () => ({ htu: `${globex.issuer}/oauth2/token` })],
		["the endpoint behind the issuer", () => ({ htu: `${issuers.baseUrl}/api/auth/oauth2/token` })],
		["another method", () => ({ htm: "GET" })],
		["an old time", () => ({ claims: { iat: Math.floor(Date.now() / 1000) - 3600 } })],
		["a later time", () => ({ claims: { iat: Math.floor(Date.now() / 1000) + 3600 } })],
		["a long id", () => ({ claims: { jti: "x".repeat(5000) } })],
		["no id", () => ({ claims: { jti: undefined } })],
	])("is refused if it is for %s", async (_, changes) => {
		const proof = await (await prover())({ htu: htu(), ...changes() });
		const { status, body } = await askToken(await newJob(), proof);
		expect([status, body.error]).toEqual([400, "invalid_dpop_proof"]);
	});

	it.each([["no token"], ["a.b.c"], ["e30.e30.e30"], [`${"x".repeat(3000)}.x.x`]])(
		"is refused if it is no proof at all",
		async (proof) => {
			const { status, body } = await askToken(await newJob(), proof);
			expect([status, body.error]).toEqual([400, "invalid_dpop_proof"]);
		},
	);

	it("binds the tokens of an application that does not have to", async () => {
		const job = await newJob({ dpop: false });
		const proof = await (await prover())({ htu: htu() });
		const asked = [await askToken(job, null), await askToken(job, proof)];
		expect(asked.map(({ body }) => body.token_type)).toEqual(["Bearer", "DPoP"]);
	});
});

describe("without the setting", () => {
	it("tokens are never bound, and an application that needs it gets none", async () => {
		const prove = await prover();
		const off = await runningIssuers(atTheEnd);
		const tenant = await off.newTenant("acme");
		const body = { tenantId: tenant.tenantId, name: "Job", type: "machine", dpop: true };
		const refused = await off.post("/tenant/application/create", body, asManager);
		expect([refused.status, await refused.json()]).toMatchObject([
			...[400, { code: "INVALID_APPLICATION" }],
		]);
		const job = await off.manage<CreatedApplication>("/tenant/application/create", {
			...body,
			dpop: false,
		});
		const proof = await prove({ htu: `${tenant.issuer}/oauth2/token` });
		expect((await askToken(job, proof, { issuer: tenant.issuer })).body.token_type).toBe("Bearer");
		const response = await fetch(`${tenant.issuer}/.well-known/openid-configuration`);
		expect(await response.json()).not.toHaveProperty("dpop_signing_alg_values_supported");
	});
});
