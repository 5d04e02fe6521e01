import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { appendFileSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { exportJWK, generateKeyPair, type JWK, SignJWT } from "jose";
import Database from "libsql";
import * as openid from "openid-client";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { notEmpty } from "../../../testing/not-empty";
import { fileOfDocument } from "./documented-app";
import {
	API,
	atTheEndOfFile,
	type CreatedApplication,
	connect,
	type IssuingTenant,
	type RunningIssuers,
	runningIssuers,
	signInAt,
} from "./running-issuers";
import { asManager } from "./running-service";
import { temporaryDirectory } from "./temporary-directory";

const atTheEnd = atTheEndOfFile();
const machine = { type: "machine", redirectUris: [], postLogoutRedirectUris: [] };
const TYPE = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";

let issuers: RunningIssuers;
let acme: IssuingTenant;
let beta: IssuingTenant;
let key: Key;
let job: CreatedApplication;
/** As if the keys that an application publishes had been read some time ago. */
let readEarlier: (application: CreatedApplication, milliseconds: number) => void;

type Key = Awaited<ReturnType<typeof newKey>>;

async function newKey(alg = "ES256", kid: string = randomUUID()) {
	const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
	return { alg, kid, privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg } as JWK };
}

beforeAll(async () => {
	const DATA_DIR = temporaryDirectory(atTheEnd);
	issuers = await runningIssuers(atTheEnd, { DATA_DIR, ALLOW_PRIVATE_PROVIDER_HOSTS: "true" });
	const database = new Database(join(DATA_DIR, "auth.db"), { timeout: 5000 });
	atTheEnd(() => void database.close());
	readEarlier = ({ clientId }, milliseconds) => {
		const where = 'where "clientId" = ?';
		const find = database.prepare(`select "jwks" from "oauthClient" ${where}`);
		const stored = JSON.parse((find.get(clientId) as { jwks: string }).jwks);
		const jwks = JSON.stringify({ ...stored, readAt: Date.now() - milliseconds });
		database.prepare(`update "oauthClient" set "jwks" = ? ${where}`).run(jwks, clientId);
	};
	acme = await issuers.newTenant("acme");
	beta = await issuers.newTenant("beta");
	key = await newKey();
	job = await issuers.createApplication(acme.tenantId, { ...machine, jwks: { keys: [key.jwk] } });
});

type Changes = { claims?: object; header?: object; by?: Key };

/** An assertion as the specification has it, with something else in it. */
function assertionFor(
	{ clientId }: Pick<CreatedApplication, "clientId">,
	{ issuer }: Pick<IssuingTenant, "issuer">,
	{ claims = {}, header = {}, by = key }: Changes = {},
) {
	const now = Math.floor(Date.now() / 1000);
	const payload = {
		...{ iss: clientId, sub: clientId, aud: issuer, jti: randomUUID() },
		...{ iat: now, exp: now + 60, ...claims },
	};
	return new SignJWT(payload)
		.setProtectedHeader({ alg: by.alg, kid: by.kid, ...header })
		.sign(by.privateKey);
}

type Fields = Record<string, string> | [string, string][];

async function post(tenant: IssuingTenant, endpoint: string, fields: Fields, headers = {}) {
	const body = new URLSearchParams(fields);
	const url = `${tenant.issuer}/oauth2/${endpoint}`;
	const response = await fetch(url, { method: "POST", body, headers });
	const text = await response.text();
	const parsed = text ? (JSON.parse(text) as Record<string, unknown>) : {};
	return { status: response.status, body: parsed };
}

const withAssertion = (client_assertion: string) => ({
	...{ client_assertion_type: TYPE, client_assertion },
});

/** A token of a program, with an assertion. */
const tokenWith = (assertion: string, tenant = acme) =>
	post(tenant, "token", { grant_type: "client_credentials", ...withAssertion(assertion) });

const INVALID = { error: "invalid_client" };

const expectRefused = (response: Awaited<ReturnType<typeof post>>) => {
	expect(response.body).toMatchObject(INVALID);
	expect([400, 401]).toContain(response.status);
};

const signed = (client: CreatedApplication, by: Key, tenant = acme) =>
	connect(
		tenant,
		{ ...client, clientSecret: null },
		openid.PrivateKeyJwt({ key: by.privateKey, kid: by.kid }),
	);

