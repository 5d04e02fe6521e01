import { createLocalJWKSet, createRemoteJWKSet, decodeProtectedHeader, jwtVerify } from "jose";
import * as openid from "openid-client";
import { beforeAll, describe, expect, it } from "vitest";
import { notEmpty } from "../../../testing/not-empty";
import {
	API,
	atTheEndOfFile,
	authorizationRequest,
	connect,
	type IssuingTenant,
	machineToken,
	newBrowser,
	POST_LOGOUT_URI,
	REDIRECT_URI,
	type RunningIssuers,
	runningIssuers,
	signInAt,
} from "./running-issuers";

const atTheEnd = atTheEndOfFile();

let issuers: RunningIssuers;
let a: IssuingTenant;
let b: IssuingTenant;

beforeAll(async () => {
	issuers = await runningIssuers(atTheEnd);
	a = await issuers.newTenant("acme");
	b = await issuers.newTenant("globex");
});

/** An app of a tenant, and the same app with its requests sent to the other tenant. */
async function appOf(own: IssuingTenant, other: IssuingTenant) {
	const application = await issuers.createApplication(own.tenantId);
	return {
		application,
		config: await connect(own, application),
		elsewhere: await connect(other, application),
	};
}

const errorOf = async (call: Promise<unknown>): Promise<unknown> =>
	call.then(
		(value) => ({ succeeded: value }),
		(error: { error?: string; code?: string }) => error.error ?? error.code,
	);

const refused = async (call: Promise<unknown>) =>
	expect(await errorOf(call)).not.toHaveProperty("succeeded");

async function codeOf(config: openid.Configuration) {
	const browser = newBrowser(issuers);
	const { url, checks } = await authorizationRequest(config);
	const page = await browser.open(url);
	const { url: callback = "" } = await browser.signIn(a, page.url);
	return { callback: new URL(callback), checks };
}

