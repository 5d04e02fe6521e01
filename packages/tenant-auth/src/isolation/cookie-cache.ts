import type { BetterAuthOptions } from "@better-auth/core";
import type { TenantInstance } from "../context/request-state";
import { admitsCachedSession } from "./sessions";

/** A version that no cookie has. */
const REJECTED = "of another tenant";

/**
 * The app's options with an isolated cookie cache.
 *
 * With `cookieCache`, core takes a session from its cookie and asks no store. But it asks for the
 * version that the cookie must have, and passes the session. So a session of another tenant is
 * rejected there, however its cookie came.
 */
export function isolateCookieCache(
	options: BetterAuthOptions,
	instance: TenantInstance,
): BetterAuthOptions {
	const cookieCache = options.session?.cookieCache;
	if (!cookieCache?.enabled) return options;
	const { version: host = "1" } = cookieCache;
	type Version = Extract<typeof host, (...input: never) => unknown>;
	const version: Version = async (session, user) => {
		if (!admitsCachedSession(instance, session)) return REJECTED;
		return typeof host === "function" ? host(session, user) : host;
	};
	return { ...options, session: { ...options.session, cookieCache: { ...cookieCache, version } } };
}
