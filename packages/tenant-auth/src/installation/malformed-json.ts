import type { AuthContext } from "@better-auth/core";
import { normalizePathname } from "@better-auth/core/utils/url";

/** Contexts of calls of our endpoints. Core makes one for each request. */
const ours = new WeakSet<AuthContext>();

export async function noteCallOfOurs(request: Request, ctx: AuthContext): Promise<void> {
	if (!request.url.includes("/tenant/")) return;
	const basePath = new URL(ctx.baseURL).pathname;
	if (normalizePathname(request.url, basePath).startsWith("/tenant/")) ours.add(ctx);
}

/**
 * Answers a body of ours that is no JSON with the code of every other input that does not parse. The
 * framework answers before our endpoints see it, with a code of its own.
 */
export async function explainMalformedJson(response: Response, ctx: AuthContext) {
	if (response.status !== 400 || !ours.has(ctx)) return;
	if (!(await response.clone().text()).includes("Invalid JSON in request body")) return;
	const body = { code: "VALIDATION_ERROR", message: "The body is not valid JSON" };
	return { response: Response.json(body, { status: 400 }) };
}
