import type { AuthContext, BetterAuthOptions } from "@better-auth/core";
import { findRequestContext } from "./request-context";
import { RouterPool } from "./router-pool";

/** Any instance: the type of its context depends on the app's options, so it is left open here. */
interface Auth {
	$context: Promise<object>;
	options: object;
}

/**
 * A handler that does the same as `auth.handler`, and faster. It also works without `tenantAuth()`.
 *
 * @example
 * ```ts
 * const handler = fastHandler(auth);
 *
 * export const { GET, POST } = toNextJsHandler(handler); // Next.js
 * app.on(["GET", "POST"], "/api/auth/*", (c) => handler(c.req.raw)); // Hono
 * app.all("/api/auth/*splat", toNodeHandler(handler)); // Express
 * ```
 */
export function fastHandler(auth: Auth): (request: Request) => Promise<Response> {
	let pool: RouterPool | undefined;
	return async (request) => {
		const base = (await auth.$context) as AuthContext;
		pool ??= new RouterPool(base, auth.options as BetterAuthOptions);
		return pool.handle(request, await findRequestContext(base, request));
	};
}
