import { mcp } from "@better-auth/mcp";
import { oauthProvider } from "@better-auth/oauth-provider";
import type { BetterAuthPlugin } from "better-auth";
import { jwt } from "better-auth/plugins";
import {
	cleanUp,
	getCurrentTenantId,
	runInTenant,
	tenantAccess,
	tenantClaims,
} from "better-auth-tenant";
import { describe, expect, it } from "vitest";
import { notEmpty } from "../../../../testing/not-empty";
import {
	inServerCode,
	REDIRECT_URI,
	type RelyingParty,
	relyingParties,
} from "../support/providers/oauth-relying-party";
import { CREDENTIALS, type InstanceOptions } from "../support/worlds/instance";
import { makeTwoUsers, orders } from "../support/worlds/two-tenants";
import { useWorld } from "../support/worlds/world";

const API = "https://api.example.com/v1";
const pages = { loginPage: "/login", consentPage: "/consent" };

const provider = () =>
	oauthProvider({
		...pages,
		allowDynamicClientRegistration: true,
		scopes: ["openid", "profile", "email", "offline_access", "read"],
		clientRegistrationAllowedScopes: ["openid", "profile", "email", "offline_access", "read"],
		resources: [API],
		clientRegistrationDefaultResources: [API],
		clientPrivileges: async () => true,
		customAccessTokenClaims: async () => ({ tenant: await getCurrentTenantId() }),
	});

const claimsOf = (token: string) =>
	JSON.parse(Buffer.from(String(token.split(".")[1]), "base64url").toString());

async function setUp(options: InstanceOptions = {}, plugin: BetterAuthPlugin = provider()) {
	const plugins = [jwt(), plugin];
	const app = await makeTwoUsers({ ...options, plugins, disabledPaths: ["/token"] });
	const parties = relyingParties(app);
	const ofA = await parties.register(app.ada.cookie);
	const ofB = await parties.register(app.bob.cookie);
	const tokensOf = async (party: typeof ofA, cookie: string) =>
		(await parties.redeem(party, await parties.obtainCode(party, cookie))).body;
	const userInfo = (token: string, tenant?: string) =>
		app.call("/oauth2/userinfo", {
			headers: { authorization: `Bearer ${token}` },
			...(tenant ? { tenant } : {}),
		});
	const errorOf = ({ status, body }: { status: number; body: { error: string } }) => [
		status,
		body.error,
	];
	return { ...app, ...parties, ofA, ofB, tokensOf, userInfo, errorOf };
}

describe.each(orders)("an OAuth client of a tenant, with the plugin %s,", (_, order) => {
	const world = useWorld(() => setUp(order()));

	it("gets its user's tokens and data, and names no tenant", async () => {
		const { ofA, ofB, ada, bob, tokensOf, userInfo, post } = world();
		for (const [party, user] of [
			[ofA, ada],
			[ofB, bob],
		] as const) {
			const tokens = await tokensOf(party, user.cookie);
			const sub = user.body.user.id;
			expect((await userInfo(tokens.access_token)).body).toMatchObject({ sub });
			const introspected = await post(
				"/oauth2/introspect",
				{ token: tokens.access_token },
				{ party },
			);
			expect(introspected.body).toMatchObject({ active: true, sub });
		}
	});
});

const world = useWorld(() => setUp());

