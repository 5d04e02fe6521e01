import type { AuthContext, BetterAuthOptions } from "@better-auth/core";
import { env } from "@better-auth/core/env";
import { BetterAuthError } from "@better-auth/core/error";
import { isLoopbackHost } from "@better-auth/core/utils/host";
import { getBaseURL, getOrigin, isDynamicBaseURLConfig, resolveBaseURL } from "better-auth";
import { createCookieGetter, getCookies } from "better-auth/cookies";

/** What the context of a request has in place of the instance's. */
export type RequestContext = Pick<AuthContext, "trustedOrigins" | "trustedProviders"> &
	Partial<
		Pick<AuthContext, "baseURL" | "options" | "authCookies" | "createAuthCookie" | "rateLimit">
	>;

/**
 * Finds what Better Auth's own handler puts into the context of a request: the base URL, whom it trusts,
 * and cookies. Better Auth does not export the functions that do it. `request-context.test.ts` compares
 * the results with those of Better Auth's handler.
 */
export async function findRequestContext(
	{ options }: AuthContext,
	request: Request,
): Promise<RequestContext> {
	if (options.baseURL && !isDynamicBaseURLConfig(options.baseURL)) {
		return findTrusted(options, options, request);
	}
	const baseURL = findBaseURL(options, request);
	if (!baseURL) {
		throw new BetterAuthError(
			"Could not get base URL from request. Please provide a valid base URL, or check allowedHosts.",
		);
	}
	const resolved = { ...options, baseURL: getOrigin(baseURL) || undefined };
	const isDynamic = isDynamicBaseURLConfig(options.baseURL);
	return {
		baseURL,
		options: resolved,
		...(await findTrusted(resolved, isDynamic ? options : resolved, request)),
		...(isDynamic && options.advanced?.crossSubDomainCookies?.enabled
			? { authCookies: getCookies(resolved), createAuthCookie: createCookieGetter(resolved) }
			: {}),
	};
}

function findBaseURL({ baseURL, basePath, advanced }: BetterAuthOptions, request: Request) {
	const path = basePath || "/api/auth";
	const trustsProxy = advanced?.trustedProxyHeaders;
	return isDynamicBaseURLConfig(baseURL)
		? resolveBaseURL(baseURL, path, request, undefined, trustsProxy ?? false)
		: getBaseURL(undefined, path, request, undefined, trustsProxy);
}

/** @param hosts the options with the base URL as it was configured */
async function findTrusted(options: BetterAuthOptions, hosts: BetterAuthOptions, request: Request) {
	const { trustedProviders } = options.account?.accountLinking ?? {};
	const providers =
		typeof trustedProviders === "function" ? await trustedProviders(request) : trustedProviders;
	return {
		trustedOrigins: await findTrustedOrigins(options, ownOrigins(hosts, request), request),
		trustedProviders: (providers ?? []).flatMap((provider) => provider || []),
	};
}

/** The app's own origins, those of its option `trustedOrigins`, and those of the environment. */
async function findTrustedOrigins(
	{ trustedOrigins }: BetterAuthOptions,
	own: string[],
	request: Request | undefined,
): Promise<string[]> {
	const ofApp =
		typeof trustedOrigins === "function" ? await trustedOrigins(request) : trustedOrigins;
	const ofEnvironment = env.BETTER_AUTH_TRUSTED_ORIGINS?.split(",");
	const origins = [...own, ...(ofApp ?? []), ...(ofEnvironment ?? [])];
	return origins.flatMap((origin) => origin || []);
}

function ownOrigins({ baseURL, basePath }: BetterAuthOptions, request: Request): string[] {
	if (isDynamicBaseURLConfig(baseURL)) return originsOfHosts(baseURL);
	const url = getBaseURL(baseURL, basePath, request);
	return url ? [new URL(url).origin] : [];
}

type DynamicBaseURL = Exclude<BetterAuthOptions["baseURL"], string | undefined>;

function originsOfHosts({ allowedHosts, protocol, fallback }: DynamicBaseURL): string[] {
	const origins = allowedHosts.flatMap((host) => {
		if (host.includes("://")) return host;
		const isSecure = !protocol || protocol === "https" || protocol === "auto";
		const isPlain = protocol === "http" || protocol === "auto" || isLoopbackHost(host);
		return [...(isSecure ? [`https://${host}`] : []), ...(isPlain ? [`http://${host}`] : [])];
	});
	return fallback && URL.canParse(fallback) ? [...origins, new URL(fallback).origin] : origins;
}
