import { tenantSignIns } from "better-auth-tenant/sign-ins";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { untilHang } from "../../../../testing/time-limits";
import { PROVIDER_PROBLEMS, type ProviderProblemCode } from "../../src/rules";
import { type RogueProvider, startRogueProvider } from "../support/providers/rogue-provider";
import { MANAGEMENT_KEY } from "../support/worlds/instance";
import { makeSocialApp, type SocialApp } from "../support/worlds/social-app";

const provider = "oidc:rogue";
const now = () => Math.floor(Date.now() / 1000);

const answering =
	(path: string, status: number, body: unknown): RogueProvider["answer"] =>
	(asked, response) => {
		if (asked !== path) return false;
		response.writeHead(status, { "content-type": "application/json" });
		response.end(JSON.stringify(body));
		return true;
	};

const tokens = (idToken?: string) => ({
	access_token: "access",
	token_type: "Bearer",
	...(idToken ? { id_token: idToken } : {}),
});

/** What a provider does wrong. */
const PROVOCATIONS: Record<ProviderProblemCode, () => Partial<RogueProvider>> = {
	no_id_token: () => ({ answer: answering("/token", 200, tokens()) }),
	invalid_id_token: () => ({ answer: answering("/token", 200, tokens("no.jwt")) }),
	wrong_issuer: () => ({ claims: { iss: "https://accounts.google.com" } }),
	wrong_audience: () => ({ claims: { aud: "another-client" } }),
	wrong_nonce: () => ({ claims: { nonce: "another" } }),
	wrong_algorithm: () => ({ signature: "HS256" }),
	unknown_key: () => ({ answer: answering("/keys", 200, { keys: [anotherKey] }) }),
	wrong_signature: () => ({ signature: "other key" }),
	token_expired: () => ({ claims: { iat: now() - 300, exp: now() - 120 } }),
	token_not_valid_yet: () => ({ claims: { iat: now() + 600 } }),
	missing_claim: () => ({ claims: { sub: undefined } }),
	keys_unavailable: () => ({ answer: answering("/keys", 500, {}) }),
	user_info_unavailable: () => ({
		claims: { name: undefined },
		answer: answering("/me", 500, {}),
	}),
	user_info_of_another_user: () => ({
		claims: { name: undefined },
		userInfo: { sub: "sub-2", name: "Eve" },
	}),
	invalid_email: () => ({ claims: { email: "not an address" } }),
	invalid_account_id: () => ({ claims: { sub: "x".repeat(300) } }),
};

const anotherKey = {
	kty: "EC",
	crv: "P-256",
	x: "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
	y: "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0",
	kid: "another",
};

/** Codes of Better Auth that tell the reason themselves. */
const TOLD: Record<string, Partial<RogueProvider>> = {
	email_not_found: { claims: { email: undefined }, userInfo: { sub: "sub-1", name: "Ada" } },
};

describe("a failed sign-in at a tenant's own provider", () => {
	let app: SocialApp;
	let rogue: RogueProvider;
	let tenantId: string;
	const logged: unknown[][] = [];

	beforeAll(async () => {
		app = await makeSocialApp({
			plugins: [tenantSignIns()],
			logger: { log: (_level, ...line) => logged.push(line) },
		});
	});

	beforeEach(async () => {
		// Keys are kept for each provider.
		rogue = await startRogueProvider();
		logged.length = 0;
		tenantId = await app.createTenant();
		await app.registerConfig({
			tenantId,
			providerId: provider,
			clientId: "client",
			clientSecret: "secret",
			options: { issuer: rogue.issuer },
		});
		return () => rogue.close();
	});
	afterAll(() => logged.splice(0));

	const read = async (path: string) => {
		const headers = { authorization: `Bearer ${MANAGEMENT_KEY}` };
		const url = `${app.baseURL}/tenant${path}?tenantId=${tenantId}`;
		return (await app.handler(new Request(url, { headers }))).json();
	};

	const lastFailure = async () => {
		const list: { providerId: string; lastFailure: { code: string } | null }[] =
			await read("/oauth-config/effective");
		return list.find(({ providerId }) => providerId === provider)?.lastFailure?.code;
	};

	const codes = Object.keys(PROVIDER_PROBLEMS) as ProviderProblemCode[];

	it.each(codes)("says %s to administrators, and not to the browser", async (code) => {
		Object.assign(rogue, PROVOCATIONS[code]());
		const { url } = await rogue.signIn(app, tenantId, provider);
		expect([...url.searchParams]).toEqual([["error", "unable_to_get_user_info"]]);
		expect(await lastFailure()).toBe(code);
		await vi.waitFor(async () => {
			expect(await read("/sign-in/list")).toMatchObject([{ result: "failed", reason: code }]);
		}, untilHang);
		// Better Auth puts some errors into an object.
		const parts = logged.flat().map((part) => Object(part).error ?? part);
		expect(parts).toContainEqual(expect.objectContaining({ code }));
	});

	it.each(Object.keys(TOLD))("says %s to everybody", async (code) => {
		Object.assign(rogue, TOLD[code]);
		const { url } = await rogue.signIn(app, tenantId, provider);
		expect(url.searchParams.get("error")).toBe(code);
		expect(await lastFailure()).toBe(code);
	});
});