describe("an OAuth client of A", () => {
	it("does not exist in B", async () => {
		const { ofA, b, bob, authorize, post, errorOf, call } = world();
		const page = await authorize(ofA, { cookie: bob.cookie, tenant: b });
		expect(page.headers.get("location")).toContain("error=invalid_client");
		const grant = { grant_type: "client_credentials" };
		const answer = await post("/oauth2/token", grant, { party: ofA, tenant: b });
		expect(errorOf(answer)).toEqual([401, "invalid_client"]);
		const shown = await call("/oauth2/get-client", {
			cookie: bob.cookie,
			query: { client_id: ofA.client_id },
		});
		expect(shown.status).toBe(404);
	});

	it("sends a user of B to the sign-in page, and B's session stays", async () => {
		const { ofA, b, bob, authorize, sessionOf } = world();
		const page = await authorize(ofA, { cookie: bob.cookie });
		expect(page.headers.get("location")).toMatch(/^\/login\?/);
		expect(page.headers.getSetCookie()).toEqual([]);
		expect(await sessionOf(bob.cookie)).toMatchObject({ session: { tenantId: b } });
	});

	it.each(["/sign-in/email", "/tenant/sign-in/email"])(
		"continues after a sign-in at %s",
		async (path) => {
			const { ofA, a, authorize, pageQuery, call, codeIn, redeem } = world();
			const oauth_query = pageQuery(await authorize(ofA));
			const body = { ...CREDENTIALS, oauth_query };
			const signedIn = await call(path, { tenant: a, body });
			expect(signedIn.body).toMatchObject({ redirect: true });
			const consentQuery = String(signedIn.body.url).split("?")[1];
			const consent = await call("/oauth2/consent", {
				cookie: signedIn.cookie,
				body: { accept: true, oauth_query: consentQuery },
			});
			const tokens = await redeem(ofA, codeIn(consent.body.url));
			expect(tokens.body.access_token).toEqual(expect.any(String));
		},
	);

	it("is not authorized by a user who signs in at B", async () => {
		const { ofA, b, authorize, pageQuery, call } = world();
		const oauth_query = pageQuery(await authorize(ofA));
		const body = { ...CREDENTIALS, oauth_query };
		const signedIn = await call("/sign-in/email", { tenant: b, body });
		expect(String(signedIn.body.url)).toContain("error=invalid_client");
	});

	it("gets no consent from a user of B", async () => {
		const { ofA, ada, bob, authorize, pageQuery, call, errorOf } = world();
		const oauth_query = pageQuery(await authorize(ofA, { cookie: ada.cookie }));
		const body = { accept: true, oauth_query };
		const answer = await call("/oauth2/consent", { cookie: bob.cookie, body });
		expect(answer.body.url ?? errorOf(answer)).not.toContain("code=");
	});

	it("registers itself in the tenant that the call names", async () => {
		const { a, b, call, ada, authorize } = world();
		const body = { redirect_uris: [REDIRECT_URI], scope: "openid" };
		const registered = await call("/oauth2/register", { cookie: ada.cookie, tenant: a, body });
		expect(registered.body.client_id).toEqual(expect.any(String));
		const inB = await authorize(registered.body, { tenant: b });
		expect(inB.headers.get("location")).toContain("error=invalid_client");
	});

	it("stops with its tenant, and goes on when the tenant is resumed", async () => {
		const { a, ofA, ada, tokensOf, userInfo, refresh, authorize, manage } = world();
		const tokens = await tokensOf(ofA, ada.cookie);
		await manage("/tenant/suspend", { body: { tenantId: a } });
		expect((await userInfo(tokens.access_token)).status).toBe(401);
		for (const answer of [await refresh(ofA, tokens.refresh_token), await authorize(ofA)]) {
			expect([answer.status, answer.body.code]).toEqual([403, "TENANT_SUSPENDED"]);
		}
		await manage("/tenant/resume", { body: { tenantId: a } });
		expect((await userInfo(tokens.access_token)).status).toBe(200);
		expect((await refresh(ofA, tokens.refresh_token)).status).toBe(200);
	});

	it("is deleted with its tenant, with its tokens and consents, and B's stay", async () => {
		const { a, ofA, ofB, ada, bob, tokensOf, userInfo, refresh, manage, db, errorOf } = world();
		const tokens = await tokensOf(ofA, ada.cookie);
		const theirs = await tokensOf(ofB, bob.cookie);
		expect((await manage("/tenant/delete", { body: { tenantId: a } })).status).toBe(200);
		expect((await userInfo(tokens.access_token)).status).toBe(401);
		expect(errorOf(await refresh(ofA, tokens.refresh_token))[1]).toBe("invalid_grant");
		for (const table of ["oauthClient", "oauthConsent", "oauthRefreshToken", "oauthAccessToken"]) {
			const rows = await db.selectFrom(table).select("clientId").execute();
			expect(rows.map(({ clientId }) => clientId)).toEqual([ofB.client_id]);
		}
		expect((await userInfo(theirs.access_token)).status).toBe(200);
	});
});

