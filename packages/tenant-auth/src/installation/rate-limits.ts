import type { AuthContext, BetterAuthPlugin } from "@better-auth/core";
import { normalizePathname } from "@better-auth/core/utils/url";
import { router } from "better-auth/api";
import { coreCounterpartOf, isOurs } from "../call/context/endpoint-rules";
import { findManagementKey } from "../management/access/authorize";
import { isShortKey, type ResolvedOptions } from "../options";
import { tenantError } from "../tenant-error";

type CustomRules = NonNullable<AuthContext["rateLimit"]["customRules"]>;

/**
 * Counts requests to our endpoints itself, before all plugins of the app. Our counterpart of an endpoint
 * of core has one counter with it, so a caller who is over the limit at the one cannot go on at the
 * other.
 *
 * Better Auth counts by IP address and path, and exports neither its limiter nor its stores. But its
 * router runs the limiter before anything else. So it counts a request for the other path, and ends
 * there: the first plugin responds. That works with every store and every rule.
 */
export function limitOurRequests({
	managementKeys,
}: ResolvedOptions): NonNullable<BetterAuthPlugin["onRequest"]> {
	const longKeys = managementKeys.filter((key) => !isShortKey(key));

	return async (request, ctx) => {
		// Almost every request of most apps ends here.
		if (!ctx.rateLimit.enabled || !request.url.includes("/tenant/")) return;
		const { pathname } = new URL(ctx.baseURL);
		const path = normalizePathname(request.url, pathname);
		if (!isOurs(path)) return;
		const core = coreCounterpartOf(path);
		const rule = findRule(path, core ?? path, ctx);
		const counted = core ?? (await withKey(path, request));
		const url = new URL(request.url);
		url.pathname = pathname.replace(/\/$/, "") + counted;
		const limit = limiterFor(ctx, rule);
		// Without the method: it does not matter, and a `Request` with TRACE cannot be made.
		const counterpart: Counted = new Request(url, { headers: request.headers });
		counterpart[ORIGINAL] = request;
		const response = await limit(counterpart);
		if (response.status === 429) return { response: tooManyRequests(response) };
	};

	/**
	 * Each management key has counters of its own, so nobody without the key can use up its limit. The
	 * digest in the path is unknown to others. A short key is counted with the wrong ones: who is over
	 * the limit must not find out whether a guess was right.
	 */
	async function withKey(path: string, { headers }: Request): Promise<string> {
		const key = await findManagementKey(headers, longKeys);
		return key ? `${path}/${key}` : path;
	}
}

/** The request as it came, at the one that is counted for it. */
const ORIGINAL = Symbol("original");
type Counted = Request & { [ORIGINAL]?: Request };

type Rule = CustomRules[string];
type Limiter = (request: Request) => Promise<Response>;

/** By the options of an app, and by the rule. To build a router takes longer than to count. */
const limiters = new WeakMap<object, Map<Rule | undefined, Limiter>>();

/** A router that counts a request by one rule, or by those of Better Auth and other plugins. */
function limiterFor(ctx: AuthContext, rule: Rule | undefined): Limiter {
	const kept = limiters.get(ctx.options) ?? new Map<Rule | undefined, Limiter>();
	limiters.set(ctx.options, kept);
	const known = kept.get(rule);
	if (known) return known;
	const { handler } = router(
		{
			...ctx,
			rateLimit: { ...ctx.rateLimit, customRules: rule === undefined ? {} : { "/**": own(rule) } },
			options: {
				...ctx.options,
				// The app may disable core's path and leave ours.
				disabledPaths: [],
				plugins: [ADMITTED, ...(ctx.options.plugins ?? [])],
			},
		},
		{},
	);
	kept.set(rule, handler);
	return handler;
}

/** A function of the app gets the request as it came. */
const own = (rule: Rule): Rule =>
	typeof rule === "function"
		? (counted: Counted, current) => rule(counted[ORIGINAL] ?? counted, current)
		: rule;

/** Its plugin runs after the limiter. */
const ADMITTED: BetterAuthPlugin = {
	id: "tenant-auth-admitted",
	onRequest: async () => ({ response: new Response(null, { status: 204 }) }),
};

/** Better Auth's response has no code, and a header of its own. */
function tooManyRequests(response: Response): Response {
	const seconds = response.headers.get("x-retry-after") ?? "1";
	const { body, statusCode } = tenantError("TOO_MANY_REQUESTS");
	return Response.json(body, {
		status: statusCode,
		headers: { "Retry-After": seconds, "X-Retry-After": seconds, "Cache-Control": "no-store" },
	});
}

const OURS = "/tenant/**";

type Pattern = { matches: (path: string) => boolean; rule: Rule };

/** The rules of the app, which Better Auth does not apply to our paths any more. */
const rulesOfApp = new WeakMap<object, Pattern[]>();

/** Lets Better Auth count no request to our paths. {@link limitOurRequests} does. */
export function takeOverRateLimit({ rateLimit }: AuthContext): void {
	const rules = rateLimit.customRules ?? {};
	const { [OURS]: _, ...others } = rules;
	rateLimit.customRules = { [OURS]: false, ...others };
	rulesOfApp.set(
		rateLimit,
		Object.entries(rules).map(([pattern, rule]) => ({ matches: matcherOf(pattern), rule })),
	);
}

/**
 * The rule of the app for a path of ours. Where it has a counterpart, the rule for that one applies, if
 * there is none for ours alone. A rule that matches both, such as `/**`, is not one for ours.
 */
function findRule(path: string, counted: string, { rateLimit }: AuthContext): Rule | undefined {
	const rules = rulesOfApp.get(rateLimit) ?? [];
	const forOurs = rules.find(({ matches }) => matches(path));
	const forCores = rules.find(({ matches }) => matches(counted));
	const isOursOnly = forOurs !== undefined && !forOurs.matches(counted);
	return (isOursOnly ? forOurs : forCores)?.rule;
}

/** Better Auth's wildcards. It does not export its matcher. Only `**` matches a slash. */
export function matcherOf(pattern: string): (path: string) => boolean {
	if (!pattern.includes("*")) return (path) => pattern === path;
	const source = pattern.replaceAll(
		/(^|\/)\*\*(?=\/)|\/?\*\*$|\*+|\?|[^\w/]/g,
		(it, slash: string | undefined) => {
			if (slash !== undefined) return `(?:${slash}.*)?`;
			if (it === "/**" || pattern === "**") return ".*";
			return it === "?" ? "[^/]" : it.startsWith("*") ? "[^/]*" : `\\${it}`;
		},
	);
	const form = new RegExp(`^${source}/*$`);
	return (path) => form.test(path);
}
