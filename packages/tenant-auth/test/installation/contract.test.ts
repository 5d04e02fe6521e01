import {
	getCurrentDBAdapterAsyncLocalStorage,
	getRequestStateAsyncLocalStorage,
	queueAfterTransactionHook,
	runWithTransaction,
	tryGetCurrentAuthEndpointContext,
} from "@better-auth/core/context";
import type { OAuthProvider } from "@better-auth/core/oauth2";
import { kyselyAdapter } from "@better-auth/kysely-adapter";
import { sso } from "@better-auth/sso";
import { type BetterAuthPlugin, betterAuth } from "better-auth";
import {
	callbackOAuth,
	createAuthEndpoint,
	createAuthMiddleware,
	dispatchAuthEndpoint,
	getSessionFromCtx,
	ok,
} from "better-auth/api";
import { handleOAuthUserInfo } from "better-auth/oauth2";
import { captcha, jwt } from "better-auth/plugins";
import { socialProviders } from "better-auth/social-providers";
import { kAPIErrorHeaderSymbol } from "better-call";
import { describe, expect, it } from "vitest";
import { notEmpty } from "../../../../testing/not-empty";
import { stopClock } from "../../../../testing/stopped-clock";
import { rulesOf } from "../../src/call/context/endpoint-rules";
import { FOREIGN } from "../../src/call/foreign";
import { matcherOf } from "../../src/installation/rate-limits";
import { acceptsSeveralClientIds } from "../../src/providers";
import { makeMemoryStorage } from "../support/databases/memory-storage";
import { readSamlRequest } from "../support/providers/saml-identity-provider";
import { everyPlugin } from "../support/worlds/every-plugin";
import { cookiesOf, makePlain, ORIGIN, user } from "../support/worlds/plain-better-auth";

/**
 * What files of `src` assume about the installed version of Better Auth, a sentence each. Plain Better Auth,
 * without our plugin. When an upgrade of Better Auth breaks one, this is the checklist of what to look at.
 */
describe("installation/install.ts assumes that Better Auth", () => {
	it("sets the options last, after it has created the internal adapter again", async () => {
		const seen: string[] = [];
		const watch = {
			id: "watch",
			init: (ctx) => {
				const before = ctx.internalAdapter;
				let options = ctx.options;
				Object.defineProperty(ctx, "options", {
					configurable: true,
					enumerable: true,
					get: () => options,
					set: (value) => {
						seen.push(ctx.internalAdapter === before ? "old adapter" : "new adapter");
						options = value;
					},
				});
			},
		} satisfies BetterAuthPlugin;
		await makePlain({ plugins: [watch] });
		expect(seen).toEqual(["new adapter"]);
	});
});

describe("installation/database.ts assumes that Better Auth", () => {
	it("uses the adapter object of the context for its queries, so methods can be replaced", async () => {
		const asked: string[] = [];
		const replace = {
			id: "replace",
			init: ({ adapter }) => {
				const { findOne } = adapter;
				adapter.findOne = ((query: { model: string }) => {
					asked.push(query.model);
					return findOne(query as never);
				}) as typeof findOne;
			},
		} satisfies BetterAuthPlugin;
		const { call } = await makePlain({ plugins: [replace] });
		await call("/sign-in/email", { json: user });
		expect(asked).toContain("user");
	});

	it("reads a session by its token, with its user as the only join", async () => {
		const queries: { model: string; join?: unknown }[] = [];
		const watch = {
			id: "watch",
			init: ({ adapter }) => {
				const { findOne } = adapter;
				adapter.findOne = ((query: { model: string }) => {
					queries.push(query);
					return findOne(query as never);
				}) as typeof findOne;
			},
		} satisfies BetterAuthPlugin;
		const { context } = await makePlain({ plugins: [watch] });
		queries.length = 0;
		await context.internalAdapter.findSession("a token");
		expect(queries).toMatchObject([{ model: "session", join: { user: true } }]);
	});

	it("asks the cookie cache for its version, with the session", async () => {
		const versions: unknown[] = [];
		const version = (session: object) => {
			versions.push(session);
			return "1";
		};
		const { call } = await makePlain({
			session: { cookieCache: { enabled: true, version } },
		});
		const cookie = cookiesOf(await call("/sign-up/email", { json: user }));
		versions.length = 0;
		await call("/get-session", { headers: { cookie } });
		expect(versions).toMatchObject([{ token: expect.any(String) }]);
	});
});

