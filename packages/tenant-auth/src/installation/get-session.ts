import type { AuthContext, BetterAuthOptions, GenericEndpointContext } from "@better-auth/core";
import { rulesOf } from "../call/context/endpoint-rules";
import { findSignedValue, headersOf } from "../call/context/presented-sessions";
import { FOREIGN } from "../call/foreign";
import type { FoundSession } from "../database/internal-adapter";
import { keepForNextRead } from "../isolation/sessions";

/** What Better Auth's own endpoint sends with a session. */
const HEADERS = { "cache-control": "no-store", pragma: "no-cache" };

/**
 * Responds to `GET /get-session` in the first hook, for a session that needs nothing but to be read. That is
 * the most frequent request by far, and it skips half of the work. In every other case it returns
 * nothing, and core's endpoint responds.
 */
export async function respondWithSession(
	ctx: GenericEndpointContext,
): Promise<{ headers: Headers; response: FoundSession } | undefined> {
	const { authCookies, secret, internalAdapter } = ctx.context;
	const cookies = headersOf(ctx)?.get("cookie");
	// Core deletes the cookie of a cache that is switched off.
	if (!cookies || cookies.includes(authCookies.sessionData.name)) return;
	const token = await findSignedValue(cookies, authCookies.sessionToken.name, secret);
	if (!token) return;
	const found = await internalAdapter.findSession(token);
	if (found && !needsUpdate(ctx.context, found)) {
		return { headers: new Headers(HEADERS), response: found };
	}
	keepForNextRead(token, found);
}

/** Whether a call may be handled here: nothing else wants to see or to change the response. */
export function sessionCalls(app: BetterAuthOptions): (ctx: GenericEndpointContext) => boolean {
	const { hooks, plugins = [], session } = app;
	const isPlain =
		!(hooks?.before || hooks?.after) &&
		!(session?.cookieCache?.enabled || session?.deferSessionRefresh) &&
		!plugins.some(({ endpoints = {} }) =>
			Object.values(endpoints).some(({ path }) => rulesOf(path).readsSession),
		);
	if (!isPlain) return () => false;
	// Some plugins only look at new sessions and cookies.
	const others = plugins
		.filter(({ id }) => id !== "tenant-auth" && !FOREIGN.get(id)?.makesNoTokens)
		.flatMap(({ hooks }) => [...(hooks?.before ?? []), ...(hooks?.after ?? [])]);
	return (ctx) => {
		if (!rulesOf(ctx.path).readsSession || (ctx.method ?? "GET") !== "GET") return false;
		if (ctx.query && Object.keys(ctx.query).length > 0) return false;
		if (("returnStatus" in ctx && ctx.returnStatus) || headersOf(ctx)?.has("authorization"))
			return false;
		return !others.some(({ matcher }) => matcher(ctx));
	};
}

/** An expired session is deleted, one that was not used for long gets a later end. */
function needsUpdate({ sessionConfig }: AuthContext, { session }: FoundSession): boolean {
	const { expiresIn, updateAge } = sessionConfig;
	const now = Date.now();
	const expiresAt = session.expiresAt.getTime();
	return expiresAt <= now || expiresAt - (expiresIn - updateAge) * 1000 <= now;
}
