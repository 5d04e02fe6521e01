import type { BetterAuthOptions, GenericEndpointContext } from "@better-auth/core";
import {
	ATTR_CONTEXT,
	ATTR_HOOK_TYPE,
	ATTR_HTTP_ROUTE,
	withSpan,
} from "@better-auth/core/instrumentation";
import type { Handler } from "./light-hook";

/**
 * The app's own `hooks.before` runs as a hook of ours, and Better Auth names the span of it after us. Inside
 * of that span, it gets the one that Better Auth makes for it without this plugin.
 */
export function withSpanOfApp(handler: Handler, { experimental }: BetterAuthOptions): Handler {
	if (experimental?.instrumentation?.enabled === false) return handler;
	const wrapped: Handler = (ctx) => {
		const route = (ctx as GenericEndpointContext).path ?? "/:virtual";
		const attributes = {
			[ATTR_HOOK_TYPE]: "before",
			[ATTR_HTTP_ROUTE]: route,
			[ATTR_CONTEXT]: "user",
		};
		return withSpan(`hook before ${route} user`, attributes, () => handler(ctx));
	};
	return Object.assign(wrapped, handler);
}