describe("installation/hooks.ts assumes that Better Auth", () => {
	it("calls matcher and handler of hooks with one context object per call", async () => {
		const contexts: object[] = [];
		const plugin = {
			id: "watch",
			hooks: {
				before: [
					{
						matcher: (ctx: object) => {
							contexts.push((ctx as { context: object }).context);
							return true;
						},
						handler: createAuthMiddleware(async (ctx) => {
							contexts.push(ctx.context);
						}),
					},
				],
			},
			endpoints: {
				watched: createAuthEndpoint("/watched", { method: "GET" }, async (ctx) => {
					contexts.push(ctx.context);
					await getSessionFromCtx(ctx);
					return ctx.json({});
				}),
			},
		} satisfies BetterAuthPlugin;
		const { call } = await makePlain({ plugins: [plugin] });
		await call("/watched");
		expect(contexts).toHaveLength(3);
		expect(new Set(contexts).size).toBe(1);
	});

	it("copies symbol properties of a context that it dispatches with", async () => {
		const KEY = Symbol("state");
		let found: unknown;
		const plugin = {
			id: "dispatching",
			hooks: {
				before: [
					{
						matcher: (ctx: { path?: string }) => {
							if (ctx.path === "/ok")
								found = Reflect.get((ctx as { context: object }).context, KEY);
							return false;
						},
						handler: createAuthMiddleware(async () => {}),
					},
				],
			},
			endpoints: {
				outer: createAuthEndpoint("/outer", { method: "GET" }, async (ctx) => {
					const context = { ...ctx.context, [KEY]: "carried" };
					await dispatchAuthEndpoint(ok, { ...ctx, context, asResponse: false } as never);
					return ctx.json({});
				}),
			},
		} satisfies BetterAuthPlugin;
		const { call } = await makePlain({ plugins: [plugin] });
		expect((await call("/outer")).status).toBe(200);
		expect(found).toBe("carried");
	});

	it("gives a call of auth.api inside of a request the context of the instance", async () => {
		const KEY = Symbol("state");
		let inner: unknown = "not called";
		const plain = await makePlain({
			hooks: {
				before: createAuthMiddleware(async (ctx) => {
					if (ctx.path === "/ok") {
						Object.assign(ctx.context, { [KEY]: "outer" });
						await plain.auth.api.getSession({ headers: new Headers() });
					} else inner = Reflect.get(ctx.context, KEY);
				}),
			},
		});
		await plain.call("/ok");
		expect(inner).toBeUndefined();
	});

	it("keeps one request state for a request and all calls of auth.api inside of it", async () => {
		const storage = await getRequestStateAsyncLocalStorage();
		const seen: unknown[] = [];
		const plain = await makePlain({
			hooks: {
				before: createAuthMiddleware(async ({ path }) => {
					seen.push(storage.getStore());
					if (path === "/ok") await plain.auth.api.getSession({ headers: new Headers() });
				}),
			},
		});
		await plain.call("/ok");
		expect(seen).toHaveLength(2);
		expect(seen[0]).toBe(seen[1]);
	});

	it("shows the running endpoint's context in hooks, endpoints and adapter calls", async () => {
		let path: string | undefined;
		const watch = {
			id: "watch",
			init: ({ adapter }) => {
				const { findOne } = adapter;
				adapter.findOne = ((query: object) => {
					path = tryGetCurrentAuthEndpointContext()?.path;
					return findOne(query as never);
				}) as typeof findOne;
			},
		} satisfies BetterAuthPlugin;
		const { call } = await makePlain({ plugins: [watch] });
		await call("/sign-in/email", { json: user });
		expect(path).toBe("/sign-in/email");
	});

	it("has endpoints at the paths that the policies name", async () => {
		const plugins = Object.values(everyPlugin).map((make) => make());
		const { auth } = await makePlain({ plugins });
		const paths = Object.values(auth.api).map(({ path }) => path);
		const named = [...paths].filter((path) => Object.keys(rulesOf(path)).length > 0);
		expect(named).toEqual(
			expect.arrayContaining([
				"/get-session",
				"/sign-up/email",
				"/callback/:id",
				"/verify-email",
				"/reset-password/:token",
				"/magic-link/verify",
				"/two-factor/verify-totp",
				"/sign-in/sso",
				"/sso/callback",
				"/sso/callback/:providerId",
				"/sso/saml2/sp/metadata",
				"/admin/stop-impersonating",
			]),
		);
	});

	it("makes a token in an after-hook on /get-session in the jwt plugin", () => {
		const { hooks, id } = jwt();
		const matches = hooks.after.some(({ matcher }) => matcher({ path: "/get-session" } as never));
		expect([id, matches, FOREIGN.get(id)?.makesNoTokens]).toEqual(["jwt", true, undefined]);
	});
});

