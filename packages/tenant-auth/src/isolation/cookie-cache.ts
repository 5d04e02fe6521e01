import type { BetterAuthOptions } from "@better-auth/core";
import { admits } from "./sessions";

/** A version that no cookie has. */
const REFUSED = "of another tenant";

/**
 * The host's options with the cookie cache kept to the scope.
 *
 * With `cookieCache`, core takes a session from its cookie and asks no store. But it asks for the
 * version that the cookie must have, with the session in hand: so that is where a session of another
 * tenant is refused, whichever way its cookie came.
 */
export function withScopedCookieCache(options: BetterAuthOptions): BetterAuthOptions {
	const cookieCache = options.session?.cookieCache;
	if (!cookieCache?.enabled) return options;
	const { version: host = "1" } = cookieCache;
	type Version = Extract<typeof host, (...input: never) => unknown>;
	const version: Version = async (session, user) => {
		if (!(await admits(session))) return REFUSED;
		return typeof host === "function" ? host(session, user) : host;
	};
	return { ...options, session: { ...options.session, cookieCache: { ...cookieCache, version } } };
}