describe("an application with keys", () => {
	it.each(["ES256", "ES384", "ES512", "RS256", "PS256"])(
		"signs users in, refreshes, asks and revokes, with openid-client and %s",
		async (alg) => {
			const own = await newKey(alg);
			const app = await issuers.createApplication(acme.tenantId, { jwks: { keys: [own.jwk] } });
			expect(app.clientSecret).toBeNull();
			const config = await signed(app, own);
			const { tokens } = await signInAt(issuers, acme, config);
			const next = await openid.refreshTokenGrant(config, tokens.refresh_token ?? "");
			expect(await openid.tokenIntrospection(config, next.access_token)).toMatchObject({
				...{ active: true, client_id: app.clientId },
			});
			await openid.tokenRevocation(config, next.access_token);
			expect(await openid.tokenIntrospection(config, next.access_token)).toEqual({ active: false });
		},
	);

	it("gets tokens for itself", async () => {
		const config = await signed(job, key);
		const { access_token } = await openid.clientCredentialsGrant(config, { resource: API });
		expect(access_token.split(".")).toHaveLength(3);
	});

	it("may ask for the codes of a device with one for that endpoint", async () => {
		const television = await issuers.createApplication(acme.tenantId, {
			...{ type: "web", deviceFlow: true, jwks: { keys: [key.jwk] } },
		});
		const aud = `${acme.issuer}/device/code`;
		const assertion = await assertionFor(television, acme, { claims: { aud } });
		const response = await fetch(aud, {
			method: "POST",
			body: new URLSearchParams({ scope: "openid", ...withAssertion(assertion) }),
		});
		expect([response.status, await response.json()]).toMatchObject([200, { interval: 5 }]);
	});

	it("may send one audience or several of the same tenant", async () => {
		const { issuer } = acme;
		for (const aud of notEmpty([
			...[issuer, `${issuer}/oauth2/token`, [issuer], [issuer, `${issuer}/oauth2/token`]],
		])) {
			const { status } = await tokenWith(await assertionFor(job, acme, { claims: { aud } }));
			expect([aud, status]).toEqual([aud, 200]);
		}
	});

	it("is of all tenants, and has the same keys at each", async () => {
		const shared = await issuers.createServiceApplication({
			...{ ...machine, jwks: { keys: [key.jwk] } },
		});
		for (const tenant of [acme, beta]) {
			const assertion = await assertionFor(shared, tenant);
			expect((await tokenWith(assertion, tenant)).status).toBe(200);
		}
		const forAcme = await assertionFor(shared, acme);
		expectRefused(await tokenWith(forAcme, beta));
		const aud = [acme.issuer, beta.issuer];
		const forBoth = await assertionFor(shared, acme, { claims: { aud } });
		for (const tenant of [acme, beta]) expectRefused(await tokenWith(forBoth, tenant));
		// An id is used up at all tenants.
		const jti = randomUUID();
		const first = await assertionFor(shared, acme, { claims: { jti } });
		const second = await assertionFor(shared, beta, { claims: { jti } });
		expect((await tokenWith(first, acme)).status).toBe(200);
		expectRefused(await tokenWith(second, beta));
	});
});