describe("call/foreign/sso/saml-messages.ts assumes that the sso plugin", () => {
	it("stores the RelayState as an OAuth state, and the id of its request with a prefix", async () => {
		const samlConfig = {
			issuer: "https://app.example.com",
			entryPoint: "https://idp.example.com/sso",
			cert: "certificate",
			idpMetadata: { entityID: "https://idp.example.com" },
		};
		const plugin = sso({
			defaultSSO: [{ providerId: "okta", domain: "example.com", samlConfig }],
			saml: { enableSingleLogout: true },
		});
		const { auth, call, context } = await makePlain({
			socialProviders: { github: { clientId: "id", clientSecret: "secret" } },
			plugins: [plugin as unknown as BetterAuthPlugin],
		});
		/** Starts a flow, and lists what it stores. */
		const start = async (path: string, json: object) => {
			await context.adapter.deleteMany({ model: "verification", where: [] });
			const { url } = await (await call(path, { json: { ...json, callbackURL: "/" } })).json();
			const rows = await context.adapter.findMany<{ identifier: string }>({
				model: "verification",
			});
			return { url, identifiers: rows.map(({ identifier }) => identifier).sort() };
		};
		const social = await start("/sign-in/social", { provider: "github" });
		const state = new URL(social.url).searchParams.get("state") ?? "";
		const prefix = social.identifiers[0]?.replace(state, "");
		expect(social.identifiers).toEqual([`${prefix}${state}`]);
		// Older versions have no prefix.
		expect(["auth-state:", ""]).toContain(prefix);

		const saml = await start("/sign-in/sso", { providerId: "okta" });
		const { id, relayState } = readSamlRequest(saml.url);
		const path = "/sso/saml2/sp/acs/:providerId";
		const SAMLResponse = btoa(`<samlp:Response InResponseTo="${id}">`);
		const body = { RelayState: relayState, SAMLResponse };
		const named = await rulesOf(path).messages?.identifiersOf({ body });
		expect(relayState).toMatch(/^[\w-]{32}$/);
		expect(saml.identifiers).toContain(`${prefix}${relayState}`);
		expect(saml.identifiers).toHaveLength(2);
		expect(named).toEqual(expect.arrayContaining(saml.identifiers));
		const paths = Object.values(auth.api).map((endpoint) => endpoint.path);
		expect(paths).toEqual(expect.arrayContaining([path, "/sso/saml2/sp/slo/:providerId"]));
	});
});

describe("call/context/request-state.ts assumes that Better Auth", () => {
	it("puts hooks off to the end of a transaction, by a push onto a list in its storage", async () => {
		const { context } = await makePlain();
		const storage = await getCurrentDBAdapterAsyncLocalStorage();
		const order: string[] = [];
		await runWithTransaction(context.adapter, async () => {
			expect(storage.getStore()?.isTransactionActive).toBe(true);
			await queueAfterTransactionHook(async () => void order.push("hook"));
			expect(storage.getStore()?.pendingHooks).toHaveLength(1);
			order.push("work");
		});
		expect(order).toEqual(["work", "hook"]);
	});
});

