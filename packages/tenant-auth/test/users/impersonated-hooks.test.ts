import type { BetterAuthPlugin } from "better-auth";
import {
	createAuthEndpoint,
	createAuthMiddleware,
	dispatchAuthEndpoint,
	getSessionFromCtx,
} from "better-auth/api";
import { jwt } from "better-auth/plugins";
import { expect, it } from "vitest";
import { makePeople } from "../support/worlds/people";

/** Makes a grant for the session that it finds, as an OAuth provider does. */
const grant = createAuthEndpoint("/grants/make", { method: "GET" }, async (ctx) => {
	const found = ctx.context.session ?? (await getSessionFromCtx(ctx));
	return ctx.json({ grantFor: found?.user.id ?? null });
});

/** After each call that reads the session, it goes on with its own endpoint. */
const grants = {
	id: "grants",
	endpoints: { makeGrant: grant },
	hooks: {
		after: [
			{
				matcher: ({ path }) => path === "/get-session",
				handler: createAuthMiddleware(async (ctx) => {
					const token = await ctx.getSignedCookie(
						ctx.context.authCookies.sessionToken.name,
						ctx.context.secret,
					);
					// It looks the session up itself, at a path that serves impersonators.
					const session = token ? await ctx.context.internalAdapter.findSession(token) : null;
					const made = await dispatchAuthEndpoint(grant, {
						...ctx,
						context: { ...ctx.context, session },
						asResponse: false,
						returnHeaders: false,
						returnStatus: false,
					});
					return ctx.json(made as { grantFor: string });
				}),
			},
		],
	},
} satisfies BetterAuthPlugin;

async function makeWorld(plugin: BetterAuthPlugin) {
	const app = await makePeople({ plugins: [plugin] });
	const { manage, member, tenantId } = app;
	const body = { tenantId, userId: member.id, reason: "A ticket", setCookie: true };
	const { cookie } = await manage("/tenant/user/impersonate", { body });
	return { ...app, cookie };
}

it("an endpoint that a hook dispatches sees no session that impersonates a user", async () => {
	const { call, member, cookie } = await makeWorld(grants);
	const own = await call("/get-session", { cookie: member.cookie });
	expect(own.body).toEqual({ grantFor: member.id });
	expect((await call("/get-session", { cookie })).body).toEqual({ grantFor: null });
});

it("a hook makes no token of a session that impersonates a user", async () => {
	const { call, member, cookie } = await makeWorld(jwt() as BetterAuthPlugin);
	const own = await call("/get-session", { cookie: member.cookie });
	expect(own.headers.get("set-auth-jwt")).toBeTruthy();
	const impersonated = await call("/get-session", { cookie });
	expect(impersonated.body.user.id).toBe(member.id);
	expect(impersonated.headers.get("set-auth-jwt")).toBeNull();
	expect((await call("/token", { cookie })).status).toBe(401);
});
