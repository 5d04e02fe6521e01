import type { AuthContext } from "@better-auth/core";
import { normalizePathname } from "@better-auth/core/utils/url";

/** Contexts of requests to our endpoints. Core creates one per request. */
const ours = new WeakSet<AuthContext>();

export async function rememberOurRequest(request: Request, ctx: AuthContext): Promise<void> {
	if (!request.url.includes("/tenant/")) return;
	const basePath = new URL(ctx.baseURL).pathname;
	if (normalizePathname(request.url, basePath).startsWith("/tenant/")) ours.add(ctx);
}

/**
 * Answers malformed JSON at our endpoints with `VALIDATION_ERROR`, like every other invalid input.
 *
 * Better Auth answers before an endpoint or a hook runs, with a code of its own. So the response is
 * replaced, if its text is the known one.
 */
export async function replaceMalformedJson(response: Response, ctx: AuthContext) {
	if (response.status !== 400 || !ours.has(ctx)) return;
	if (!(await response.clone().text()).includes("Invalid JSON in request body")) return;
	const body = { code: "VALIDATION_ERROR", message: "The body is not valid JSON" };
	return { response: Response.json(body, { status: 400 }) };
}