describe("installation/rate-limits.ts assumes that Better Auth", () => {
	it("counts a request by its path before the first plugin sees it", async () => {
		stopClock();
		const first: BetterAuthPlugin = {
			id: "first",
			onRequest: async () => ({ response: new Response(null, { status: 204 }) }),
		};
		const { call } = await makePlain({ plugins: [first], rateLimit: { enabled: true } });
		const statuses: number[] = [];
		for (let count = 0; count < 4; count += 1) {
			const headers = { "x-forwarded-for": "203.0.113.77" };
			statuses.push((await call("/sign-in/email", { method: "POST", headers })).status);
		}
		expect(statuses).toEqual([204, 204, 204, 429]);
	});

	it.each([
		["/sign-in/*", "/sign-in/email", true],
		["/sign-in/*", "/sign-in/a/b", false],
		["/**", "/sign-in/email", true],
		["/tenant/**", "/sign-in/email", false],
	])("matches the rule %s with %s as we do: %s", async (pattern, path, isMatch) => {
		stopClock();
		expect(matcherOf(pattern)(path)).toBe(isMatch);
		const { call } = await makePlain({
			rateLimit: { enabled: true, customRules: { [pattern]: { window: 60, max: 1 } } },
			plugins: [
				{
					id: "paths",
					endpoints: {
						probe: createAuthEndpoint(path, { method: "GET" }, async (ctx) => ctx.json({})),
					},
				},
			].filter(() => path === "/sign-in/a/b") as BetterAuthPlugin[],
		});
		const headers = { "x-forwarded-for": "203.0.113.7" };
		const attempt = async () =>
			path === "/sign-in/a/b"
				? (await call(path, { headers })).status
				: (await call(path, { json: user, headers })).status;
		await attempt();
		expect((await attempt()) === 429).toBe(isMatch);
	});
});

describe("installation/captcha.ts assumes that Better Auth", () => {
	it("has a captcha plugin that decides by the request's path, and lists its endpoints in options", async () => {
		const plugin = captcha({ provider: "cloudflare-turnstile", secretKey: "key" });
		const { context } = await makePlain();
		const ask = (path: string) =>
			plugin.onRequest(
				new Request(`${ORIGIN}/api/auth${path}`, { method: "POST" }),
				context as never,
			);
		expect(await ask("/sign-in/email")).toMatchObject({ response: { status: 400 } });
		expect(await ask("/tenant/sign-in/email")).toBeUndefined();
		const listed = captcha({
			provider: "cloudflare-turnstile",
			secretKey: "key",
			endpoints: ["/one"],
		});
		expect(listed.options.endpoints).toEqual(["/one"]);
	});
});

describe("installation/passwords.ts assumes that Better Auth", () => {
	it("hashes a sign-up's password inside of its transaction, by the context's current hash", async () => {
		const storage = await getCurrentDBAdapterAsyncLocalStorage();
		const active: unknown[] = [];
		const { call, context } = await makePlain();
		const { hash } = context.password;
		context.password = {
			...context.password,
			hash: (password) => {
				active.push(storage.getStore()?.isTransactionActive);
				return hash(password);
			},
		};
		expect((await call("/sign-up/email", { json: user })).status).toBe(200);
		expect(active).toEqual([true]);
	});
});

describe("installation/social-providers.ts assumes that Better Auth", () => {
	it("resolves an entry that is a function when it uses it, and reads its id before", async () => {
		const { call, context } = await makePlain({
			socialProviders: { github: { clientId: "of the app", clientSecret: "secret" } },
		});
		const [github] = context.socialProviders;
		const resolve = async () => ({ ...github, options: { clientId: "resolved" } });
		context.socialProviders = [Object.assign(resolve, { id: "github" }) as never];
		expect((await call("/sign-in/social", { json: { provider: "github" } })).status).toBe(200);
	});

	it("finishes a social flow at an endpoint with the parameter id", () => {
		expect(callbackOAuth.path).toBe("/callback/:id");
	});

	it("accepts a list of client ids as audience of ID tokens where we do, and uses the first", async () => {
		const clientId = ["first", "second"];
		for (const [id, create] of notEmpty(Object.entries(socialProviders))) {
			if (!acceptsSeveralClientIds(id)) continue;
			const settings = { domain: "a.example", region: "eu-west-1", userPoolId: "eu-west-1_A" };
			const provider = (create as (options: object) => OAuthProvider)({
				...settings,
				clientId,
				clientSecret: "secret",
			});
			const url = await provider.createAuthorizationURL({
				state: "state",
				codeVerifier: "verifier".repeat(6),
				redirectURI: ORIGIN,
			});
			expect([id, provider.idToken]).toMatchObject([id, { audience: clientId }]);
			expect(url.searchParams.get("client_id")).toBe("first");
		}
	});

	it.each([
		["a trusted one, by the list of the request", ["github"], 200],
		["no other one", [], 401],
	])("links an account without a verified email at %s", async (_, trusted, status) => {
		const { call, context } = await makePlain({
			socialProviders: { github: { clientId: "of the app", clientSecret: "secret" } },
			hooks: {
				before: createAuthMiddleware(async (ctx) => {
					ctx.context.trustedProviders = trusted;
				}),
			},
		});
		const [github] = context.socialProviders;
		const profile = { id: "1", email: user.email, emailVerified: false };
		const linked = {
			...github,
			idToken: { verify: async () => true },
			accountSubject: () => "1",
			getUserInfo: async () => ({ user: profile, data: profile }),
		};
		context.socialProviders = [linked as never];
		const cookie = cookiesOf(await call("/sign-up/email", { json: user }));
		const json = { provider: "github", idToken: { token: "any" } };
		expect((await call("/link-social", { json, headers: { cookie } })).status).toBe(status);
		expect(context.trustedProviders).toEqual([]);
	});
});