describe("refused is an assertion", () => {
	const now = () => Math.floor(Date.now() / 1000);
	const hs256 = async (): Promise<Changes> => ({
		by: {
			...key,
			alg: "HS256",
			privateKey: new TextEncoder().encode(JSON.stringify(key.jwk)) as never,
		},
	});

	it.each<[string, () => Promise<Changes> | Changes]>([
		["for another tenant", () => ({ claims: { aud: beta.issuer } })],
		[
			"for the token endpoint of another tenant",
			() => ({ claims: { aud: `${beta.issuer}/oauth2/token` } }),
		],
		["for two tenants", () => ({ claims: { aud: [acme.issuer, beta.issuer] } })],
		["for the service", () => ({ claims: { aud: issuers.baseUrl } })],
		["for nobody", () => ({ claims: { aud: undefined } })],
		["for an empty list", () => ({ claims: { aud: [] } })],
		["for a number", () => ({ claims: { aud: 1 } })],
		["for another endpoint only", () => ({ claims: { aud: `${acme.issuer}/oauth2/revoke` } })],
		["that has expired", () => ({ claims: { exp: now() - 60, iat: now() - 120 } })],
		["that never expires", () => ({ claims: { exp: undefined } })],
		["that expires late", () => ({ claims: { exp: now() + 86_400 } })],
		["that expires with a text", () => ({ claims: { exp: "soon" } })],
		["of the future", () => ({ claims: { nbf: now() + 3600 } })],
		["without an id", () => ({ claims: { jti: undefined } })],
		["with a list of ids", () => ({ claims: { jti: ["a"] } })],
		["of another issuer", () => ({ claims: { iss: "another" } })],
		["of another subject", () => ({ claims: { sub: "another" } })],
		["without a subject", () => ({ claims: { sub: undefined, iss: undefined } })],
		["with an object as subject", () => ({ claims: { sub: { a: 1 }, iss: { a: 1 } } })],
		["of a client that no database can look up", () => ({ claims: { sub: "\0", iss: "\0" } })],
		["with the key of somebody else", async () => ({ by: await newKey() })],
		[
			"with the key of somebody else and its own id",
			async () => ({ by: await newKey("ES256", key.kid) }),
		],
		["with another algorithm", async () => ({ by: await newKey("RS256", key.kid) })],
		["that is signed with the public key as a secret", hs256],
	])("%s", async (_, changes) => {
		const signature = assertionFor(job, acme, await changes());
		// The library does not sign some of them.
		const assertion = await signature.catch(() => "e30.e30.e30");
		expectRefused(await tokenWith(assertion));
	});

	it("that is not signed", async () => {
		const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString("base64url");
		const [, claims] = (await assertionFor(job, acme)).split(".");
		for (const alg of ["none", "None", undefined]) {
			for (const signature of ["", "e30"]) {
				expectRefused(await tokenWith(`${encode({ alg, typ: "JWT" })}.${claims}.${signature}`));
			}
		}
		for (const text of ["x", "a.b", "..", "e30.e30.", "e30.MQ.e30", "a.b.c.d.e"]) {
			expectRefused(await tokenWith(text));
		}
	});

	it("that was used before, at any endpoint", async () => {
		const assertion = await assertionFor(job, acme);
		expect((await tokenWith(assertion)).status).toBe(200);
		expectRefused(await tokenWith(assertion));
		for (const endpoint of ["introspect", "revoke"]) {
			expectRefused(await post(acme, endpoint, { token: "x", ...withAssertion(assertion) }));
		}
	});

	it("that several requests use at the same time, but for one", async () => {
		const assertion = await assertionFor(job, acme);
		const all = await Promise.all(Array.from({ length: 6 }, () => tokenWith(assertion)));
		expect(all.filter(({ status }) => status === 200)).toHaveLength(1);
		for (const one of notEmpty(all.filter(({ status }) => status !== 200))) expectRefused(one);
	});

	it("of a client of another tenant", async () => {
		expectRefused(await tokenWith(await assertionFor(job, beta), beta));
		expectRefused(await tokenWith(await assertionFor(job, acme), beta));
	});

	it("of an application that has a secret", async () => {
		const web = await issuers.createApplication(acme.tenantId);
		expectRefused(await tokenWith(await assertionFor(web, acme)));
	});

	it("of an application that is disabled or deleted", async () => {
		const off = await issuers.createApplication(acme.tenantId, {
			...{ ...machine, jwks: { keys: [key.jwk] } },
		});
		const named = { tenantId: acme.tenantId, clientId: off.clientId };
		await issuers.manage("/tenant/application/update", { ...named, disabled: true });
		expectRefused(await tokenWith(await assertionFor(off, acme)));
		await issuers.manage("/tenant/application/delete", named);
		expectRefused(await tokenWith(await assertionFor(off, acme)));
	});

	it("of another type, without a type, doubled, or beside a secret", async () => {
		const grant = { grant_type: "client_credentials" };
		const client_assertion = await assertionFor(job, acme);
		const all = [
			await post(acme, "token", { ...grant, client_assertion }),
			await post(acme, "token", { ...grant, client_assertion, client_assertion_type: "urn:x" }),
			await post(acme, "token", { ...grant, client_assertion_type: TYPE }),
			await post(acme, "token", [
				...Object.entries({ ...grant, ...withAssertion(client_assertion) }),
				["client_assertion", await assertionFor(job, acme)],
			]),
			await post(acme, "token", {
				...{ ...grant, ...withAssertion(client_assertion), client_id: job.clientId },
				client_secret: "x",
			}),
			await post(
				acme,
				"token",
				{ ...grant, ...withAssertion(client_assertion) },
				{ authorization: `Basic ${btoa(`${job.clientId}:x`)}` },
			),
			await post(acme, "token", {
				...grant,
				...withAssertion(client_assertion),
				client_id: "other",
			}),
		];
		for (const { status, body } of notEmpty(all)) {
			expect([400, 401]).toContain(status);
			expect(body.error).toMatch(/^invalid_(client|request)$/);
		}
	});
});

