import type { AuthContext } from "@better-auth/core";
import { getCurrentDBAdapterAsyncLocalStorage } from "@better-auth/core/context";
import type { BetterAuthOptions, BetterAuthPlugin } from "better-auth";
import { createAuthEndpoint, createAuthMiddleware, router } from "better-auth/api";
import { describe, expect, it } from "vitest";
import { stopClock } from "../../../../testing/stopped-clock";
import { silenceErrors } from "../../../tenant-auth/test/support/processes/silent-errors";
import { makePlain, ORIGIN } from "../../../tenant-auth/test/support/worlds/plain-better-auth";

describe("fast-handler.ts assumes that Better Auth", () => {
	silenceErrors();

	/** What `auth.handler` gives to requests as their context. */
	async function watchContexts(options: Partial<BetterAuthOptions>) {
		const contexts: AuthContext[] = [];
		const watch = {
			id: "watch",
			onRequest: async (_, ctx) => void contexts.push(ctx),
		} satisfies BetterAuthPlugin;
		return { ...(await makePlain({ plugins: [watch], ...options })), contexts };
	}

	it("copies the instance's context for a request, with its prototype", async () => {
		const { call, context, contexts } = await watchContexts({});
		await call("/ok");
		const [copy] = contexts;
		expect(copy).not.toBe(context);
		expect(Reflect.ownKeys(copy as object)).toEqual(Reflect.ownKeys(context));
		expect(Object.getPrototypeOf(copy)).toBe(Object.getPrototypeOf(context));
	});

	it("has only plain properties in a context, so that they can be assigned", async () => {
		const { context } = await watchContexts({});
		const descriptors = Object.entries(Object.getOwnPropertyDescriptors(context));
		expect(descriptors.filter(([, { get, set, writable }]) => get || set || !writable)).toEqual([]);
	});

	const trusted = ["trustedOrigins", "trustedProviders"];
	const hosts = { allowedHosts: ["localhost:3000"], protocol: "http" as const };
	const acrossSubdomains = { advanced: { crossSubDomainCookies: { enabled: true } } };
	it.each<[string, Partial<BetterAuthOptions>, string[]]>([
		["a fixed base URL", {}, trusted],
		["no base URL", { baseURL: undefined as never }, ["baseURL", "options", ...trusted]],
		["allowed hosts", { baseURL: hosts }, ["baseURL", "options", ...trusted]],
		[
			"allowed hosts and cookies across subdomains",
			{ baseURL: hosts, ...acrossSubdomains },
			["authCookies", "baseURL", "createAuthCookie", "options", ...trusted],
		],
	])("sets only some fields of the copy with %s", async (_, options, fields) => {
		const { call, context, contexts } = await watchContexts(options);
		await call("/ok");
		const [copy] = contexts;
		const changed = Object.entries(copy ?? {}).filter(([key, value]) => {
			return value !== context[key as keyof AuthContext];
		});
		expect(changed.map(([key]) => key).sort()).toEqual(fields);
	});

	it("passes its router the options that the app passed, and runs it with the context's adapter", async () => {
		const adapters: unknown[] = [];
		const watch = {
			id: "watch",
			onRequest: async (_, ctx) => {
				const current = (await getCurrentDBAdapterAsyncLocalStorage()).getStore();
				adapters.push(current?.adapter === ctx.adapter);
			},
			// Only the context has what a plugin adds.
			init: () => ({ options: { onAPIError: { throw: true } } }),
			endpoints: {
				crash: createAuthEndpoint("/crash", { method: "GET" }, async () => {
					throw new TypeError("a bug of the app");
				}),
			},
		} satisfies BetterAuthPlugin;
		const options = { plugins: [watch], logger: { disabled: true } };
		const { auth, call, context } = await makePlain(options);
		expect(context.options.onAPIError).toEqual({ throw: true });
		expect(auth.options).not.toHaveProperty("onAPIError");
		expect((await call("/crash")).status).toBe(500);
		expect(adapters).toEqual([true]);
	});

	describe("has a router that", () => {
		/** A router with a context of its own, and what its requests see. */
		async function makeRouter() {
			const seen: unknown[] = [];
			const look = {
				id: "look",
				onRequest: async (_, ctx) => void seen.push(["onRequest", ctx.appName]),
				onResponse: async (_, ctx) => void seen.push(["onResponse", ctx.appName]),
				hooks: {
					before: [
						{
							matcher: ({ context }) => !!seen.push(["matcher", context.appName]),
							handler: createAuthMiddleware(async ({ context }) => {
								seen.push(["hook", context.appName]);
							}),
						},
					],
				},
				endpoints: {
					look: createAuthEndpoint("/look", { method: "POST" }, async (ctx) => {
						seen.push(["endpoint", ctx.context.appName]);
						return ctx.json({ baseURL: ctx.context.baseURL });
					}),
				},
			} satisfies BetterAuthPlugin;
			const { auth, context: base } = await makePlain({
				plugins: [look],
				advanced: { disableOriginCheck: false, disableCSRFCheck: false },
			});
			const context = { ...base } as unknown as AuthContext;
			const { handler } = router(context, auth.options);
			const send = (path: string, origin = ORIGIN) =>
				handler(
					new Request(`${ORIGIN}${path}`, { method: "POST", headers: { origin, cookie: "a=b" } }),
				);
			return { context, send, seen };
		}

		it("reads the context that it was built with again for each request", async () => {
			const { context, send, seen } = await makeRouter();
			for (const appName of ["one", "two"]) {
				seen.length = 0;
				context.appName = appName;
				expect((await send("/api/auth/look")).status).toBe(200);
				expect(seen).toEqual(
					["onRequest", "matcher", "hook", "endpoint", "onResponse"].map((it) => [it, appName]),
				);
			}
		});

		it("checks origins, disabled paths and rate limits by the current values", async () => {
			stopClock();
			const { context, send } = await makeRouter();
			const status = async (origin?: string) => (await send("/api/auth/look", origin)).status;
			const other = "https://other.example";
			expect(await status(other)).toBe(403);
			context.trustedOrigins = [other];
			expect([await status(other), await status()]).toEqual([200, 403]);
			context.options = { ...context.options, disabledPaths: ["/look"] };
			expect(await status(other)).toBe(404);
			context.options = { ...context.options, disabledPaths: [] };
			context.rateLimit = { ...context.rateLimit, enabled: true, max: 1 };
			expect([await status(other), await status(other)]).toEqual([200, 429]);
		});

		it("keeps the path of the base URL, and nothing else of it", async () => {
			const { context, send } = await makeRouter();
			context.baseURL = "https://other.example/api/auth";
			expect(await (await send("/api/auth/look")).json()).toEqual({ baseURL: context.baseURL });
			context.baseURL = `${ORIGIN}/id`;
			expect((await send("/api/auth/look")).status).toBe(200);
			expect((await send("/id/look")).status).toBe(404);
		});
	});
});