describe("features/endpoints/dispatch-core.ts assumes that Better Auth", () => {
	it("throws errors of a dispatched endpoint with their headers under a known symbol", async () => {
		let headers: unknown;
		const failing = createAuthEndpoint("/failing", { method: "GET" }, async (ctx) => {
			ctx.setHeader("x-failed", "yes");
			throw ctx.redirect("/elsewhere");
		});
		const plugin = {
			id: "dispatching",
			endpoints: {
				outer: createAuthEndpoint("/outer", { method: "GET" }, async (ctx) => {
					const input = { ...ctx, asResponse: false } as never;
					await dispatchAuthEndpoint(failing, input).catch((error: object) => {
						headers = Reflect.get(error, kAPIErrorHeaderSymbol);
					});
					return ctx.json({});
				}),
			},
		} satisfies BetterAuthPlugin;
		const { call } = await makePlain({ plugins: [plugin] });
		await call("/outer");
		expect(headers).toBeInstanceOf(Headers);
		expect((headers as Headers).get("x-failed")).toBe("yes");
	});
});

describe("installation/complete-response.ts assumes that Better Auth", () => {
	it("answers a body that is not JSON with 400 and a sentence that says so", async () => {
		const { call } = await makePlain();
		const response = await call("/sign-in/email", { method: "POST", body: "{" });
		expect(response.status).toBe(400);
		expect(await response.text()).toContain("Invalid JSON in request body");
	});
});

describe("isolation/stored-sessions.ts assumes that Better Auth", () => {
	it("lists a user's sessions in a secondary storage under active-sessions-<user id>", async () => {
		const storage = makeMemoryStorage();
		const { call } = await makePlain({ secondaryStorage: storage });
		const response = await call("/sign-up/email", { json: user });
		const { user: created, token } = await response.json();
		expect(String(await storage.get(`active-sessions-${created.id}`))).toContain(token);
	});

	it("stores a session and its user under the token, and null for a user who is gone", async () => {
		const storage = makeMemoryStorage();
		const { call, context } = await makePlain({ secondaryStorage: storage });
		const { user: created, token } = await (await call("/sign-up/email", { json: user })).json();
		const entry = JSON.parse(String(await storage.get(token)));
		expect([entry.session.token, entry.user.id]).toEqual([token, created.id]);
		const { token: other } = await context.internalAdapter.createSession("gone");
		expect(JSON.parse(String(await storage.get(other))).user).toBeNull();
	});
});

describe("isolation/sessions.ts assumes that Better Auth", () => {
	it.each([
		["a secondary storage", {}],
		["a secondary storage and the database", { storeSessionInDatabase: true }],
	])("ends the sessions of a user in %s with the id alone", async (_, session) => {
		const storage = makeMemoryStorage();
		const { call, context } = await makePlain({ secondaryStorage: storage, session });
		const { user: created, token } = await (await call("/sign-up/email", { json: user })).json();
		expect(await context.internalAdapter.listSessions(created.id)).toMatchObject([{ token }]);
		await context.internalAdapter.deleteUserSessions(created.id);
		expect(await storage.get(token)).toBeNull();
		// Older versions leave nothing, newer ones a time before which no session counts.
		const left = storage.entries().flatMap(([key]) => (key.includes(created.id) ? [key] : []));
		expect([`revoked-sessions-before-${created.id}`]).toEqual(expect.arrayContaining(left));
	});
});

