import { apiKey } from "@better-auth/api-key";
import { passkey } from "@better-auth/passkey";
import { trace } from "@opentelemetry/api";
import type { BetterAuthOptions, BetterAuthPlugin } from "better-auth";
import { createAuthEndpoint, createAuthMiddleware } from "better-auth/api";
import {
	admin,
	bearer,
	customSession,
	jwt,
	multiSession,
	openAPI,
	organization,
	twoFactor,
	username,
} from "better-auth/plugins";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { makeMemoryStorage } from "../../../tenant-auth/test/support/databases/memory-storage";
import { makeDeterministic, makePair, type Pair } from "../comparison/compare";
import {
	isDirect,
	isReadDirectly,
	requireDirect,
	requireFallback,
	sendGetSession,
} from "./sent-session";

makeDeterministic();

const plugin = (made: object) => ({ id: "under-test", ...made }) as BetterAuthPlugin;
const hook = { matcher: () => true, handler: createAuthMiddleware(async () => {}) };
const usual = () =>
	[
		...[
			organization(),
			admin(),
			twoFactor(),
			apiKey({ enableSessionForAPIKeys: true }),
			passkey(),
			bearer(),
			openAPI(),
		],
		username(),
	] as unknown as BetterAuthPlugin[];

const additionalFields = {
	hidden: { type: "string", required: false, returned: false, defaultValue: "secret" },
	loud: {
		type: "string",
		required: false,
		defaultValue: "loud",
		transform: { output: (value: unknown) => String(value).toUpperCase() },
	},
	settings: { type: "json", required: false, defaultValue: { dark: true } },
	since: { type: "date", required: false, defaultValue: () => new Date(1_700_000_000_000) },
	labels: { type: "string[]", required: false, defaultValue: ["a"] },
} satisfies NonNullable<BetterAuthOptions["user"]>["additionalFields"];

const direct: [string, () => BetterAuthOptions][] = [
	["nothing unusual", () => ({})],
	["fields of all kinds", () => ({ user: { additionalFields }, session: { additionalFields } })],
	[
		"other names of tables and columns",
		() => ({
			user: { modelName: "person", fields: { email: "mail" } },
			session: { modelName: "visit", fields: { token: "secret_token", userId: "person_id" } },
		}),
	],
	["another path", () => ({ basePath: "/api/auth" })],
	[
		"secure cookies of another name",
		() => ({ advanced: { cookiePrefix: "x", useSecureCookies: true } }),
	],
	["usual plugins", () => ({ plugins: usual() })],
	[
		"a JWT plugin that sends no token",
		() => ({ plugins: [jwt({ disableSettingJwtHeader: true }) as BetterAuthPlugin] }),
	],
	["counted ids", () => ({ advanced: { database: { generateId: "serial" } } })],
	[
		"hooks for other paths",
		() => ({ plugins: [plugin({ hooks: { before: [{ ...hook, matcher: () => false }] } })] }),
	],
	[
		"a plugin that says what it does",
		() => ({ plugins: [plugin({ init: () => {}, onResponse: async () => {}, sessionRead: {} })] }),
	],
];

const storage = makeMemoryStorage();

const configured: [string, () => object][] = [
	["a hook of the app before", () => ({ hooks: { before: hook.handler } })],
	["a hook of the app after", () => ({ hooks: { after: hook.handler } })],
	["a plugin's hook before", () => ({ plugins: [plugin({ hooks: { before: [hook] } })] })],
	["onRequest", () => ({ plugins: [plugin({ onRequest: async () => {} })] })],
	["onResponse", () => ({ plugins: [plugin({ onResponse: async () => {} })] })],
	["an init that is not known", () => ({ plugins: [plugin({ init: () => {} })] })],
	[
		"a middleware",
		() => ({ plugins: [plugin({ middlewares: [{ path: "/x", middleware: hook.handler }] })] }),
	],
	[
		"an endpoint at the same path",
		() => ({ plugins: [customSession(async ({ user }) => ({ user }))] }),
	],
	[
		"an endpoint in its place",
		() => ({
			plugins: [
				plugin({
					endpoints: { getSession: createAuthEndpoint("/mine", { method: "GET" }, async () => 1) },
				}),
			],
		}),
	],
	["a disabled path", () => ({ disabledPaths: ["/get-session"] })],
	["a cookie cache", () => ({ session: { cookieCache: { enabled: true } } })],
	["a secondary storage", () => ({ secondaryStorage: storage })],
	["deferred refresh", () => ({ session: { deferSessionRefresh: true } })],
	["no refresh", () => ({ session: { disableSessionRefresh: true } })],
	["no base URL", () => ({ baseURL: undefined })],
	[
		"a dynamic base URL",
		() => ({ baseURL: { allowedHosts: ["localhost:3000"], protocol: "http" } }),
	],
	["a function for trusted origins", () => ({ trustedOrigins: async () => [] })],
	[
		"a function for trusted providers",
		() => ({ account: { accountLinking: { trustedProviders: async () => [] } } }),
	],
	["an option that is not known", () => ({ later: true })],
	["an option of sessions that is not known", () => ({ session: { later: true } })],
	["an advanced option that is not known", () => ({ advanced: { later: true } })],
];

describe("the session is read directly with", () => {
	it.each(direct)("%s", async (_, options) => {
		await requireDirect(await makePair(options));
		await requireDirect(await makePair(options, { statements: false }));
	});

	it("hidden fields left out", async () => {
		const pair = await makePair(() => ({
			user: { additionalFields },
			session: { additionalFields },
		}));
		const { body } = await requireDirect(pair);
		expect(body).not.toContain("hidden");
		expect(body).toContain("LOUD");
	});
});

