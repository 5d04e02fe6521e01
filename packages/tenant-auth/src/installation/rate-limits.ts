import type { AuthContext, BetterAuthPlugin } from "@better-auth/core";
import { mirroredPaths, mirrorOf } from "../context/endpoint-policies";

/** As strict as core's own rule, which matches `/sign-in…` and `/sign-up…` only. */
export const rateLimits: NonNullable<BetterAuthPlugin["rateLimit"]> = [
	{
		pathMatcher: (path) => path.startsWith("/tenant/sign-in") || path.startsWith("/tenant/sign-up"),
		window: 10,
		max: 3,
	},
];

/**
 * Applies the app's rules for core's endpoints to our counterparts of them. A caller who is over the
 * limit at the one must not go on at the other. A rule for our path stays. A rule that matches both,
 * such as `/**`, does not count as one for our path.
 *
 * Better Auth takes the first of `customRules` that matches, and lets a plugin add rules only for paths
 * without a rule of the app. So the rules are added there, to a copy.
 */
export function limitTenantEndpoints({ rateLimit }: AuthContext): void {
	const own = rateLimit.customRules ?? {};
	const find = (path: string) => Object.keys(own).find((pattern) => matchesPath(pattern, path));
	const mirrors: typeof own = {};
	for (const path of mirroredPaths) {
		const forMirror = find(mirrorOf(path));
		const forCore = find(path);
		const isMirrorsOnly = forMirror !== undefined && !matchesPath(forMirror, path);
		const rule = isMirrorsOnly || forCore === undefined ? undefined : own[forCore];
		if (rule !== undefined) mirrors[mirrorOf(path)] = rule;
	}
	rateLimit.customRules = { ...mirrors, ...own, ...mirrors };
}

/** Better Auth's wildcards. It does not export its matcher. Only `**` matches a slash. */
export function matchesPath(pattern: string, path: string): boolean {
	if (!pattern.includes("*")) return pattern === path;
	const source = pattern.replaceAll(
		/(^|\/)\*\*(?=\/)|\/?\*\*$|\*+|\?|[^\w/]/g,
		(it, slash: string | undefined) => {
			if (slash !== undefined) return `(?:${slash}.*)?`;
			if (it === "/**" || pattern === "**") return ".*";
			return it === "?" ? "[^/]" : it.startsWith("*") ? "[^/]*" : `\\${it}`;
		},
	);
	return new RegExp(`^${source}/*$`).test(path);
}