describe("a code, token or consent of A", () => {
	it("is worth nothing to a client of B, and stays valid in A", async () => {
		const { ofA, ofB, ada, obtainCode, redeem, refresh, post, errorOf } = world();
		const code = await obtainCode(ofA, ada.cookie);
		expect(errorOf(await redeem(ofB, code))).toEqual([400, "invalid_grant"]);
		const { body: tokens } = await redeem(ofA, code);
		expect(tokens.access_token).toEqual(expect.any(String));
		expect(errorOf(await refresh(ofB, tokens.refresh_token))).toEqual([400, "invalid_grant"]);
		for (const token of [tokens.access_token, tokens.refresh_token]) {
			const introspected = await post("/oauth2/introspect", { token }, { party: ofB });
			expect(introspected.body).toEqual({ active: false });
			await post("/oauth2/revoke", { token }, { party: ofB });
			const own = await post("/oauth2/introspect", { token }, { party: ofA });
			expect(own.body).toMatchObject({ active: true });
		}
		expect((await refresh(ofA, tokens.refresh_token)).status).toBe(200);
	});

	it("shows no user in B", async () => {
		const { ofA, b, ada, tokensOf, userInfo } = world();
		const tokens = await tokensOf(ofA, ada.cookie);
		expect((await userInfo(tokens.access_token, b)).status).toBe(401);
		expect((await userInfo(tokens.access_token)).status).toBe(200);
	});

	it("ends by its own client", async () => {
		const { ofA, ada, tokensOf, userInfo, post } = world();
		const tokens = await tokensOf(ofA, ada.cookie);
		const token = tokens.access_token;
		expect((await post("/oauth2/revoke", { token }, { party: ofA })).status).toBe(200);
		expect((await userInfo(token)).status).toBe(401);
	});

	it("that is a JWT, for an API of the app, works in A only", async () => {
		const { a, b, ofA, ofB, ada, bob, obtainCode, redeem, post, userInfo } = world();
		await inServerCode(world(), ada).link(ofA.client_id, API);
		await inServerCode(world(), bob).link(ofB.client_id, API);
		const code = await obtainCode(ofA, ada.cookie, { resource: API });
		const { access_token: token } = (await redeem(ofA, code)).body;
		expect(claimsOf(token)).toMatchObject({ sub: ada.body.user.id, tenant: a });
		expect((await userInfo(token)).body).toMatchObject({ sub: ada.body.user.id });
		expect((await userInfo(token, b)).status).toBe(401);
		const byOwner = await post("/oauth2/introspect", { token }, { party: ofA });
		expect(byOwner.body).toMatchObject({ active: true });
		const byOther = await post("/oauth2/introspect", { token }, { party: ofB });
		expect(byOther.body).toEqual({ active: false });
	});

	it("without a user belongs to the tenant of its client", async () => {
		const { a, b, ada, call, post } = world();
		const { createClient, link } = inServerCode(world(), ada);
		const party = await createClient({
			grant_types: ["client_credentials"],
			scope: "read",
			client_credentials_scopes: ["read"],
		});
		await link(party.client_id, API);
		const grant = { grant_type: "client_credentials", scope: "read", resource: API };
		const { body } = await post("/oauth2/token", grant, { party });
		expect(body).toMatchObject({ access_token: expect.any(String) });
		expect(claimsOf(body.access_token)).toMatchObject({ tenant: a });
		expect((await post("/oauth2/token", grant, { party, tenant: b })).status).toBe(401);
		expect((await call("/oauth2/userinfo")).status).toBe(401);
	});

	it("is listed to its own user only", async () => {
		const { ofA, ada, bob, tokensOf, call } = world();
		await tokensOf(ofA, ada.cookie);
		const listOf = async (cookie: string) =>
			(await call("/oauth2/get-consents", { cookie })).body.length;
		expect([await listOf(ada.cookie), await listOf(bob.cookie)]).toEqual([1, 0]);
	});
});

