import type { BetterAuthOptions, BetterAuthPlugin } from "@better-auth/core";
import { normalizePathname } from "@better-auth/core/utils/url";
import { mirroredPaths, mirrorOf } from "../call/context/endpoint-rules";
import { FOREIGN } from "../call/foreign";
import { matcherOf } from "./rate-limits";

/**
 * The app's options with a captcha plugin that guards our endpoints where it guards core's.
 *
 * The plugin looks at the path of the request, before any hook. It does not see the endpoint of core
 * that we dispatch. So it gets our requests under core's path, unless the app lists ours itself. It must
 * get each request once, because a solution can be verified only once.
 */
export function withTenantCaptcha(options: BetterAuthOptions): BetterAuthOptions {
	const plugins = options.plugins?.map((plugin) =>
		FOREIGN.get(plugin.id)?.guardsPaths ? guardingMirrors(plugin) : plugin,
	);
	return { ...options, ...(plugins ? { plugins } : {}) };
}

function guardingMirrors(plugin: BetterAuthPlugin): BetterAuthPlugin {
	const { onRequest } = plugin;
	const listed: unknown = plugin.options?.endpoints;
	const matchers = Array.isArray(listed) ? listed.map((pattern) => matcherOf(String(pattern))) : [];
	if (!onRequest) return plugin;
	return {
		...plugin,
		onRequest: (request, ctx) => {
			const { pathname } = new URL(ctx.baseURL);
			const path = normalizePathname(request.url, pathname);
			const core = mirroredPaths.find((it) => mirrorOf(it) === path);
			if (!core || matchers.some((matches) => matches(path))) {
				return onRequest(request, ctx);
			}
			const url = new URL(request.url);
			url.pathname = pathname.replace(/\/$/, "") + core;
			return onRequest(new Request(url, request.clone()), ctx);
		},
	};
}
