import { createHmac, generateKeyPairSync, type KeyObject, randomUUID, sign } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import type { Browser } from "../http/browser";
import { beginSocial, type ManagedApp } from "../worlds/social-app";
import { listen } from "./identity-provider/listen";

type Json = Record<string, unknown>;

/** What an ID token is signed with. `HS256` takes the public key as the secret. */
export type Signature = "ES256" | "HS256" | "none" | "other key";

/**
 * An OpenID Connect provider that says whatever a test wants. It issues a token for any code, to any
 * client. For everything that a correct provider does, use `startIdentityProvider("openid")`.
 */
export interface RogueProvider {
	issuer: string;
	/** Replaces fields of its discovery document; `undefined` removes one. */
	discovery: Json;
	/** Replaces claims of the next ID tokens. */
	claims: Json;
	signature: Signature;
	/** What the user info endpoint answers. */
	userInfo: Json;
	/** Answers a request itself, if it returns `true`. */
	answer: (path: string, response: ServerResponse) => boolean;
	/** The paths that were requested, and the bodies. */
	requests: { path: string; body: string }[];
	/** An ID token as the token endpoint would issue it now. */
	idToken(): string;
	/** Signs with a new key from now on. */
	rotateKey(): void;
	/** Signs in a new browser, and returns it with the URL where it stopped. */
	signIn(app: ManagedApp, tenantId: string, provider: string): Promise<SignIn>;
	close(): Promise<void>;
}

interface SignIn {
	browser: Browser;
	url: URL;
}

export async function startRogueProvider(): Promise<RogueProvider> {
	let key = makeKey();
	let nonce: string | null = null;
	let clientId: string | null = null;

	const listening = await listen((request, response) => {
		void respond(request, response).catch((error: unknown) => {
			response.writeHead(500).end(String(error));
		});
	});
	const issuer = `http://127.0.0.1:${listening.port}`;
	const rogue: RogueProvider = {
		issuer,
		discovery: {},
		claims: {},
		signature: "ES256",
		userInfo: {},
		answer: () => false,
		requests: [],
		idToken,
		rotateKey: () => {
			key = makeKey();
		},
		async signIn(app, tenantId, provider) {
			const { browser, url } = await beginSocial(app, { tenantId, provider });
			const asked = new URL(url).searchParams;
			nonce = asked.get("nonce");
			clientId = asked.get("client_id");
			const answer = new URLSearchParams({ code: "code", state: String(asked.get("state")) });
			const visit = await browser.follow(`${app.callbackOf(provider, tenantId)}?${answer}`);
			return { browser, url: visit.url };
		},
		close: listening.close,
	};

	async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const path = String(request.url);
		rogue.requests.push({ path, body: await text(request) });
		if (rogue.answer(path, response)) return;
		const body = answers[path]?.();
		response.writeHead(body ? 200 : 404, { "content-type": "application/json" });
		response.end(JSON.stringify(body ?? {}));
	}

	const answers: Record<string, () => object> = {
		"/.well-known/openid-configuration": () => ({
			issuer,
			authorization_endpoint: `${issuer}/authorize`,
			token_endpoint: `${issuer}/token`,
			jwks_uri: `${issuer}/keys`,
			userinfo_endpoint: `${issuer}/me`,
			response_types_supported: ["code"],
			id_token_signing_alg_values_supported: ["ES256"],
			...rogue.discovery,
		}),
		"/keys": () => ({ keys: [{ ...key.publicKey.export({ format: "jwk" }), kid: key.kid }] }),
		"/me": () => rogue.userInfo,
		"/token": () => ({ access_token: "access", token_type: "Bearer", id_token: idToken() }),
	};

	function idToken(): string {
		const now = Math.floor(Date.now() / 1000);
		const claims = {
			iss: issuer,
			aud: clientId,
			sub: "sub-1",
			nonce,
			iat: now,
			exp: now + 300,
			email: "ada@example.com",
			name: "Ada",
			...rogue.claims,
		};
		const alg = rogue.signature === "other key" ? "ES256" : rogue.signature;
		const input = `${encode({ alg, kid: key.kid })}.${encode(claims)}`;
		return `${input}.${signatureOf(input, rogue.signature, key)}`;
	}

	return rogue;
}

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");

interface Key {
	kid: string;
	publicKey: KeyObject;
	privateKey: KeyObject;
}

const makeKey = (): Key => ({
	kid: randomUUID(),
	...generateKeyPairSync("ec", { namedCurve: "P-256" }),
});

function signatureOf(input: string, signature: Signature, key: Key): string {
	if (signature === "none") return "";
	if (signature === "HS256") {
		const secret = key.publicKey.export({ type: "spki", format: "pem" });
		return createHmac("sha256", secret).update(input).digest("base64url");
	}
	const { privateKey } = signature === "other key" ? makeKey() : key;
	const signed = sign("sha256", Buffer.from(input), { key: privateKey, dsaEncoding: "ieee-p1363" });
	return signed.toString("base64url");
}