describe("tenantClaims", () => {
	const scopes = ["openid", "roles", "permissions"];
	const scope = scopes.join(" ");
	const withRoles = () =>
		oauthProvider({
			...pages,
			scopes,
			resources: [API],
			clientPrivileges: async () => true,
			customIdTokenClaims: tenantClaims,
			customAccessTokenClaims: tenantClaims,
			customUserInfoClaims: tenantClaims,
		});
	const support = tenantAccess.newRole({ user: ["list", "get"] });
	const world = useWorld(() => setUp({ tenants: { roles: { support } } }, withRoles()));

	async function tokensFor(user: "ada" | "bob", wanted = scope) {
		const { register, obtainCode, redeem, userInfo, ...app } = world();
		const { cookie } = app[user];
		const party = await register(cookie, { scope });
		await inServerCode(world(), app[user]).link(party.client_id, API);
		const code = await obtainCode(party, cookie, { scope: wanted, resource: API });
		const { id_token, access_token } = (await redeem(party, code)).body;
		const info = (await userInfo(access_token)).body;
		return [claimsOf(id_token), claimsOf(access_token), info];
	}

	it("puts the role of the user in their own tenant into all tokens", async () => {
		const { a, b, ada, auth } = world();
		const userId = ada.body.user.id;
		await auth.api.updateTenantUser({ body: { tenantId: a, userId, role: "support" } });
		const permissions = ["user:list", "user:get"];
		const ofAda = { tenant_id: a, roles: ["support"], permissions };
		expect(await tokensFor("ada")).toMatchObject([ofAda, ofAda, ofAda]);
		const ofBob = { tenant_id: b, roles: ["member"], permissions: [] };
		expect(await tokensFor("bob")).toMatchObject([ofBob, ofBob, ofBob]);
	});

	it("needs the scopes", async () => {
		const { a } = world();
		for (const claims of notEmpty(await tokensFor("ada", "openid"))) {
			expect(claims.tenant_id).toBe(a);
			expect([claims.roles, claims.permissions]).toEqual([undefined, undefined]);
		}
	});

	it("gives no role for a user of another tenant, and nothing without a tenant", async () => {
		const { a, b, auth, ada } = world();
		const { adapter } = await auth.$context;
		const where = [{ field: "id", value: ada.body.user.id }];
		const user = await runInTenant(auth, a, () =>
			adapter.findOne<object>({ model: "user", where }),
		);
		expect(user).toMatchObject({ tenantId: a });
		const claims = () => tenantClaims({ user, scopes });
		expect(await runInTenant(auth, a, claims)).toMatchObject({ tenant_id: a, roles: ["member"] });
		expect(await runInTenant(auth, b, claims)).toEqual({ tenant_id: b });
		expect(await claims()).toEqual({});
	});
});

