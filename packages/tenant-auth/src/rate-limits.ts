import type { BetterAuthPlugin } from "@better-auth/core";

/** As strict as core's own rule, which matches `/sign-in…` and `/sign-up…` only. */
export const rateLimits: NonNullable<BetterAuthPlugin["rateLimit"]> = [
	{
		pathMatcher: (path) => path.startsWith("/tenant/sign-in") || path.startsWith("/tenant/sign-up"),
		window: 10,
		max: 3,
	},
];