describe("at another tenant", () => {
	it("a code is refused, and still works at its own", async () => {
		const ofA = await appOf(a, b);
		const ofB = await appOf(b, a);
		const { callback, checks } = await codeOf(ofA.config);
		const code = callback.searchParams.get("code") ?? "";
		const redeem = (issuer: string, { clientId, clientSecret }: typeof ofA.application) =>
			fetch(`${issuer}/oauth2/token`, {
				method: "POST",
				body: new URLSearchParams({
					grant_type: "authorization_code",
					client_id: clientId,
					client_secret: clientSecret ?? "",
					redirect_uri: REDIRECT_URI,
					code_verifier: checks.pkceCodeVerifier,
					code,
				}),
			});
		const byB = await redeem(b.issuer, ofB.application);
		expect([byB.status, await byB.json()]).toMatchObject([400, { error: "invalid_grant" }]);
		const byA = await redeem(b.issuer, ofA.application);
		expect([byA.status, await byA.json()]).toMatchObject([400, { error: "invalid_grant" }]);
		const tokens = await openid.authorizationCodeGrant(ofA.config, callback, checks);
		expect(tokens.claims()?.iss).toBe(a.issuer);
	});

	it("a refresh token is refused, and still works at its own", async () => {
		const ofA = await appOf(a, b);
		const ofB = await appOf(b, a);
		const { tokens } = await signInAt(issuers, a, ofA.config);
		const token = tokens.refresh_token ?? "";
		expect(await errorOf(openid.refreshTokenGrant(ofB.config, token))).toBe("invalid_grant");
		await refused(openid.refreshTokenGrant(ofA.elsewhere, token));
		expect(await openid.tokenIntrospection(ofB.config, token)).toEqual({ active: false });
		await openid.tokenRevocation(ofB.config, token);
		expect((await openid.refreshTokenGrant(ofA.config, token)).claims()?.iss).toBe(a.issuer);
	});

	it.each([["opaque"], ["JWT"]])("an access token that is %s is refused", async (kind) => {
		const ofA = await appOf(a, b);
		const ofB = await appOf(b, a);
		const resource: Record<string, string> = kind === "JWT" ? { resource: API } : {};
		const { tokens } = await signInAt(issuers, a, ofA.config, {
			scope: "openid read",
			...resource,
		});
		const token = tokens.access_token;
		expect(token.split(".").length).toBe(kind === "JWT" ? 3 : 1);
		// Used first at its own tenant: keys in memory must not help at the other one.
		expect((await openid.fetchUserInfo(ofA.config, token, a.userId)).sub).toBe(a.userId);
		const there = await fetch(`${b.issuer}/oauth2/userinfo`, {
			headers: { authorization: `Bearer ${token}` },
		});
		expect([there.status, await there.json()]).toMatchObject([401, { error: "invalid_token" }]);
		expect(await openid.tokenIntrospection(ofB.config, token)).toEqual({ active: false });
		await refused(openid.tokenIntrospection(ofA.elsewhere, token));
		expect((await openid.tokenIntrospection(ofA.config, token)).active).toBe(true);
	});

	it("an application does not exist", async () => {
		const { elsewhere } = await appOf(a, b);
		const { url } = await authorizationRequest(elsewhere);
		const { url: page } = await newBrowser(issuers).open(url);
		expect(`${page.origin}${page.pathname}`).toBe(`${b.issuer}/error`);
		expect(page.searchParams.get("error")).toBe("invalid_client");
		const grant = openid.clientCredentialsGrant(elsewhere, { scope: "read" });
		expect(await errorOf(grant)).toBe("invalid_client");
	});

	it("a key is not published, and verifies nothing", async () => {
		const ofA = await appOf(a, b);
		const { tokens } = await signInAt(issuers, a, ofA.config, { scope: "openid", resource: API });
		await machineToken(issuers, b);
		const keysOf = async ({ issuer }: IssuingTenant) =>
			(await (await fetch(`${issuer}/jwks`)).json()) as { keys: { kid: string; d?: string }[] };
		const [ownKeys, otherKeys] = [await keysOf(a), await keysOf(b)];
		expect(ownKeys.keys).toHaveLength(1);
		expect(otherKeys.keys).toHaveLength(1);
		expect(ownKeys.keys[0]?.kid).not.toBe(otherKeys.keys[0]?.kid);
		expect(ownKeys.keys[0]).not.toHaveProperty("d");
		for (const token of [tokens.access_token, tokens.id_token ?? ""]) {
			expect(decodeProtectedHeader(token).kid).toBe(ownKeys.keys[0]?.kid);
			await jwtVerify(token, createLocalJWKSet(ownKeys));
			await refused(jwtVerify(token, createLocalJWKSet(otherKeys)));
		}
	});

	it("a session does not sign anybody in, and stays", async () => {
		const ofA = await appOf(a, b);
		const ofB = await appOf(b, a);
		const { browser } = await signInAt(issuers, a, ofA.config);
		const there = await browser.open((await authorizationRequest(ofB.config)).url);
		expect(`${there.url.origin}${there.url.pathname}`).toBe(`${b.issuer}/sign-in`);
		const silent = await authorizationRequest(ofB.config, { prompt: "none" });
		const answer = await browser.open(silent.url);
		expect(answer.url.searchParams.get("error")).toBe("login_required");
		const own = await browser.open((await authorizationRequest(ofA.config)).url);
		expect(own.url.searchParams.has("code")).toBe(true);
	});

	it("a sign-in does not continue a request of this one", async () => {
		const ofA = await appOf(a, b);
		const browser = newBrowser(issuers);
		const page = await browser.open((await authorizationRequest(ofA.config)).url);
		const { url = "" } = await browser.signIn(b, page.url);
		expect(url).not.toContain("code=");
		const consentPage = await browser.consent(b, page.url);
		expect(consentPage.url ?? "").not.toContain("code=");
	});

	it("an ID token signs nobody out", async () => {
		const ofA = await appOf(a, b);
		const { browser, tokens } = await signInAt(issuers, a, ofA.config);
		const url = new URL(`${b.issuer}/oauth2/end-session`);
		url.searchParams.set("id_token_hint", tokens.id_token ?? "");
		url.searchParams.set("post_logout_redirect_uri", POST_LOGOUT_URI);
		expect((await browser.open(url)).url.origin).toBe(issuers.baseUrl);
		const own = await browser.open((await authorizationRequest(ofA.config)).url);
		expect(own.url.searchParams.has("code")).toBe(true);
	});
});

