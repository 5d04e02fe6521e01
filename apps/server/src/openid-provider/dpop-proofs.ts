import { createAuthMiddleware } from "better-auth/api";

/** Where clients send a proof that they have the key of a token (RFC 9449). */
const PATHS = new Set(["/oauth2/token", "/oauth2/userinfo"]);

/**
 * A proof names the URL to which it is sent: that of the issuer. The plugin compares it with the URL of the
 * request, which is that of Better Auth's endpoint here. This hook runs after the base URL is the issuer.
 */
export const proofsForIssuer = {
	matcher: ({ path, headers }: { path?: string; headers?: Headers }) =>
		PATHS.has(path ?? "") && Boolean(headers?.has("dpop")),
	handler: createAuthMiddleware(async ({ request, context, path }) => {
		if (!request) return;
		const { method, headers, signal } = request;
		const hasBody = method === "POST" && !request.bodyUsed;
		const body = hasBody ? { body: await request.clone().text() } : {};
		const url = `${context.baseURL}${path}`;
		return { context: { request: new Request(url, { method, headers, signal, ...body }) } };
	}),
};