describe("Better Auth responds with", () => {
	it.each(configured)("%s", async (_, options) => {
		await requireFallback(await makePair(options as () => BetterAuthOptions));
	});

	it.each<[string, () => BetterAuthPlugin]>([
		["every session", () => multiSession() as BetterAuthPlugin],
		["this path", () => jwt() as BetterAuthPlugin],
		[
			"what was found",
			() =>
				plugin({
					hooks: {
						after: [
							{
								...hook,
								matcher: ({ context }: { context: { session: unknown } }) =>
									context.session !== null,
							},
						],
					},
				}),
		],
		[
			"what fails",
			() =>
				plugin({
					hooks: {
						after: [
							{
								...hook,
								matcher: ({ path }: { path: string }) => {
									if (path === "/get-session") throw new TypeError("a bug");
								},
							},
						],
					},
				}),
		],
	])("a hook for %s", async (_, make) => {
		const pair = await makePair(() => ({ plugins: [make()] }));
		await sendGetSession(pair);
		expect(pair.ours.statements.filter((sql) => !isDirect(sql))).not.toEqual([]);
	});

	it("a tracer", async () => {
		const pair = await makePair(() => ({}));
		trace.setGlobalTracerProvider({
			getTracer: () => ({
				startActiveSpan: (_: string, __: object, run: (span: object) => unknown) =>
					run({ end() {}, setAttribute() {}, setStatus() {}, recordException() {} }),
			}),
		} as never);
		onTestFinished(() => trace.disable());
		await requireFallback(pair);
		trace.disable();
		await requireDirect(pair);
	});
});

describe("Better Auth responds to", () => {
	let pair: Pair;
	const path = "/api/auth/get-session";

	beforeAll(async () => {
		pair = await makePair(() => ({ plugins: usual() }));
	});

	it.each([
		["another method", { method: "POST" }],
		["HEAD", { method: "HEAD" }],
		["a query", { path: `${path}?disableRefresh=true` }],
		["an empty query", { path: `${path}?` }],
		["a slash at the end", { path: `${path}/` }],
		["a double slash", { path: "/api/auth//get-session" }],
		["another path before", { path: `/x${path}` }],
		["an encoded path", { path: "/api/auth/get%2dsession" }],
		["no cookie", { cookie: null }],
		["another cookie only", { cookie: "a=b" }],
		["a bearer token", { headers: { authorization: "Bearer x" } }],
		["a cookie of the cache", { headers: { cookie: "better-auth.session_data=x" } }],
	])("%s", async (_, sent) => {
		await requireFallback(pair, sent);
	});

	it.each<[string, (cookie: string) => string]>([
		["a cookie that was sent twice", (it) => `${it}; ${it}`],
		["a cookie that was sent twice, once with a space", (it) => `${it.replace("=", " =x")}; ${it}`],
		["a forged cookie", (it) => it.replace("token=", "token=x")],
		["a forged signature", (it) => it.replace(/\.\w/, ".x")],
		["a cookie in quotes", (it) => it.replace(/=(.*)/, '="$1"')],
		["a cookie with a malformed value", (it) => `${it}%`],
		["a cookie of another name", (it) => `x${it}`],
		["a name in another name", (it) => `x ${it}`],
		["a name in another value", (it) => `x=${it}`],
		["a session that is not remembered", (it) => `${it}; better-auth.dont_remember=true`],
		["data of the session", (it) => `${it}; better-auth.session_data=x`],
	])("%s", async (_, change) => {
		await requireFallback(pair, { cookie: change(pair.plain.cookie) });
	});

	it.each([
		["before", "a=b; "],
		["right before", "a=b;"],
	])("not to other cookies %s that of the session", async (_, other) => {
		await requireDirect(pair, { cookie: `${other}${pair.plain.cookie}; c=d` });
	});

	it("an API key", async () => {
		const response = await requireFallback(pair, { headers: { "x-api-key": "a".repeat(64) } });
		expect(response.status).toBe(401);
	});
});

describe("Better Auth responds for a session", () => {
	const hours = (n: number) => new Date(Date.now() + n * 3_600_000).toISOString();

	it.each([
		["that has expired", () => `update session set expiresAt = '${hours(-1)}'`],
		["that is due for renewal", () => `update session set expiresAt = '${hours(24 * 5)}'`],
		["that was revoked", () => "delete from session"],
		["whose user is gone", () => "pragma foreign_keys = off; delete from user"],
		["that cannot be read", () => "alter table session rename column token to other"],
		["with an end that is not a date", () => "update session set expiresAt = 7"],
	])("%s", async (_, sql) => {
		const pair = await makePair(() => ({}), { statements: false });
		for (const app of [pair.plain, pair.ours]) app.execute(sql());
		await sendGetSession(pair);
		expect(isReadDirectly(pair)).toBe(true);
		expect(pair.ours.statements.length).toBeGreaterThan(1);
	});

	it("until the schema is checked", async () => {
		const pair = await makePair(() => ({ advanced: { database: { validateSchema: true } } }));
		const ctx = await pair.ours.auth.$context;
		const { checkSchema } = ctx;
		ctx.checkSchema = () => Promise.resolve();
		await requireFallback(pair);
		if (checkSchema) ctx.checkSchema = checkSchema;
		await requireDirect(pair);
	});
});
