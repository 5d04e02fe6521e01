type Body = { code?: unknown; message?: unknown; error?: unknown; error_description?: unknown };

/** What the plugin says about a token that it does not know, or that is revoked already. */
const NOTHING_TO_REVOKE = new Set([
	"token not found",
	"refresh token revoked",
	"Invalid access token",
]);

/** RFC 7009, section 2.2: there is no error for a token that is not valid. */
export async function asRevoked(response: Response): Promise<Response> {
	const body = response.status === 400 ? await readBody(response) : null;
	const description = body?.error_description;
	return typeof description === "string" && NOTHING_TO_REVOKE.has(description)
		? new Response(null, { headers: { "cache-control": "no-store" } })
		: toOAuthError(response);
}

/**
 * Adds the fields of RFC 6749, section 5.2, to an error that has none: one of the tenant plugin, of the rate
 * limit or of the validation of a body.
 */
export async function toOAuthError(response: Response): Promise<Response> {
	if (response.status < 400 || response.status >= 500) return response;
	const body = await readBody(response);
	if (!body || body.error !== undefined) return response;
	const description = typeof body.message === "string" ? body.message : "The request is invalid";
	const headers = new Headers(response.headers);
	headers.delete("content-length");
	headers.set("cache-control", "no-store");
	return Response.json(
		{ ...body, error: errorOf(response.status), error_description: description },
		{ status: response.status, headers },
	);
}

async function readBody(response: Response): Promise<Body | null> {
	const body: unknown = await response
		.clone()
		.json()
		.catch(() => null);
	return typeof body === "object" ? body : null;
}

function errorOf(status: number): string {
	if (status === 401) return "invalid_client";
	if (status === 429) return "slow_down";
	return status === 403 ? "unauthorized_client" : "invalid_request";
}
