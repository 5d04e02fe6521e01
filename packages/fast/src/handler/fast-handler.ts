import type { AuthContext, BetterAuthOptions } from "@better-auth/core";
import { directResponder } from "./direct-response";
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
	let open: ReturnType<typeof openHandler> | undefined;
	return async (request) => {
		open ??= openHandler((await auth.$context) as AuthContext, auth.options as BetterAuthOptions);
		return open(request);
	};
}

function openHandler(base: AuthContext, options: BetterAuthOptions) {
	const pool = new RouterPool(base, options);
	const respond = directResponder(base, options);
	return async (request: Request) => {
		const result = await respond(request);
		if ("response" in result) return result.response;
		const own = await findRequestContext(base, request);
		const { rateLimit } = base;
		// A request is counted once.
		return pool.handle(
			request,
			result.isCounted ? { ...own, rateLimit: { ...rateLimit, enabled: false } } : own,
		);
	};
}
