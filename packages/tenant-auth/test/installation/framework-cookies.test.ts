import type { BetterAuthPlugin } from "better-auth";
import { createAuthMiddleware, getSessionFromCtx } from "better-auth/api";
import { nextCookies } from "better-auth/next-js";
import { sveltekitCookies } from "better-auth/svelte-kit";
import { tanstackStartCookies } from "better-auth/tanstack-start";
import { tanstackStartCookies as solidStartCookies } from "better-auth/tanstack-start/solid";
import { beforeEach, describe, expect, it } from "vitest";
import { frameworkCookies, setCookie } from "../support/http/framework-cookies";
import { keepLog } from "../support/processes/kept-log";
import { CREDENTIALS, type InstanceOptions } from "../support/worlds/instance";
import { makeTwoUsers } from "../support/worlds/two-tenants";
import { combine } from "../support/worlds/variations";
import { useWorld } from "../support/worlds/world";

beforeEach(() => frameworkCookies.clear());

/** A cookie plugin that Better Auth does not know. */
const unknownCookies = (): BetterAuthPlugin => ({
	id: "cookies-of-the-app",
	hooks: {
		after: [
			{
				matcher: () => true,
				handler: createAuthMiddleware(async (ctx) => {
					for (const cookie of ctx.context.responseHeaders?.getSetCookie() ?? []) {
						const [name = "", value = ""] = (cookie.split(";")[0] ?? "").split("=");
						setCookie(name, value);
					}
				}),
			},
		],
	},
});

const svelteEvent = { cookies: { set: setCookie } };
const integrations: [string, () => BetterAuthPlugin][] = [
	["nextCookies", nextCookies],
	// biome-ignore lint/suspicious/noExplicitAny: SvelteKit is not installed, so its event has no type
	["sveltekitCookies", () => sveltekitCookies(() => svelteEvent as any)],
	["tanstackStartCookies", tanstackStartCookies],
	["tanstackStartCookies of Solid", solidStartCookies],
	["a cookie plugin of the app", unknownCookies],
];

/** As a plugin may do: it asks for the session after each endpoint, which deletes cookies once more. */
const lateReader: BetterAuthPlugin = {
	id: "late-reader",
	hooks: {
		after: [
			{
				matcher: () => true,
				handler: createAuthMiddleware(async (ctx) => {
					await getSessionFromCtx(ctx);
				}),
			},
		],
	},
};

const stores: [string, () => InstanceOptions][] = [
	["in the database", () => ({})],
	["in the cookie cache", () => ({ session: { cookieCache: { enabled: true } } })],
];

const cases = combine(
	integrations.map(([name, make]) => [name, () => ({ plugins: [lateReader, make()] })] as const),
	stores,
);

describe.each(cases)("with %s", (_, options) => {
	const world = useWorld(async () => {
		const log = keepLog();
		return { ...(await makeTwoUsers({ ...options(), logger: log.logger })), lines: log.lines };
	});
	const headersOf = (cookie: string, tenant?: string) =>
		new Headers({ cookie, ...(tenant ? { "x-tenant-id": tenant } : {}) });

	it("a call that names another tenant leaves the cookies of the session", async () => {
		const { auth, b, ada, sessionOf } = world();
		const headers = headersOf(ada.cookie, b);
		expect(await auth.api.getSession({ headers })).toBeNull();
		await auth.api.listSessions({ headers }).catch(() => {});
		await auth.api.signOut({ headers });
		expect([...frameworkCookies]).toEqual([]);
		expect((await sessionOf(ada.cookie)).user.id).toBe(ada.body.user.id);
	});

	it("the framework gets the cookies of a sign-in, and their deletion at a sign-out", async () => {
		const { auth, b, ada, bob } = world();
		await auth.api.signInEmailTenant({
			headers: headersOf(ada.cookie),
			body: { tenantId: b, ...CREDENTIALS },
		});
		const token = frameworkCookies.get("better-auth.session_token") ?? "";
		const cookie = `better-auth.session_token=${encodeURIComponent(decodeURIComponent(token))}`;
		const session = await auth.api.getSession({ headers: headersOf(cookie) });
		expect(session?.user.id).toBe(bob.body.user.id);
		await auth.api.signOut({ headers: headersOf(cookie) });
		expect(frameworkCookies.get("better-auth.session_token")).toBe("");
	});

	it("there is no warning that it must be last", async () => {
		const { auth, ada, lines } = world();
		await auth.api.getSession({ headers: headersOf(ada.cookie) });
		expect(lines.filter((line) => line.includes("should be placed last"))).toEqual([]);
	});
});