it("an application with keys is refused with a secret, and without anything", async () => {
	const grant = { grant_type: "client_credentials", client_id: job.clientId };
	expectRefused(await post(acme, "token", grant));
	expectRefused(await post(acme, "token", { ...grant, client_secret: "x" }));
	expectRefused(await post(acme, "token", { ...grant, client_secret: "null" }));
	for (const endpoint of ["introspect", "revoke"]) {
		const { status, body } = await post(acme, endpoint, { token: "x", client_id: job.clientId });
		expect([400, 401]).toContain(status);
		expect(body.error).toMatch(/^invalid_/);
	}
});

/** Where an app publishes its keys, on this machine. */
async function keyServer(first: Key[]) {
	const state = { keys: first.map(({ jwk }) => jwk) as unknown[], status: 200, requests: 0 };
	const server = createServer((_, response) => {
		state.requests += 1;
		response.writeHead(state.status, { "content-type": "application/json", location: "/other" });
		response.end(JSON.stringify({ keys: state.keys }));
	});
	server.listen(0, "127.0.0.1");
	await once(server, "listening");
	onTestFinished(async () => {
		server.closeAllConnections();
		server.close();
		await once(server, "close");
	});
	const jwksUri = `http://127.0.0.1:${(server.address() as AddressInfo).port}/jwks`;
	return { state, jwksUri };
}

