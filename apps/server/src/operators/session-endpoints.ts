import { createAuthEndpoint } from "better-auth/api";
import { deleteSessionCookie } from "better-auth/cookies";
import { recordAppEvent, runOnPlatform } from "better-auth-tenant";
import * as z from "zod";
import type { Access, Identity } from "./access";
import { consoleCookieName, deleteConsoleCookie, setConsoleCookie } from "./console-cookie";
import { operatorError } from "./errors";
import { isOfOwnPage } from "./own-pages";

/** The endpoints of the console's own session. */
export const sessionEndpoints = (access: Access) => ({
	currentOperator: createAuthEndpoint(
		"/operator/me",
		{ method: "GET", metadata: { openapi: { description: "Who calls, and what they may do" } } },
		async (ctx) => {
			const identity = await access.find(ctx);
			if (!identity) throw access.rejection(ctx);
			return ctx.json(describe(identity));
		},
	),
	openConsole: createAuthEndpoint(
		"/operator/session/open",
		{
			method: "POST",
			body: z.strictObject({
				key: z
					.string()
					.max(1000)
					.meta({ description: "A key; without it, the session of the operator is used" })
					.optional(),
			}),
			metadata: {
				openapi: { description: "Open a session of the console, with a key or after a sign-in" },
			},
		},
		async (ctx) => {
			const { key } = ctx.body;
			// Otherwise another page could make an operator use a key of its own choice.
			if (!isOfOwnPage(ctx, access.config.ownOrigins)) throw access.rejection(ctx);
			const identity =
				key === undefined
					? await access.findByAuthSession(ctx)
					: await access.findByKey(ctx.context, key);
			if (!identity)
				throw key === undefined ? access.rejection(ctx) : operatorError("KEY_NOT_VALID");
			if (identity.status === "allowed") {
				await setConsoleCookie(ctx, identity.session, identity.endsAt);
				const { actor } = identity.caller;
				// A use of a key is no event: programs use them all the time.
				if (actor.kind === "administrator") {
					await recordAppEvent(ctx, { action: "app:sign-in", actor });
				}
			} else if (ctx.getCookie(consoleCookieName(ctx))) {
				// An ended session of the console would hide the one that has just begun.
				deleteConsoleCookie(ctx);
			}
			return ctx.json(describe(identity));
		},
	),
	closeConsole: createAuthEndpoint(
		"/operator/session/close",
		{
			method: "POST",
			body: z.strictObject({}).optional(),
			metadata: { openapi: { description: "End the session of the console" } },
		},
		async (ctx) => {
			const opened = await access.findOpened(ctx);
			const signedIn = await access.findByAuthSession(ctx);
			const { internalAdapter, authCookies, secret } = ctx.context;
			const tokens = new Set(opened?.kind === "session" ? [opened.value] : []);
			// A session of a tenant's user in the same browser stays.
			if (signedIn) {
				const token = await ctx.getSignedCookie(authCookies.sessionToken.name, secret);
				if (token) tokens.add(token);
				deleteSessionCookie(ctx);
			}
			for (const token of tokens) await runOnPlatform(() => internalAdapter.deleteSession(token));
			deleteConsoleCookie(ctx);
			return ctx.json({ success: true });
		},
	),
});

/** What the console knows about its caller. */
export type CurrentOperator = ReturnType<typeof describe>;

function describe(identity: Identity) {
	if (identity.status !== "allowed") {
		const { id, email, name } = identity.user;
		return { status: identity.status, id, email, name };
	}
	const { actor, email, role, tenantId, actions } = identity.caller;
	const { kind, id, name = null } = actor;
	return { status: identity.status, kind, id, name, email, role, tenantId, actions };
}
