import type { MiddlewareHandler } from "hono";
import { basePath } from "../auth";

/** The console sends it, so that tenants' pages on the same host are not affected. */
const CONSOLE_HEADER = "x-console";

const consoleCookie = /(^|\.)console$/;
const sessionCookie = /(^|\.)session_(token|data)$/;

/** What the console manages. To open and close its session, it needs the session of Better Auth too. */
const isManagement = (path: string) =>
	path.startsWith("/service/") ||
	path.startsWith(`${basePath}/tenant/`) ||
	(path.startsWith(`${basePath}/operator/`) && !path.startsWith(`${basePath}/operator/session/`));

/**
 * A request of the console uses only the cookie of the console. The same browser may also have a
 * session of a tenant's user: an operator tests a sign-in or impersonates somebody. That user may be an
 * admin of the tenant, with other rights than the operator, or the tenant may be suspended.
 */
export const useConsoleCookie: MiddlewareHandler = async (c, next) => {
	const { headers } = c.req.raw;
	const cookies = headers.get("cookie")?.split(";") ?? [];
	const hasNameLike = (pattern: RegExp) => (cookie: string) =>
		pattern.test(cookie.split("=")[0]?.trim() ?? "");
	if (
		headers.has(CONSOLE_HEADER) &&
		isManagement(c.req.path) &&
		cookies.some(hasNameLike(consoleCookie))
	) {
		const kept = cookies.filter((cookie) => !hasNameLike(sessionCookie)(cookie));
		headers.set("cookie", kept.join(";"));
	}
	await next();
};
