import { setTimeout } from "node:timers/promises";
import type { AuthContext } from "@better-auth/core";
import { APIError } from "@better-auth/core/error";
import { type BetterAuthOptions, type BetterAuthPlugin, betterAuth } from "better-auth";
import { memoryAdapter } from "better-auth/adapters/memory";
import { createAuthEndpoint } from "better-auth/api";
import { getAuthTables } from "better-auth/db";
import { fastHandler } from "better-auth-fast";
import { tenantAuth } from "better-auth-tenant";
import { describe, expect, it } from "vitest";

const ORIGIN = "https://app.example.com";

function makeAppWith(
	plugins: BetterAuthPlugin[],
	plugin: Omit<BetterAuthPlugin, "id">,
	options: BetterAuthOptions,
) {
	const all = {
		baseURL: ORIGIN,
		secret: "a secret of the tests of the handler",
		logger: { disabled: true },
		...options,
		plugins: [...plugins, { id: "under-test", ...plugin }],
	};
	const tables = Object.keys(getAuthTables(all)).map((model) => [model, []]);
	const auth = betterAuth({ ...all, database: memoryAdapter(Object.fromEntries(tables)) });
	const handler = fastHandler(auth);
	return {
		auth,
		send: (path: string, init?: RequestInit) =>
			handler(new Request(`${ORIGIN}/api/auth${path}`, init)),
	};
}

describe.each([
	["plain Better Auth", () => []],
	["tenantAuth()", () => [tenantAuth()]],
])("fastHandler with %s", (_, plugins: () => BetterAuthPlugin[]) => {
	const makeApp = (plugin: Omit<BetterAuthPlugin, "id">, options: BetterAuthOptions = {}) =>
		makeAppWith(plugins(), plugin, options);

	it("shows no request what an earlier one left in its context", async () => {
		const seen: unknown[] = [];
		const { auth, send } = makeApp({
			onRequest: async (request, ctx: AuthContext & { left?: string }) => {
				seen.push({ left: ctx.left, name: ctx.appName, origins: [...ctx.trustedOrigins] });
				ctx.left = request.url;
				ctx.appName = "changed";
				ctx.trustedOrigins.push("https://left.example.com");
				Reflect.deleteProperty(ctx, "generateId");
			},
			endpoints: {
				look: createAuthEndpoint("/look", { method: "GET" }, async (ctx) => {
					seen.push(typeof ctx.context.generateId);
					return ctx.json(null);
				}),
			},
		});
		const { appName } = await auth.$context;
		for (const _ of [1, 2, 3]) await send("/look");
		const clean = { left: undefined, name: appName, origins: [ORIGIN] };
		expect(seen).toEqual([clean, "undefined", clean, "undefined", clean, "undefined"]);
	});

	it("gives requests at the same time contexts of their own", async () => {
		const contexts = new Map<string, AuthContext>();
		const mixed: string[] = [];
		const { send } = makeApp({
			onRequest: async (request, ctx: AuthContext & { path?: string }) => {
				ctx.path = request.url;
				contexts.set(request.url, ctx);
			},
			endpoints: {
				wait: createAuthEndpoint("/wait/:n", { method: "GET" }, async (ctx) => {
					await setTimeout(Number(ctx.params.n) % 7);
					const { path } = ctx.context as AuthContext & { path?: string };
					if (path !== ctx.request?.url) mixed.push(String(path));
					return ctx.json({ n: ctx.params.n });
				}),
			},
		});
		const numbers = Array.from({ length: 200 }, (_, n) => String(n));
		const answers = await Promise.all(
			numbers.map(async (n) => ((await (await send(`/wait/${n}`)).json()) as { n: string }).n),
		);
		expect(answers).toEqual(numbers);
		expect(mixed).toEqual([]);
		expect(new Set(contexts.values()).size).toBe(200);
	});

	it("uses a context again after its request has ended", async () => {
		const contexts = new Set<AuthContext>();
		const { send } = makeApp({ onRequest: async (_, ctx) => void contexts.add(ctx) });
		for (const _ of [1, 2, 3]) await send("/ok");
		expect(contexts.size).toBe(1);
	});

	it("serves others while a request waits", async () => {
		let release = () => {};
		const held = new Promise<void>((resolve) => {
			release = resolve;
		});
		const { send } = makeApp({
			endpoints: {
				hold: createAuthEndpoint("/hold", { method: "GET" }, async (ctx) => {
					await held;
					return ctx.json({ held: true });
				}),
			},
		});
		const waiting = send("/hold");
		expect(await (await send("/ok")).json()).toEqual({ ok: true });
		release();
		expect(await (await waiting).json()).toEqual({ held: true });
	});

	it("goes on after an endpoint has failed", async () => {
		const { send } = makeApp({
			endpoints: {
				fail: createAuthEndpoint("/fail", { method: "GET" }, async () => {
					throw new APIError("CONFLICT", { code: "TAKEN", message: "taken" });
				}),
			},
		});
		const failed = await send("/fail");
		expect([failed.status, await failed.json()]).toEqual([
			409,
			{ code: "TAKEN", message: "taken" },
		]);
		expect((await send("/ok")).status).toBe(200);
		const crashing = createAuthEndpoint("/crash", { method: "GET" }, async () => {
			throw new TypeError("a bug of the app");
		});
		const { auth } = makeApp({ endpoints: { crashing } }, { onAPIError: { throw: true } });
		const crash = () => new Request(`${ORIGIN}/api/auth/crash`);
		await expect(auth.handler(crash())).rejects.toThrow("a bug of the app");
		await expect(fastHandler(auth)(crash())).rejects.toThrow("a bug of the app");
	});

	it("lets a plugin answer before and after the router", async () => {
		const { send } = makeApp({
			onRequest: async (request) =>
				request.headers.has("x-early") ? { response: new Response("early") } : undefined,
			onResponse: async (response) => {
				response.headers.set("x-seen", "yes");
			},
		});
		expect(await (await send("/ok", { headers: { "x-early": "1" } })).text()).toBe("early");
		expect((await send("/ok")).headers.get("x-seen")).toBe("yes");
	});

	it("streams an answer", async () => {
		const { send } = makeApp({
			endpoints: {
				stream: createAuthEndpoint("/stream", { method: "GET" }, async () => {
					const chunks = ["one ", "two ", "three"];
					return new Response(
						new ReadableStream<Uint8Array>({
							async pull(controller) {
								const chunk = chunks.shift();
								if (chunk === undefined) return controller.close();
								controller.enqueue(new TextEncoder().encode(chunk));
							},
						}),
					);
				}),
			},
		});
		const response = await send("/stream");
		expect((await send("/ok")).status).toBe(200);
		expect(await response.text()).toBe("one two three");
	});

	it("ends the request of a client that has gone", async () => {
		const controller = new AbortController();
		const { send } = makeApp({
			endpoints: {
				signal: createAuthEndpoint("/signal", { method: "GET" }, async (ctx) => {
					controller.abort();
					return ctx.json({ aborted: ctx.request?.signal.aborted });
				}),
			},
		});
		const response = await send("/signal", { signal: controller.signal });
		expect(await response.json()).toEqual({ aborted: true });
		expect((await send("/ok")).status).toBe(200);
	});
});
