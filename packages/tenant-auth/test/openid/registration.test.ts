import type { ServerResponse } from "node:http";
import { genericOAuth } from "better-auth/plugins";
import { tenantAccess } from "better-auth-tenant";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { freePort } from "../../../../testing/ports";
import { startIdentityProvider } from "../support/providers/identity-provider";
import { listen, listenAs } from "../support/providers/identity-provider/listen";
import { network, redirectHosts } from "../support/providers/identity-provider/provider-hosts";
import { type RogueProvider, startRogueProvider } from "../support/providers/rogue-provider";
import { type Instance, makeInstance } from "../support/worlds/instance";

const providerId = "oidc:rogue";
const COULD_NOT_BE_LOADED = "oidc:rogue: The discovery document of the issuer could not be loaded";

type Change = Record<string, unknown>;

async function makeHost(tenants: object) {
	const host = await makeInstance({ tenants });
	const tenantId = await host.makeTenant();
	const register = (options: Change, change: Change = {}) =>
		host.manage("/tenant/oauth-config/register", {
			body: {
				tenantId,
				providerId,
				clientId: "client",
				clientSecret: "secret",
				options,
				...change,
			},
		});
	return { ...host, tenantId, register };
}

describe("registering an identity provider of a tenant", () => {
	let rogue: RogueProvider;
	let host: Awaited<ReturnType<typeof makeHost>>;

	beforeAll(async () => {
		rogue = await startRogueProvider();
		host = await makeHost({ allowPrivateProviderHosts: true });
	});
	beforeEach(() => {
		rogue.discovery = {};
		rogue.answer = () => false;
		rogue.requests.length = 0;
	});
	afterAll(() => rogue?.close());

	const countConfigs = async ({ db }: Pick<Instance, "db">) =>
		(await db.selectFrom("tenantOauthConfig").selectAll().execute()).length;

	async function expectRejected(options: Change, message: string | RegExp, change?: Change) {
		const before = await countConfigs(host);
		const { status, body } = await host.register({ issuer: rogue.issuer, ...options }, change);
		expect([status, body.code]).toEqual([400, "INVALID_PROVIDER_OPTIONS"]);
		expect(body.message).toMatch(message);
		expect(await countConfigs(host)).toBe(before);
	}

	it("loads its discovery document once, and stores what the tenant sent", async () => {
		const options = {
			issuer: rogue.issuer,
			name: "Acme",
			claims: { email: "upn", role: "groups" },
			roles: { "App Admins": "admin" },
		};
		const { status, body } = await host.register(options);
		expect([status, body]).toMatchObject([200, { providerId, clientId: "client", options }]);
		expect(rogue.requests.map(({ path }) => path)).toEqual(["/.well-known/openid-configuration"]);
	});

	it.each([
		"oidc:",
		"oidc:Okta",
		"oidc:-okta",
		"oidc:okta-",
		"oidc:okta/x",
		"oidc:okta%2f",
		"oidc:ok ta",
		"oidc:caf\u00e9",
		`oidc:${"x".repeat(33)}`,
		"OIDC:okta",
		"oidc:okta\n",
		"oidc",
	])("rejects the id %j", async (id) => {
		const { status, body } = await host.register({ issuer: rogue.issuer }, { providerId: id });
		expect([status, body.code]).toEqual([400, "UNSUPPORTED_PROVIDER"]);
	});

	it.each<[string, Change]>([
		["is missing", { issuer: undefined }],
		["is not a URL", { issuer: "acme.okta.com" }],
		["is not a text", { issuer: 5 }],
		["has a query", { issuer: "https://acme.okta.com?x" }],
		["has a fragment", { issuer: "https://acme.okta.com#x" }],
		["has credentials", { issuer: "https://a:b@acme.okta.com" }],
		["is no web address", { issuer: "ftp://acme.okta.com" }],
	])("rejects an issuer that %s", async (_, options) => {
		await expectRejected(options, /issuer/);
		expect(rogue.requests).toEqual([]);
	});

	it.each<[string, Change, RegExp]>([
		["a setting that is not known", { secret: "x" }, /secret is not a setting/],
		["an endpoint", { tokenEndpoint: "https://x.example" }, /not a setting/],
		["a name that is too long", { name: "x".repeat(65) }, /name is not valid/],
		["a name with a control character", { name: "a\u0000b" }, /name is not valid/],
		["claims that are a list", { claims: ["email"] }, /claims is not valid/],
		["a claim that is not mapped", { claims: { sub: "email" } }, /claims is not valid/],
		["a claim that is not a text", { claims: { email: 5 } }, /claims is not valid/],
		["too many roles", { claims: { role: "groups" }, roles: many() }, /roles is not valid/],
		["roles without their claim", { roles: { a: "admin" } }, /claims.role/],
		[
			"the role owner",
			{ claims: { role: "groups" }, roles: { a: "owner" } },
			/must not contain owner/,
		],
		[
			"the role Owner",
			{ claims: { role: "groups" }, roles: { a: "Owner" } },
			/must not contain owner/,
		],
		[
			"a role that is no name",
			{ claims: { role: "g" }, roles: { a: "a b" } },
			/roles is not valid/,
		],
		["another authentication", { clientAuthentication: "private_key_jwt" }, /not valid/],
	])("rejects %s", async (_, options, message) => {
		await expectRejected(options, message);
		expect(rogue.requests).toEqual([]);
	});

	it.each<[string, Change, RegExp]>([
		[
			"another issuer",
			{ issuer: "https://accounts.google.com" },
			/names the issuer https:\/\/accounts/,
		],
		["the issuer with a slash", { issuer: "http://127.0.0.1/" }, /names the issuer/],
		["no issuer", { issuer: undefined }, /is not valid/],
		["no token endpoint", { token_endpoint: undefined }, /is not valid/],
		["no keys", { jwks_uri: undefined }, /is not valid/],
		[
			"an endpoint that is not a URL",
			{ token_endpoint: "/token" },
			/token_endpoint .* is not valid/,
		],
		[
			"a script as endpoint",
			{ authorization_endpoint: "javascript:alert(1)" },
			/authorization_endpoint/,
		],
		[
			"an endpoint with a fragment",
			{ authorization_endpoint: "https://x.example/#a" },
			/not valid/,
		],
		[
			"an endpoint with credentials",
			{ userinfo_endpoint: "https://a:b@x.example/" },
			/userinfo_endpoint/,
		],
		["no response type that is used", { response_types_supported: ["id_token"] }, /response type/],
		["plain PKCE only", { code_challenge_methods_supported: ["plain"] }, /PKCE/],
		["HS256 only", { id_token_signing_alg_values_supported: ["HS256", "none"] }, /algorithm/],
		[
			"no way for a secret",
			{ token_endpoint_auth_methods_supported: ["private_key_jwt"] },
			/secret/,
		],
		["no way for a secret but none", { token_endpoint_auth_methods_supported: ["none"] }, /secret/],
	])("rejects a document that has %s", async (_, discovery, message) => {
		rogue.discovery = discovery;
		await expectRejected({}, message);
	});

	it("rejects a client without a secret at a provider that does not send iss", async () => {
		await expectRejected({}, /RFC 9207/, { clientSecret: "" });
		rogue.discovery = { authorization_response_iss_parameter_supported: true };
		const { status } = await host.register({ issuer: rogue.issuer }, { clientSecret: "" });
		expect(status).toBe(200);
	});

	describe("whose document", () => {
		const timeLimit = 10_000;
		afterEach(() => vi.useRealTimers());

		const answering = (answer: (response: ServerResponse) => void) => {
			rogue.answer = (_, response) => {
				answer(response);
				return true;
			};
		};

		it.each<[string, (response: ServerResponse) => void]>([
			["is missing", (response) => response.writeHead(404).end()],
			["is an error", (response) => response.writeHead(500).end("{}")],
			["is no JSON", (response) => response.writeHead(200).end("<html>")],
			["is empty", (response) => response.writeHead(200).end()],
			["breaks off", (response) => response.destroy()],
			["is a redirect", (response) => response.writeHead(302, { location: "/other" }).end()],
			["is too large", (response) => response.writeHead(200).end(`{"x":"${"x".repeat(200_000)}"}`)],
			[
				"says that it is too large",
				(response) => response.writeHead(200, { "content-length": 10 ** 9 }).end(),
			],
		])("%s is rejected, always with the same words", async (_, answer) => {
			answering(answer);
			await expectRejected({}, COULD_NOT_BE_LOADED);
		});

		it.each<[string, string]>([
			["a list", "[]"],
			["a text", '"issuer"'],
			["null", "null"],
		])("is %s is rejected", async (_, json) => {
			answering((response) => response.writeHead(200).end(json));
			await expectRejected({}, /is not valid/);
		});

		it("does not come is rejected after ten seconds", async () => {
			answering(() => {});
			vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
			const rejected = expectRejected({}, COULD_NOT_BE_LOADED);
			while (rogue.requests.length === 0) await new Promise(setImmediate);
			await vi.advanceTimersByTimeAsync(timeLimit);
			await rejected;
		});
	});

	it("is rejected if nothing listens there", async () => {
		await expectRejected({ issuer: `http://127.0.0.1:${await freePort()}` }, COULD_NOT_BE_LOADED);
	});

	it("maps no role that the caller could not give to a user", async () => {
		const manager = tenantAccess.newRole({ "oauth-config": ["register"] });
		const own = await makeHost({ allowPrivateProviderHosts: true, roles: { manager } });
		const { body, cookie } = await own.signUp(own.tenantId);
		const userId: string = body.user.id;
		const giveRole = (tenantRole: string) =>
			own.db.updateTable("user").set({ tenantRole }).where("id", "=", userId).execute();
		const asUser = (roles: Change) =>
			own.call("/tenant/oauth-config/register", {
				cookie,
				body: {
					tenantId: own.tenantId,
					providerId,
					clientId: "client",
					clientSecret: "secret",
					options: { issuer: rogue.issuer, claims: { role: "groups" }, roles },
				},
			});
		await giveRole("manager");
		const { status, body: answer } = await asUser({ Everybody: "admin" });
		expect([status, answer.code]).toEqual([403, "ROLE_NOT_ALLOWED"]);
		expect(answer.message).toContain("roles: admin: Your role does not allow");
		expect((await asUser({ Everybody: "member" })).status).toBe(200);
		await giveRole("owner");
		expect((await asUser({ Everybody: "admin" })).status).toBe(200);
	});

	it("is limited to twenty of them, and changing one is still possible", async () => {
		const many = await makeHost({ allowPrivateProviderHosts: true });
		const options = { issuer: rogue.issuer };
		for (let n = 0; n < 20; n += 1) {
			const { status } = await many.register(options, { providerId: `oidc:number-${n}` });
			expect(status).toBe(200);
		}
		const { status, body } = await many.register(options, { providerId: "oidc:one-more" });
		expect([status, body.code]).toEqual([409, "TOO_MANY_OWN_PROVIDERS"]);
		expect((await many.register(options, { providerId: "oidc:number-3" })).status).toBe(200);
	});

	describe("and updating it", () => {
		let own: Awaited<ReturnType<typeof makeHost>>;

		beforeEach(async () => {
			own = await makeHost({ allowPrivateProviderHosts: true });
			await own.register({ issuer: rogue.issuer });
			rogue.requests.length = 0;
		});

		const update = (change: Change) =>
			own.manage("/tenant/oauth-config/update", {
				body: { tenantId: own.tenantId, providerId, ...change },
			});

		it("asks the provider only if the client or the options change", async () => {
			expect((await update({ enabled: false })).status).toBe(200);
			expect((await update({ scopes: ["groups"] })).status).toBe(200);
			expect(rogue.requests).toEqual([]);
			expect((await update({ options: { issuer: rogue.issuer, name: "New" } })).status).toBe(200);
			expect(rogue.requests).toHaveLength(1);
		});

		it("rejects options that do not work, and keeps the old ones", async () => {
			rogue.discovery = { issuer: "https://accounts.google.com" };
			const { status, body } = await update({ options: { issuer: rogue.issuer, name: "New" } });
			expect([status, body.code]).toEqual([400, "INVALID_PROVIDER_OPTIONS"]);
			const { body: configs } = await own.manage("/tenant/oauth-config/list", {
				query: { tenantId: own.tenantId },
			});
			expect(configs[0].options).toEqual({ issuer: rogue.issuer });
		});

		it("rejects the removal of the secret at a provider that does not send iss", async () => {
			const { status, body } = await update({ clientSecret: "" });
			expect([status, body.code]).toEqual([400, "INVALID_PROVIDER_OPTIONS"]);
		});

		it("does not send the stored secret to another issuer", async () => {
			const other = await startRogueProvider();
			try {
				const { status, body } = await update({ options: { issuer: other.issuer } });
				expect([status, body.code]).toEqual([400, "VALIDATION_ERROR"]);
				expect(body.message).toContain("clientSecret is required to change issuer");
			} finally {
				await other.close();
			}
		});
	});
});

