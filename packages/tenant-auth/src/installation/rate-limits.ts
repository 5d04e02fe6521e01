import type { AuthContext, BetterAuthPlugin } from "@better-auth/core";

/** As strict as core's own rule, which matches `/sign-in…` and `/sign-up…` only. */
export const rateLimits: NonNullable<BetterAuthPlugin["rateLimit"]> = [
	{
		pathMatcher: (path) => path.startsWith("/tenant/sign-in") || path.startsWith("/tenant/sign-up"),
		window: 10,
		max: 3,
	},
];

/** Those of core's endpoints that have a twin of ours, at the same path behind `/tenant`. */
const TWINNED = ["/sign-in/email", "/sign-up/email", "/sign-in/social"];

/**
 * Has the host's rules for core's endpoints hold at our twins: whoever is refused at the one must not
 * go on at the other. A rule for the twin stays; one that matches both, such as `/**`, is not for it.
 */
export function limitTenantEndpoints({ rateLimit }: AuthContext): void {
	const own = rateLimit.customRules ?? {};
	const find = (path: string) => Object.keys(own).find((pattern) => matches(pattern, path));
	const twins: typeof own = {};
	for (const path of TWINNED) {
		const forTwin = find(`/tenant${path}`);
		const forCore = find(path);
		const isTwinsOnly = forTwin !== undefined && !matches(forTwin, path);
		const rule = isTwinsOnly || forCore === undefined ? undefined : own[forCore];
		if (rule !== undefined) twins[`/tenant${path}`] = rule;
	}
	// Of those that match, the first counts. The host's object stays as it is: it may serve again.
	rateLimit.customRules = { ...twins, ...own, ...twins };
}

/** Better Auth's wildcards, whose matcher it keeps to itself: only `**` reaches past a slash. */
function matches(pattern: string, path: string): boolean {
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