describe("a browser that is signed in to two tenants", () => {
	async function signedInToBoth() {
		const [ofA, ofB] = [await appOf(a, b), await appOf(b, a)];
		const { browser, tokens } = await signInAt(issuers, a, ofA.config);
		const page = await browser.open((await authorizationRequest(ofB.config)).url);
		await browser.signIn(b, page.url);
		/** The user of a silent sign-in at the app of a tenant; or the page where it ends. */
		const userAt = async ({ config }: typeof ofA) => {
			const { url, checks } = await authorizationRequest(config, { prompt: "none" });
			const { url: end } = await browser.open(url);
			if (!end.searchParams.has("code")) return end.searchParams.get("error");
			return (await openid.authorizationCodeGrant(config, end, checks)).claims()?.sub;
		};
		return { ofA, ofB, browser, tokens, userAt };
	}

	it("goes on at the apps of both without a form, as the user of each", async () => {
		const { ofA, ofB, userAt } = await signedInToBoth();
		expect(await userAt(ofA)).toBe(a.userId);
		expect(await userAt(ofB)).toBe(b.userId);
		expect(await userAt(ofA)).toBe(a.userId);
	});

	it("is asked at one of them with prompt=login, and stays signed in to the other", async () => {
		const { ofA, ofB, browser, userAt } = await signedInToBoth();
		const request = await authorizationRequest(ofA.config, { prompt: "login" });
		const { url } = await browser.open(request.url);
		expect(`${url.origin}${url.pathname}`).toBe(`${a.issuer}/sign-in`);
		expect((await browser.signIn(a, url)).url).toContain("code=");
		expect(await userAt(ofB)).toBe(b.userId);
	});

	it("signs out of one of them when its app asks, and stays signed in to the other", async () => {
		const { ofA, ofB, browser, tokens, userAt } = await signedInToBoth();
		const url = new URL(`${a.issuer}/oauth2/end-session`);
		url.searchParams.set("id_token_hint", tokens.id_token ?? "");
		url.searchParams.set("post_logout_redirect_uri", POST_LOGOUT_URI);
		expect((await browser.open(url)).url.href).toBe(POST_LOGOUT_URI);
		expect(await userAt(ofA)).toBe("login_required");
		expect(await userAt(ofB)).toBe(b.userId);
	});
});