function many() {
	return Object.fromEntries(Array.from({ length: 65 }, (_, n) => [`group ${n}`, "admin"]));
}

/** A tenant's admin decides which server answers, and what its document names. */
describe("an issuer and the private network", () => {
	let host: Awaited<ReturnType<typeof makeHost>>;
	const asked: string[] = [];

	beforeAll(async () => {
		host = await makeHost({ allowPrivateProviderHosts: false });
	});
	beforeEach(() => {
		asked.length = 0;
		network.opened = [];
	});

	it.each([
		"http://acme.okta.com",
		"https://127.0.0.1",
		"https://localhost",
		"https://169.254.169.254",
		"https://10.0.0.1",
		"https://[::1]",
		"https://keycloak.internal",
		"https://keycloak",
	])("rejects %s without asking", async (issuer) => {
		const { status, body } = await host.register({ issuer });
		expect([status, body.code]).toEqual([400, "INVALID_PROVIDER_OPTIONS"]);
		expect(network.opened).toEqual([]);
	});

	it("rejects a public name that resolves to a private address", async () => {
		const restore = redirectHosts(["rebound.tenant.example"], {
			port: 1,
			certificate: "",
			addresses: ["10.0.0.1"],
		});
		try {
			const { body } = await host.register({ issuer: "https://rebound.tenant.example" });
			expect(body.message).toBe(COULD_NOT_BE_LOADED);
			expect(network.opened).toEqual([]);
		} finally {
			await restore();
		}
	});

	it.each<[string, Change]>([
		["token_endpoint", { token_endpoint: "https://169.254.169.254/token" }],
		["jwks_uri", { jwks_uri: "http://idp.tenant.example/keys" }],
		["userinfo_endpoint", { userinfo_endpoint: "https://localhost/me" }],
		["end_session_endpoint", { end_session_endpoint: "https://10.0.0.1/bye" }],
		["authorization_endpoint", { authorization_endpoint: "https://intranet.corp/login" }],
	])("rejects a document whose %s is not public", async (name, change) => {
		const issuer = "https://idp.tenant.example";
		const server = await listenAs(["idp.tenant.example"], (_, response) => {
			response.writeHead(200, { "content-type": "application/json" }).end(
				JSON.stringify({
					issuer,
					authorization_endpoint: `${issuer}/authorize`,
					token_endpoint: `${issuer}/token`,
					jwks_uri: `${issuer}/keys`,
					response_types_supported: ["code"],
					...change,
				}),
			);
		});
		try {
			const { status, body } = await host.register({ issuer });
			expect([status, body.code]).toEqual([400, "INVALID_PROVIDER_OPTIONS"]);
			expect(body.message).toContain(name);
		} finally {
			await server.close();
		}
	});

	it("does not follow a redirect of the document to a private server", async () => {
		const inside = await listen((request, response) => {
			asked.push(String(request.url));
			response.writeHead(200).end("{}");
		});
		const server = await listenAs(["idp.tenant.example"], (_, response) => {
			response.writeHead(302, { location: `http://127.0.0.1:${inside.port}/metadata` }).end();
		});
		try {
			const { body } = await host.register({ issuer: "https://idp.tenant.example" });
			expect(body.message).toBe(COULD_NOT_BE_LOADED);
			expect(asked).toEqual([]);
		} finally {
			await server.close();
			await inside.close();
		}
	});

	it("accepts a public one", async () => {
		const idp = await startIdentityProvider("openid", { hosts: ["idp.tenant.example"] });
		try {
			const { status } = await host.register({ issuer: "https://idp.tenant.example" });
			expect(status).toBe(200);
		} finally {
			await idp.close();
		}
	});
});

describe("an id that begins with oidc:", () => {
	it("cannot be the id of a provider of the app", async () => {
		const plugin = genericOAuth({
			config: [
				{
					providerId: "oidc:okta",
					clientId: "client",
					clientSecret: "secret",
					authorizationUrl: "https://x.example/authorize",
					tokenUrl: "https://x.example/token",
				},
			],
		});
		const { auth } = await makeInstance({ plugins: [plugin] }).catch(() => ({ auth: null }));
		await expect(
			auth?.$context ?? Promise.reject(new Error("for providers of tenants")),
		).rejects.toThrow("for providers of tenants");
	});
});