describe("database/transactions.ts assumes that Better Auth", () => {
	it("takes the way to run transactions from the config of its adapter", async () => {
		let runs = 0;
		const replace = {
			id: "replace",
			init: ({ adapter: { options } }) => {
				const run = options?.adapterConfig.transaction;
				if (!run) throw new Error("there are no transactions");
				options.adapterConfig.transaction = (work) => {
					runs += 1;
					return run(work);
				};
			},
		} satisfies BetterAuthPlugin;
		const { context } = await makePlain({ plugins: [replace] });
		await context.adapter.transaction(async () => {});
		expect(runs).toBe(1);
	});

	it("makes the adapter of a transaction in the tick in which Kysely starts it", async () => {
		const { context } = await makePlain();
		const steps: string[] = [];
		const trx = { isTransaction: true };
		const started = {
			transaction: () => ({
				execute: async (work: (kysely: object) => Promise<unknown>) => {
					const working = work(trx);
					steps.push("execute returned");
					return working;
				},
			}),
		};
		const again = kyselyAdapter(started as never, { type: "postgres", transaction: true });
		await again(context.options).transaction(async () => {
			steps.push("work");
		});
		expect(steps).toEqual(["work", "execute returned"]);
	});
});

describe("management/oauth-clients/simultaneous-sign-ins.ts assumes that Better Auth", () => {
	it("creates a social user and then the account in one transaction of the adapter", async () => {
		const steps: string[] = [];
		const watch = {
			id: "watch",
			init: ({ adapter }) => {
				const { transaction } = adapter;
				adapter.transaction = (work) => {
					steps.push("transaction");
					return transaction(work);
				};
			},
		} satisfies BetterAuthPlugin;
		const { context } = await makePlain({ plugins: [watch] });
		const { internalAdapter } = context;
		const { createUser, createAccount } = internalAdapter;
		Object.assign(internalAdapter, {
			createUser: (...[data, source]: Parameters<typeof createUser>) => {
				steps.push(`user by ${source?.method}`);
				return createUser(data, source);
			},
			createAccount: (...[data]: Parameters<typeof createAccount>) => {
				steps.push("account");
				return createAccount(data);
			},
		});
		const { email, name } = user;
		const ctx = { context, headers: new Headers() };
		await handleOAuthUserInfo(
			ctx as never,
			{
				userInfo: { id: "1", email, name, emailVerified: true },
				account: { providerId: "gitlab", accountId: "1" },
			} as never,
		);
		expect(steps).toEqual(["transaction", "user by oauth", "account"]);
	});
});

describe("management/tenants/purge-users.ts and management/users/store.ts assume that Better Auth", () => {
	it("deletes a user by the id, after reading and deleting sessions and accounts by the user id", async () => {
		const queries: string[] = [];
		const watch = {
			id: "watch",
			init: ({ adapter }) => {
				for (const method of ["findMany", "delete", "deleteMany"] as const) {
					const original = adapter[method] as unknown as (query: never) => Promise<never>;
					Object.assign(adapter, {
						[method]: (query: { model: string; where?: { field: string }[] }) => {
							queries.push(`${method} ${query.model} ${query.where?.map((it) => it.field)}`);
							return original(query as never);
						},
					});
				}
			},
		} satisfies BetterAuthPlugin;
		const { call, context } = await makePlain({ plugins: [watch] });
		const { user: created } = await (await call("/sign-up/email", { json: user })).json();
		queries.length = 0;
		await context.internalAdapter.deleteUser(created.id);
		expect(queries.filter((it) => it.startsWith("delete"))).toEqual([
			"deleteMany session userId",
			"deleteMany account userId",
			"delete user id",
		]);
	});
});

describe("features/domains/platform-callback.ts assumes that Better Auth", () => {
	it("sends the redirect URI that it is given, if the options of the provider have none", async () => {
		for (const redirectURI of [undefined, "https://own.example/callback"]) {
			const client = {
				clientId: "id",
				clientSecret: "secret",
				...(redirectURI && { redirectURI }),
			};
			for (const id of ["apple", "github", "gitlab", "google", "microsoft"] as const) {
				const provider = (socialProviders[id] as (options: object) => OAuthProvider)(client);
				const given = "https://given.example/callback";
				const url = await provider.createAuthorizationURL({
					state: "state",
					codeVerifier: "verifier".repeat(6),
					redirectURI: given,
				});
				expect([id, url.searchParams.get("redirect_uri")]).toEqual([id, redirectURI ?? given]);
			}
		}
	});

	it("stores a state in the database under its name, with the server context, and in a cookie", async () => {
		const { call, context } = await makePlain({
			socialProviders: { github: { clientId: "of the app", clientSecret: "secret" } },
		});
		const answer = await call("/sign-in/social", { json: { provider: "github" } });
		const { url }: { url: string } = await answer.json();
		const state = String(new URL(url).searchParams.get("state"));
		expect(state).toMatch(/^[\w-]{32}$/);
		const [row] = await context.adapter.findMany<{ identifier: string; value: string }>({
			model: "verification",
		});
		expect([state, `auth-state:${state}`]).toContain(row?.identifier);
		expect(JSON.parse(String(row?.value))).toMatchObject({ callbackURL: ORIGIN });
		const { name } = context.createAuthCookie("state");
		expect(cookiesOf(answer)).toContain(`${name}=${state}.`);
	});
});

