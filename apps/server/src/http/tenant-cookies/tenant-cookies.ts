import { isAPIError } from "better-auth/api";
import { type Auth, basePath } from "../../auth";
import { currentRequest, runWithRecord } from "../../monitoring/request-record";
import { findIdInBody } from "../id-in-body";
import { type KnownSessions, type OpenedCookies, openCookies } from "./open-cookies";
import { sessionCookies } from "./session-cookies";

type Handler = (request: Request) => Promise<Response>;

export type TenantCookies = {
	/** For server code that uses the session of a browser in a tenant. */
	open: (
		headers: Headers,
		tenantId: string | null,
	) => Promise<Pick<OpenedCookies, "headers" | "close">>;
	/** The handler as browsers call it. */
	around: (handler: Handler) => Handler;
};

/** With a host name for each tenant, the browser keeps their cookies apart. */
export const cookiesOfHosts: TenantCookies = {
	open: async (headers) => ({ headers, close: async (setCookies) => setCookies }),
	around: (handler) => handler,
};

/**
 * Lets a browser hold sessions of several tenants on one host.
 *
 * Better Auth has one session cookie. It stays, and has the active session: the one that was created last, or
 * that a page of a tenant has asked for last. Each tenant has a copy of its session in a cookie of its own. A
 * request that names a tenant gets this copy as its session cookie. One that names none gets the active
 * session, as if there were no copies.
 *
 * Nothing here decides whether a session is valid. Better Auth verifies the cookie that it gets, and the
 * tenant plugin refuses a session of another tenant than the request names, whatever the name of its cookie
 * was.
 */
export function tenantCookies(auth: Auth): TenantCookies {
	const open = async (headers: Headers, tenantId: string | null) => {
		const { authCookies } = await auth.$context;
		const cookies = sessionCookies(authCookies);
		return openCookies(cookies, headers, tenantId, {
			findNewTenant: (token) => currentRequest()?.newSessions.get(token),
			findSession: (token) => findSession(auth, `${cookies.names.token}=${token}`),
		});
	};

	const around = (handler: Handler) => async (request: Request) => {
		const named = request.headers.has("cookie") ? await findNamed(request) : null;
		const { headers, close, select, isElsewhere } = await open(request.headers, named);
		const isChanged = headers !== request.headers;
		const response = await handler(isChanged ? new Request(request, { headers }) : request);
		const set = await close(response.headers.getSetCookie());
		// The page may lead on to an app that names no tenant, and that asks who is there.
		const shown = isElsewhere ? await findShownSession(request, response) : null;
		if (shown !== null) set.push(...(await select(shown)));
		return withCookies(response, set);
	};

	return { open, around };
}

/** The tenant that a request names, as the plugin finds it. If it were another one, there is no session. */
async function findNamed(request: Request): Promise<string | null> {
	const header = request.headers.get("x-tenant-id")?.trim() || null;
	const { pathname, searchParams } = new URL(request.url);
	if (!pathname.startsWith(`${basePath}/tenant/`)) return header;
	return (await findIdInBody(request)) || searchParams.get("tenantId") || header;
}

async function findSession(auth: Auth, cookie: string): ReturnType<KnownSessions["findSession"]> {
	const read = () =>
		auth.api
			.getSession({ headers: { cookie }, query: { disableRefresh: true } })
			.catch((error: unknown) => {
				// Its tenant is suspended.
				if (isAPIError(error)) return null;
				throw error;
			});
	const record = currentRequest();
	// The log line of the request names its own tenant.
	const found = await (record ? runWithRecord({ ...record }, read) : read());
	const { tenantId = null, expiresAt } = found?.session ?? {};
	return tenantId && expiresAt ? { tenantId, expiresAt } : null;
}

/** The token of the session in a response that tells a page who is signed in. */
async function findShownSession(
	{ url, method }: Request,
	response: Response,
): Promise<string | null> {
	const isRead = method === "GET" && new URL(url).pathname === `${basePath}/get-session`;
	if (!isRead || !response.ok) return null;
	const shown = (await response.clone().json()) as { session: { token: string } } | null;
	return shown?.session.token ?? null;
}

function withCookies(response: Response, set: string[]): Response {
	if (set.join() === response.headers.getSetCookie().join()) return response;
	const { status, statusText, body } = response;
	const headers = new Headers(response.headers);
	headers.delete("set-cookie");
	for (const cookie of set) headers.append("set-cookie", cookie);
	return new Response(body, { status, statusText, headers });
}