describe("a sign-out that an OAuth client of A starts", () => {
	// Otherwise the plugin reads the keys for the id token over the network.
	const world = useWorld(() => setUp({}, oauthProvider({ ...pages, disableJwtPlugin: true })));

	async function start() {
		const { ada, obtainCode, redeem, ...app } = world();
		const scope = "openid profile email offline_access";
		const { createClient } = inServerCode(world(), ada);
		const party = await createClient({ scope, enable_end_session: true });
		const { id_token } = (await redeem(party, await obtainCode(party, ada.cookie))).body;
		return { ...app, ada, id_token };
	}

	it("ends the session of its user, without a tenant", async () => {
		const { ada, call, sessionOf, id_token } = await start();
		const query = { id_token_hint: id_token };
		expect((await call("/oauth2/end-session", { query })).body).toBeNull();
		expect(await sessionOf(ada.cookie)).toBeNull();
	});

	it("ends nothing in B", async () => {
		const { ada, b, bob, call, sessionOf, id_token } = await start();
		const query = { id_token_hint: id_token };
		const answer = await call("/oauth2/end-session", { query, tenant: b, cookie: bob.cookie });
		expect(answer.status).toBe(400);
		expect([await sessionOf(ada.cookie), await sessionOf(bob.cookie)]).not.toContain(null);
	});
});

describe("cleanUp", () => {
	it("deletes expired tokens of all tenants with the records of their owners, and no others", async () => {
		const { ofA, ofB, ada, bob, tokensOf, userInfo, auth, db } = await setUp();
		const models = ["oauthAccessToken", "oauthRefreshToken"];
		const rows = async () => {
			const counts = models.map(async (model) => {
				const own = await db.selectFrom(model).select("id").execute();
				const owners = db.selectFrom("tenantRow").select("id").where("model", "=", model);
				return [own.length, (await owners.execute()).length];
			});
			return Promise.all(counts);
		};
		await tokensOf(ofA, ada.cookie);
		await tokensOf(ofB, bob.cookie);
		const expiresAt = new Date(Date.now() - 1000).toISOString();
		for (const model of models) await db.updateTable(model).set({ expiresAt }).execute();
		const valid = await tokensOf(ofA, ada.cookie);
		expect(await rows()).toEqual(models.map(() => [3, 3]));
		expect((await cleanUp(auth)).oauthTokens).toBe(4);
		expect(await rows()).toEqual(models.map(() => [1, 1]));
		expect((await userInfo(valid.access_token)).status).toBe(200);
	});
});

describe("the metadata", () => {
	it("is the same in every tenant", async () => {
		const { a, b, call } = world();
		const path = "/.well-known/openid-configuration";
		const documents = [await call(path), await call(path, { tenant: a })];
		documents.push(await call(path, { tenant: b }));
		const [first] = documents.map(({ body }) => body);
		expect(first).toMatchObject({ token_endpoint: expect.stringContaining("/oauth2/token") });
		for (const { body } of notEmpty(documents)) expect(body).toEqual(first);
	});
});

describe("@better-auth/mcp", () => {
	const world = useWorld(() =>
		setUp({}, mcp({ ...pages, resource: API, allowDynamicClientRegistration: true })),
	);

	it("issues tokens for the MCP server in each tenant, and A's are refused in B", async () => {
		const { a, b, ada, bob, call, obtainCode, redeem, userInfo, post } = world();
		const body = { redirect_uris: [REDIRECT_URI], scope: "openid profile email offline_access" };
		const tokens: string[] = [];
		const parties: RelyingParty[] = [];
		for (const [tenant, user] of [
			[a, ada],
			[b, bob],
		] as const) {
			const { cookie } = user;
			const party = (await call("/oauth2/register", { cookie, tenant, body })).body;
			const code = await obtainCode(party, cookie, { resource: API });
			const { access_token } = (await redeem(party, code)).body;
			expect(claimsOf(access_token).aud).toContain(API);
			expect((await userInfo(access_token)).body).toMatchObject({ sub: user.body.user.id });
			tokens.push(access_token);
			parties.push(party);
		}
		expect((await userInfo(String(tokens[0]), b)).status).toBe(401);
		const [, other] = parties;
		const seen = await post(
			"/oauth2/introspect",
			{ token: String(tokens[0]) },
			other ? { party: other } : {},
		);
		expect(seen.body).toEqual({ active: false });
	});
});