describe("installation/trusted-origins.ts assumes that Better Auth", () => {
	it("makes a list of trusted origins for each request, and uses it after onRequest", async () => {
		const lists: string[][] = [];
		const limit = {
			id: "limit",
			onRequest: async (_, ctx) => {
				lists.push(ctx.trustedOrigins);
				ctx.trustedOrigins = ["https://trusted.example"];
			},
		} satisfies BetterAuthPlugin;
		const { call } = await makePlain({
			plugins: [limit],
			advanced: { disableOriginCheck: false, disableCSRFCheck: false },
		});
		const signIn = (origin: string) =>
			call("/sign-in/email", { json: user, headers: { origin, cookie: "a=b" } });
		expect((await signIn(ORIGIN)).status).toBe(403);
		expect((await signIn("https://trusted.example")).status).toBe(401);
		expect(lists).toEqual([[ORIGIN], [ORIGIN]]);
		expect(lists[0]).not.toBe(lists[1]);
	});
});

describe("call/context/tenant-hosts.ts assumes that Better Auth", () => {
	it.each([
		[{}, false, "localhost:3000"],
		[{ host: "a.example" }, false, "a.example"],
		[{ host: "a.example", "x-forwarded-host": "b.example" }, false, "a.example"],
		[{ host: "a.example", "x-forwarded-host": "b.example" }, true, "b.example"],
	])(
		"finds the host of its base URL in %j, with trusted proxies: %s",
		async (headers, trusts, host) => {
			const seen: string[] = [];
			const watch = {
				id: "watch",
				onRequest: async (_, ctx) => void seen.push(new URL(ctx.baseURL).host),
			} satisfies BetterAuthPlugin;
			const { call } = await makePlain({
				baseURL: { allowedHosts: ["*"] },
				plugins: [watch],
				advanced: { trustedProxyHeaders: trusts },
			});
			await call("/ok", { headers });
			expect(seen).toEqual([host]);
		},
	);

	it("uses the fallback for a host that is not allowed", async () => {
		const seen: string[] = [];
		const watch = {
			id: "watch",
			onRequest: async (_, ctx) => void seen.push(new URL(ctx.baseURL).host),
		} satisfies BetterAuthPlugin;
		const baseURL = { allowedHosts: ["*.example"], fallback: "https://fallback.example" };
		const { call } = await makePlain({ baseURL, plugins: [watch] });
		await call("/ok", { headers: { host: "evil.test" } });
		expect(seen).toEqual(["fallback.example"]);
	});
});

describe("installation/start-checks.ts assumes that Better Auth", () => {
	it("lets the field of a plugin win over one of the app when it reads input", async () => {
		const field = (input: boolean) => ({ type: "string" as const, input, required: false });
		const plugin = {
			id: "role",
			schema: { user: { fields: { role: field(false) } } },
		} satisfies BetterAuthPlugin;
		const { call } = await makePlain({
			user: { additionalFields: { role: field(true) } },
			plugins: [plugin],
		});
		const answer = await call("/sign-up/email", { json: { ...user, role: "admin" } });
		expect(await answer.json()).toMatchObject({ code: "FIELD_NOT_ALLOWED" });
	});
});

describe("installation/start-checks.ts assumes that Better Auth", () => {
	it("tells its version in the context", async () => {
		const { context } = await makePlain();
		expect(context.version).toMatch(/^1\.7\.\d+$/);
		expect(context.version).toBe(jwt().version);
	});
});

describe("installation/install.ts assumes that Better Auth", () => {
	it("renews sessions from their cookies alone if it has no store, by the context's config", async () => {
		const { $context } = betterAuth({
			secret: "a secret of the contract tests with 32 characters",
		});
		expect((await $context).sessionConfig.cookieRefreshCache).toMatchObject({ enabled: true });
		const { context } = await makePlain();
		expect(context.sessionConfig.cookieRefreshCache).toBe(false);
	});
});