describe("a service-wide application", () => {
	/** The same client id and secret at both tenants. */
	async function sharedApp(more: object = {}) {
		const application = await issuers.createServiceApplication(more);
		return {
			application,
			atA: await connect(a, application),
			atB: await connect(b, application),
		};
	}

	it("signs users in at every tenant, also at one that is created later", async () => {
		const { application, atA, atB } = await sharedApp();
		const later = await issuers.newTenant("later");
		const atLater = await connect(later, application);
		for (const [tenant, config] of [
			[a, atA] as const,
			[b, atB] as const,
			[later, atLater] as const,
		]) {
			const { tokens } = await signInAt(issuers, tenant, config);
			expect(tokens.claims()).toMatchObject({
				iss: tenant.issuer,
				sub: tenant.userId,
				tenant_id: tenant.tenantId,
				aud: application.clientId,
			});
			const user = await openid.fetchUserInfo(config, tokens.access_token, tenant.userId);
			expect(user.tenant_id).toBe(tenant.tenantId);
			const next = await openid.refreshTokenGrant(config, tokens.refresh_token ?? "");
			expect(next.claims()?.iss).toBe(tenant.issuer);
			expect((await openid.tokenIntrospection(config, next.access_token)).active).toBe(true);
			await openid.tokenRevocation(config, next.access_token);
			expect((await openid.tokenIntrospection(config, next.access_token)).active).toBe(false);
		}
	});

	it("cannot use a code of one tenant at another", async () => {
		const { application, atA } = await sharedApp();
		const { callback, checks } = await codeOf(atA);
		const redeemed = await fetch(`${b.issuer}/oauth2/token`, {
			method: "POST",
			body: new URLSearchParams({
				grant_type: "authorization_code",
				client_id: application.clientId,
				client_secret: application.clientSecret ?? "",
				redirect_uri: REDIRECT_URI,
				code_verifier: checks.pkceCodeVerifier,
				code: callback.searchParams.get("code") ?? "",
			}),
		});
		expect([redeemed.status, await redeemed.json()]).toMatchObject([
			400,
			{ error: "invalid_grant" },
		]);
		const tokens = await openid.authorizationCodeGrant(atA, callback, checks);
		expect(tokens.claims()?.iss).toBe(a.issuer);
	});

	it("cannot use a refresh token of one tenant at another", async () => {
		const { atA, atB } = await sharedApp();
		const { tokens } = await signInAt(issuers, a, atA);
		const token = tokens.refresh_token ?? "";
		expect(await errorOf(openid.refreshTokenGrant(atB, token))).toBe("invalid_grant");
		expect(await openid.tokenIntrospection(atB, token)).toEqual({ active: false });
		await openid.tokenRevocation(atB, token);
		expect((await openid.refreshTokenGrant(atA, token)).claims()?.iss).toBe(a.issuer);
	});

	it.each([["opaque"], ["JWT"]])(
		"cannot use an access token that is %s of one tenant at another",
		async (kind) => {
			const { atA, atB } = await sharedApp();
			const resource: Record<string, string> = kind === "JWT" ? { resource: API } : {};
			const parameters = { scope: "openid read", ...resource };
			const { tokens } = await signInAt(issuers, a, atA, parameters);
			const token = tokens.access_token;
			expect(token.split(".").length).toBe(kind === "JWT" ? 3 : 1);
			expect((await openid.fetchUserInfo(atA, token, a.userId)).sub).toBe(a.userId);
			const there = await fetch(`${b.issuer}/oauth2/userinfo`, {
				headers: { authorization: `Bearer ${token}` },
			});
			expect([there.status, await there.json()]).toMatchObject([401, { error: "invalid_token" }]);
			expect(await openid.tokenIntrospection(atB, token)).toEqual({ active: false });
			await openid.tokenRevocation(atB, token);
			expect((await openid.tokenIntrospection(atA, token)).active).toBe(true);
		},
	);

	it("gets tokens for itself from each tenant with the keys of that tenant", async () => {
		const { atA, atB } = await sharedApp({
			type: "machine",
			redirectUris: [],
			postLogoutRedirectUris: [],
			firstParty: false,
		});
		const issue = async (config: openid.Configuration) =>
			(await openid.clientCredentialsGrant(config, { scope: "read", resource: API })).access_token;
		const keysOf = ({ issuer }: IssuingTenant) => createRemoteJWKSet(new URL(`${issuer}/jwks`));
		const token = await issue(atA);
		const { payload } = await jwtVerify(token, keysOf(a), { issuer: a.issuer });
		expect(payload.tenant_id).toBe(a.tenantId);
		await refused(jwtVerify(token, keysOf(b)));
		expect(await openid.tokenIntrospection(atB, token)).toEqual({ active: false });
		await jwtVerify(await issue(atB), keysOf(b), { issuer: b.issuer });
	});

	it("asks for consent in each tenant", async () => {
		const { atA, atB } = await sharedApp({ firstParty: false });
		const browser = newBrowser(issuers);
		const pageOf = async (tenant: IssuingTenant, config: openid.Configuration) => {
			const { url } = await authorizationRequest(config);
			const { url: page = "" } = await browser.signIn(tenant, (await browser.open(url)).url);
			return new URL(page, issuers.baseUrl);
		};
		const consentPage = await pageOf(a, atA);
		expect(consentPage.pathname).toBe("/t/acme/consent");
		const allowed = await browser.consent(a, consentPage);
		expect(new URL(allowed.url).searchParams.has("code")).toBe(true);
		expect((await browser.open((await authorizationRequest(atA)).url)).url.origin).toBe(
			new URL(REDIRECT_URI).origin,
		);
		expect((await pageOf(b, atB)).pathname).toBe("/t/globex/consent");
	});

	it("has redirect URIs with the slug of the tenant, compared exactly", async () => {
		const { atA, atB } = await sharedApp({
			redirectUris: ["https://{tenant}.app.example.com/callback"],
			postLogoutRedirectUris: ["https://app.example.com/{tenant}/goodbye"],
		});
		const uri = (slug: string) => `https://${slug}.app.example.com/callback`;
		const target = async (config: openid.Configuration, redirect_uri: string) => {
			const { url } = await authorizationRequest(config, { redirect_uri });
			return (await newBrowser(issuers).open(url)).url;
		};
		expect((await target(atA, uri("acme"))).pathname).toBe("/t/acme/sign-in");
		expect((await target(atB, uri("globex"))).pathname).toBe("/t/globex/sign-in");
		for (const wrong of [
			uri("globex"),
			uri("{tenant}"),
			uri("%7Btenant%7D"),
			uri("acme.evil"),
			uri("ACME"),
			"https://acme.app.example.com/callback/",
			"https://acme.app.example.com.evil.example/callback",
			"https://app.example.com/callback",
		]) {
			const page = await target(atA, wrong);
			expect([wrong, page.pathname, page.searchParams.get("error")]).toEqual([
				wrong,
				"/t/acme/error",
				"invalid_redirect",
			]);
		}
		const { browser, tokens } = await signInAt(issuers, a, atA, { redirect_uri: uri("acme") });
		const signOut = (slug: string) =>
			openid.buildEndSessionUrl(atA, {
				id_token_hint: tokens.id_token ?? "",
				post_logout_redirect_uri: `https://app.example.com/${slug}/goodbye`,
			});
		const other = await browser.open(signOut("globex"));
		expect(other.url.origin).toBe(issuers.baseUrl);
		const { browser: again, tokens: more } = await signInAt(issuers, a, atA, {
			redirect_uri: uri("acme"),
		});
		const own = openid.buildEndSessionUrl(atA, {
			id_token_hint: more.id_token ?? "",
			post_logout_redirect_uri: "https://app.example.com/acme/goodbye",
		});
		expect((await again.open(own)).url.href).toBe("https://app.example.com/acme/goodbye");
	});

	it("outlives a tenant, and stops everywhere when it is disabled or deleted", async () => {
		const { application, atA, atB } = await sharedApp();
		const { clientId } = application;
		const gone = await issuers.newTenant("gone");
		await signInAt(issuers, gone, await connect(gone, application));
		await issuers.manage("/tenant/delete", { tenantId: gone.tenantId });
		const ofA = (await signInAt(issuers, a, atA)).tokens;
		const ofB = (await signInAt(issuers, b, atB)).tokens;
		const pairs = [
			[atA, ofA],
			[atB, ofB],
		] as const;

		await issuers.manage("/operator/application/update", { clientId, disabled: true });
		for (const [config, tokens] of pairs) {
			await refused(openid.tokenIntrospection(config, tokens.access_token));
			await refused(openid.refreshTokenGrant(config, tokens.refresh_token ?? ""));
		}
		await issuers.manage("/operator/application/update", { clientId, disabled: false });
		expect((await openid.tokenIntrospection(atA, ofA.access_token)).active).toBe(true);

		await issuers.manage("/operator/application/delete", { clientId });
		for (const [config, tokens] of notEmpty(pairs)) {
			const refresh = openid.refreshTokenGrant(config, tokens.refresh_token ?? "");
			expect(await errorOf(refresh)).toMatch(/^invalid_(client|grant)$/);
			const grant = openid.clientCredentialsGrant(config, { scope: "read" });
			expect(await errorOf(grant)).toBe("invalid_client");
		}
		for (const [{ issuer }, { access_token }] of [[a, ofA] as const, [b, ofB] as const]) {
			const user = await fetch(`${issuer}/oauth2/userinfo`, {
				headers: { authorization: `Bearer ${access_token}` },
			});
			expect(user.status).toBe(401);
		}
	});
});