describe("the keys that an application publishes", () => {
	it("are read once for many requests", async () => {
		const { state, jwksUri } = await keyServer([key]);
		const app = await issuers.createApplication(acme.tenantId, { ...machine, jwksUri });
		const all = await Promise.all(
			Array.from({ length: 4 }, async () => tokenWith(await assertionFor(app, acme))),
		);
		expect(all.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
		expect(state.requests).toBe(1);
		expect((await tokenWith(await assertionFor(app, acme))).status).toBe(200);
		expect(state.requests).toBe(1);
	});

	it("are not read again soon because somebody names another key", async () => {
		const { state, jwksUri } = await keyServer([key]);
		const app = await issuers.createApplication(acme.tenantId, { ...machine, jwksUri });
		for (const by of [await newKey(), await newKey(), await newKey()]) {
			expectRefused(await tokenWith(await assertionFor(app, acme, { by })));
		}
		expect(state.requests).toBe(1);
	});

	it("are read again for a key that is not known, and after some minutes", async () => {
		const [old, next] = [await newKey(), await newKey()];
		const { state, jwksUri } = await keyServer([old]);
		const app = await issuers.createApplication(acme.tenantId, { ...machine, jwksUri });
		const statusWith = async (by: Key) =>
			(await tokenWith(await assertionFor(app, acme, { by }))).status;
		expect(await statusWith(old)).toBe(200);
		state.keys = [next.jwk];
		expect(await statusWith(next)).toBe(401);
		readEarlier(app, 31_000);
		// A known key is no reason to read.
		expect([await statusWith(old), state.requests]).toEqual([200, 1]);
		expect([await statusWith(next), state.requests]).toEqual([200, 2]);
		expect(await statusWith(old)).toBe(401);
		readEarlier(app, 301_000);
		expect([await statusWith(next), state.requests]).toEqual([200, 3]);
	});

	it("stay for some minutes if they cannot be read, and not longer", async () => {
		const { state, jwksUri } = await keyServer([key]);
		const app = await issuers.createApplication(acme.tenantId, { ...machine, jwksUri });
		const status = async () => (await tokenWith(await assertionFor(app, acme))).status;
		expect(await status()).toBe(200);
		state.status = 500;
		readEarlier(app, 301_000);
		expect([await status(), await status(), state.requests]).toEqual([200, 200, 2]);
		readEarlier(app, 601_000);
		expect(await status()).toBe(503);
	});

	it("are read again after a change of the URI", async () => {
		const [old, next] = [await newKey(), await newKey()];
		const first = await keyServer([old]);
		const second = await keyServer([next]);
		const app = await issuers.createApplication(acme.tenantId, {
			...machine,
			jwksUri: first.jwksUri,
		});
		const named = { tenantId: acme.tenantId, clientId: app.clientId };
		expect((await tokenWith(await assertionFor(app, acme, { by: old }))).status).toBe(200);
		await issuers.manage("/tenant/application/update", { ...named, jwksUri: second.jwksUri });
		expectRefused(await tokenWith(await assertionFor(app, acme, { by: old })));
		expect((await tokenWith(await assertionFor(app, acme, { by: next }))).status).toBe(200);
	});

	it.each([
		["is down", { status: 503 }],
		["redirects", { status: 302 }],
		["sends no list", { keys: "none" as never }],
	])("cannot be used if the server %s", async (_, changes) => {
		const { state, jwksUri } = await keyServer([key]);
		Object.assign(state, changes);
		const app = await issuers.createApplication(acme.tenantId, { ...machine, jwksUri });
		for (let request = 0; request < 3; request += 1) {
			const { status, body } = await tokenWith(await assertionFor(app, acme));
			expect([status, body.error]).toEqual([503, "temporarily_unavailable"]);
		}
		expect(state.requests).toBe(1);
	});

	it("may be beside others that are not for signatures, and private ones are ignored", async () => {
		const [leaked, other] = [await newKey(), await newKey()];
		const { state, jwksUri } = await keyServer([key]);
		const secret = { kty: "oct", kid: "secret", k: Buffer.from("secret").toString("base64url") };
		const privateJwk = { ...(await exportJWK(leaked.privateKey)), kid: leaked.kid };
		state.keys = [secret, { ...other.jwk, use: "enc" }, privateJwk, "x", null, key.jwk];
		const app = await issuers.createApplication(acme.tenantId, { ...machine, jwksUri });
		expect((await tokenWith(await assertionFor(app, acme))).status).toBe(200);
		for (const by of [leaked, other]) {
			expectRefused(await tokenWith(await assertionFor(app, acme, { by })));
		}
	});

	it("are never read from a private address", async () => {
		const strict = await runningIssuers(atTheEnd);
		const { tenantId } = await strict.newTenant("strict");
		for (const jwksUri of notEmpty([
			...["http://localhost:4000/jwks", "https://10.0.0.1/jwks", "https://169.254.169.254/jwks"],
			...["http://app.example.com/jwks", "https://keys.internal/jwks"],
		])) {
			const created = strict.createApplication(tenantId, { ...machine, jwksUri });
			await expect(created).rejects.toThrow("INVALID_APPLICATION");
		}
	});
});

describe("the keys of an application", () => {
	const update = (clientId: string, changes: object) =>
		issuers.manage("/tenant/application/update", { tenantId: acme.tenantId, clientId, ...changes });
	const create = (more: object) =>
		issuers.createApplication(acme.tenantId, { ...machine, ...more });

	it("replace its secret, and a new secret replaces them", async () => {
		const { clientId, clientSecret } = await create({});
		const basic = (secret: string | null) => ({
			authorization: `Basic ${btoa(`${clientId}:${secret}`)}`,
		});
		const bySecret = (secret: string | null) =>
			post(acme, "token", { grant_type: "client_credentials" }, basic(secret));
		expect((await bySecret(clientSecret)).status).toBe(200);
		await update(clientId, { jwks: { keys: [key.jwk] } });
		expectRefused(await bySecret(clientSecret));
		expect((await tokenWith(await assertionFor({ clientId }, acme))).status).toBe(200);
		const rotate = () =>
			issuers.manage<CreatedApplication>("/tenant/application/rotate-secret", {
				...{ tenantId: acme.tenantId, clientId },
			});
		await expect(rotate()).rejects.toThrow("INVALID_APPLICATION");
		await update(clientId, { jwks: null });
		expectRefused(await tokenWith(await assertionFor({ clientId }, acme)));
		expectRefused(await bySecret(clientSecret));
		const { clientSecret: next } = await rotate();
		expect((await bySecret(next)).status).toBe(200);
	});

	it("are shown without what is not needed, and a URI replaces them", async () => {
		const x5c = ["MII"];
		const { clientId } = await create({ jwks: { keys: [{ ...key.jwk, x5c }] } });
		const renamed = await update(clientId, { name: "Renamed" });
		expect(renamed).toMatchObject({ name: "Renamed", jwks: { keys: [key.jwk] }, jwksUri: null });
		expect(JSON.stringify(renamed)).not.toContain("x5c");
		const jwksUri = "https://app.example.com/jwks";
		expect(await update(clientId, { jwksUri })).toMatchObject({ jwks: null, jwksUri });
		expect(await update(clientId, { jwks: { keys: [key.jwk] } })).toMatchObject({ jwksUri: null });
		const listed = await fetch(
			`${issuers.baseUrl}/api/auth/tenant/application/get?tenantId=${acme.tenantId}&clientId=${clientId}`,
			{ headers: asManager },
		);
		expect(await listed.json()).toMatchObject({ jwks: { keys: [{ kid: key.kid }] } });
	});

	it("must be public keys for signatures", async () => {
		const e = Buffer.from([1, 0, 1]).toString("base64url");
		const rsa = (bits: number, exponent = e) => {
			const n = Buffer.alloc(bits / 8, 0xff).toString("base64url");
			return { kty: "RSA", n, e: exponent };
		};
		const privateKey = await exportJWK(key.privateKey);
		const unusable: unknown[] = [
			privateKey,
			{ kty: "oct", k: Buffer.from("secret").toString("base64url") },
			{ ...key.jwk, use: "enc" },
			{ ...key.jwk, alg: "HS256" },
			{ ...key.jwk, alg: "ES384" },
			{ ...key.jwk, x: "AAAA" },
			{ ...key.jwk, crv: "secp256k1" },
			{ ...key.jwk, crv: "constructor" },
			{ kty: "OKP", crv: "X25519", x: key.jwk.x },
			{ kty: "RSA", n: e, e },
			rsa(1024),
			rsa(2048, Buffer.from([1]).toString("base64url")),
			rsa(2048, Buffer.alloc(64, 0xff).toString("base64url")),
			rsa(8192),
			{},
		];
		for (const one of notEmpty(unusable)) {
			await expect(create({ jwks: { keys: [one] } })).rejects.toThrow("VALIDATION_ERROR");
			await expect(create({ jwks: { keys: [key.jwk, one] } })).rejects.toThrow("VALIDATION_ERROR");
		}
		for (const jwks of notEmpty([{}, { keys: [] }, { keys: "x" }, [], "x", { keys: [null] }])) {
			await expect(create({ jwks })).rejects.toThrow("VALIDATION_ERROR");
		}
		const many = Array.from({ length: 11 }, () => key.jwk);
		await expect(create({ jwks: { keys: many } })).rejects.toThrow("VALIDATION_ERROR");
	});

	it("are for applications that run on a server, and come from one place", async () => {
		const jwks = { keys: [key.jwk] };
		const jwksUri = "https://app.example.com/jwks";
		await expect(create({ jwks, jwksUri })).rejects.toThrow("INVALID_APPLICATION");
		for (const type of ["spa", "native"]) {
			const made = issuers.createApplication(acme.tenantId, { type, jwks });
			await expect(made).rejects.toThrow("INVALID_APPLICATION");
		}
		const placeholder = { ...machine, jwksUri: "https://{tenant}.example.com/jwks" };
		await expect(issuers.createServiceApplication(placeholder)).rejects.toThrow("VALIDATION_ERROR");
	});
});

it("the code of the documentation makes keys, and authenticates with them", async () => {
	const directory = temporaryDirectory();
	const run = async (file: string, env: Record<string, string> = {}) => {
		const child = spawn(process.execPath, [file], {
			...{ cwd: directory, env: { PATH: process.env.PATH, ...env } },
			stdio: ["ignore", "pipe", "inherit"],
		});
		let out = "";
		child.stdout.on("data", (chunk) => {
			out += String(chunk);
		});
		const [code] = await once(child, "close");
		return { code, out };
	};
	expect(await run(fileOfDocument("make-keys.mjs"))).toEqual({ code: 0, out: "" });
	const jwks = JSON.parse(readFileSync(join(directory, "keys.json"), "utf8"));
	const app = await issuers.createApplication(acme.tenantId, { ...machine, jwks });
	const program = fileOfDocument("key-client.mjs");
	const get = `\nconst tokens = await openid.clientCredentialsGrant(config);\n`;
	appendFileSync(program, `${get}console.log(tokens.token_type);\n`);
	const environment = { ISSUER: acme.issuer, CLIENT_ID: app.clientId };
	expect(await run(program, environment)).toEqual({ code: 0, out: "bearer\n" });
});
