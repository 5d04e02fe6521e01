import type { AuthContext, BetterAuthPlugin } from "@better-auth/core";
import { runWithAdapter } from "@better-auth/core/context";
import { router } from "better-auth/api";

const admitted = new WeakSet<Response>();

/** The router runs it after the limiter, and goes no further. */
const admit: BetterAuthPlugin = {
	id: "fast-admit",
	onRequest: async () => {
		// Not one for all requests: Hono replaces the global `Response`, and the router takes only an instance
		// of that one for a response.
		const response = new Response(null, { status: 204 });
		admitted.add(response);
		return { response };
	},
};

/**
 * Counts a request as Better Auth does. Returns the response for one that is over the limit.
 *
 * Better Auth exports neither its limiter nor its stores. But its router runs the limiter before anything
 * else, with every store and every rule. So this is a router that ends there.
 */
export function openLimiter(ctx: AuthContext): (request: Request) => Promise<Response | null> {
	const plugins = [admit, ...(ctx.options.plugins ?? [])];
	const { handler } = router({ ...ctx, options: { ...ctx.options, plugins } }, {});
	return async (request) => {
		if (!ctx.rateLimit.enabled) return null;
		const response = await runWithAdapter(ctx.adapter, () => handler(request));
		return admitted.has(response) ? null : response;
	};
}
