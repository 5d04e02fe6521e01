import type { AuthContext } from "@better-auth/core";
import { normalizePathname } from "@better-auth/core/utils/url";

/**
 * Answers a body of ours that is no JSON with the code of every other input that does not parse. The
 * framework would answer before our endpoints see it, with a code of its own.
 */
export async function refuseMalformedJson(request: Request, ctx: AuthContext) {
	if (!isJsonPost(request) || !isOurs(request, ctx)) return;
	const text = await request.clone().text();
	if (text === "" || isJson(text)) return;
	const body = { code: "VALIDATION_ERROR", message: "The body is not valid JSON" };
	return { response: Response.json(body, { status: 400 }) };
}

function isJsonPost(request: Request): boolean {
	const type = request.headers.get("content-type") ?? "";
	return request.method === "POST" && /^application\/(\w+\+)?json\b/i.test(type);
}

function isOurs(request: Request, ctx: AuthContext): boolean {
	const basePath = new URL(ctx.baseURL).pathname;
	return normalizePathname(request.url, basePath).startsWith("/tenant/");
}

function isJson(text: string): boolean {
	try {
		JSON.parse(text);
		return true;
	} catch {
		return false;
	}
}