it("sign-ins of two tenants at the same time get tokens of their own issuer", async () => {
	const apps = [
		{ tenant: a, ...(await appOf(a, b)) },
		{ tenant: b, ...(await appOf(b, a)) },
	];
	const all = Array.from({ length: 6 }, () => apps).flat();
	const results = await Promise.all(
		all.map(async ({ tenant, config }) => {
			const { tokens } = await signInAt(issuers, tenant, config, {
				scope: "openid",
				resource: API,
			});
			const keys = createRemoteJWKSet(new URL(`${tenant.issuer}/jwks`));
			const { payload } = await jwtVerify(tokens.access_token, keys, { issuer: tenant.issuer });
			return [payload.tenant_id, tokens.claims()?.tenant_id, payload.sub];
		}),
	);
	expect(results).toEqual(
		all.map(({ tenant }) => [tenant.tenantId, tenant.tenantId, tenant.userId]),
	);
});

describe("a suspended tenant", () => {
	it("issues and accepts nothing, and goes on when it is resumed", async () => {
		const tenant = await issuers.newTenant("closed");
		const { tenantId, issuer } = tenant;
		const config = await connect(tenant, await issuers.createApplication(tenantId));
		const { tokens, browser } = await signInAt(issuers, tenant, config);
		await issuers.manage("/tenant/suspend", { tenantId });
		const refresh = openid.refreshTokenGrant(config, tokens.refresh_token ?? "");
		expect(await errorOf(refresh)).toBe("unauthorized_client");
		const user = await fetch(`${issuer}/oauth2/userinfo`, {
			headers: { authorization: `Bearer ${tokens.access_token}` },
		});
		expect(user.status).toBe(403);
		await refused(openid.tokenIntrospection(config, tokens.access_token));
		for (const path of [".well-known/openid-configuration", "jwks"]) {
			expect((await fetch(`${issuer}/${path}`)).status).toBe(403);
		}
		const { url: page } = await browser.open((await authorizationRequest(config)).url);
		expect(page.pathname).toBe("/t/closed/sign-in");
		await issuers.manage("/tenant/resume", { tenantId });
		const next = await openid.refreshTokenGrant(config, tokens.refresh_token ?? "");
		expect(next.claims()?.sub).toBe(tenant.userId);
	});
});

it("a tenant that gets the slug of a deleted one has other keys", async () => {
	const kidOf = async (issuer: string) =>
		((await (await fetch(`${issuer}/jwks`)).json()) as { keys: { kid: string }[] }).keys[0]?.kid;
	const first = await issuers.newTenant("again");
	await machineToken(issuers, first);
	const kid = await kidOf(first.issuer);
	await issuers.manage("/tenant/delete", { tenantId: first.tenantId });
	const second = await issuers.newTenant("again", { releaseSlug: true });
	expect(await kidOf(second.issuer)).toBeUndefined();
	await machineToken(issuers, second);
	expect(await kidOf(second.issuer)).not.toBe(kid);
});
