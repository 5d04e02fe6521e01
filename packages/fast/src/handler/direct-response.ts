import type { AuthContext, BetterAuthOptions } from "@better-auth/core";
import { DirectSessions } from "../session/direct-sessions";
import { PATH } from "../session/plain-app";
import { openLimiter } from "./limiter";

/** A response, or whether the request was counted by the rate limiter before it turned out to be unusual. */
type Directly = { response: Response } | { isCounted: boolean };

/** Responds to `GET /get-session` in front of the router, if nothing about the request is unusual. */
export function directResponder(
	ctx: AuthContext,
	app: BetterAuthOptions,
): (request: Request) => Promise<Directly> {
	const sessions = DirectSessions.open(ctx, app);
	if (!sessions) return async () => ({ isCounted: false });
	const limit = openLimiter(ctx);
	const path = new URL(ctx.baseURL).pathname.replace(/\/+$/, "") + PATH;

	return async (request) => {
		if (request.method !== "GET" || pathOf(request.url) !== path || request.body) {
			return { isCounted: false };
		}
		const { headers } = request;
		const token = await sessions.findToken(headers);
		if (token === null) return { isCounted: false };
		const refusal = await limit(request);
		if (refusal) return { response: refusal };
		const found = await sessions.find(token, { ...CALL, headers, request });
		const body = found && toJSON(found);
		return body
			? { response: new Response(body, { headers: sessions.headers }) }
			: { isCounted: true };
	};
}

/** What Better Auth's router passes to the endpoint. */
const CALL = { method: "GET", params: {}, query: {}, body: undefined, asResponse: true };

/** With the query and all slashes. */
const pathOf = (url: string) => url.slice(url.indexOf("/", url.indexOf("://") + 3));

/** Better Auth has a way of its own to write numbers that JSON does not know. */
function toJSON(value: object): string | null {
	try {
		return JSON.stringify(value);
	} catch {
		return null;
	}
}
