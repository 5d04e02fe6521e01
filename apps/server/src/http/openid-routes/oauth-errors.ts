import { DPOP_SIGNING_ALGORITHMS } from "better-auth/oauth2";

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

/** What the plugin says, with 401 and `invalid_request`, if a code verifier does not fit the code. */
const WRONG_VERIFIER = new Set([
	"code verification failed",
	"code_verifier required because PKCE was used in authorization",
	"code_verifier provided but PKCE was not used in authorization",
]);

/**
 * RFC 6749, section 5.2: the grant of a user who is gone or disabled is not valid. Neither is a code with a
 * wrong verifier (RFC 7636, section 4.6).
 */
export async function asTokenResponse(response: Response): Promise<Response> {
	if (await isWithoutUser(response)) return invalidGrant("the user is gone or disabled");
	const body = response.status === 401 ? await readBody(response) : null;
	const description = body?.error_description;
	if (typeof description === "string" && WRONG_VERIFIER.has(description)) {
		return invalidGrant(description);
	}
	return toOAuthError(response);
}

const invalidGrant = (description: string) => badRequest("invalid_grant", description);

/** RFC 6749, section 5.2. */
export const badRequest = (error: string, description: string) =>
	Response.json(
		{ error, error_description: description },
		{ status: 400, headers: { "cache-control": "no-store" } },
	);

/** RFC 6750, section 3.1: neither is an access token. */
export async function asUserInfo(response: Response): Promise<Response> {
	// No token was sent.
	if (response.headers.get("www-authenticate") === "Bearer") return response;
	if (!(await isWithoutUser(response))) return withProofChallenge(await toOAuthError(response));
	return Response.json(
		{ error: "invalid_token", error_description: "the user is gone or disabled" },
		{
			status: 401,
			headers: { "cache-control": "no-store", "www-authenticate": 'Bearer error="invalid_token"' },
		},
	);
}

/** RFC 9449, section 7.1: a client learns that a proof is missing or wrong. */
async function withProofChallenge(response: Response): Promise<Response> {
	if (response.status !== 401 || response.headers.has("www-authenticate")) return response;
	const body = await readBody(response);
	const challenged = new Response(response.body, response);
	const algorithms = DPOP_SIGNING_ALGORITHMS.join(" ");
	const challenge = `DPoP error="${body?.error}", algs="${algorithms}"`;
	if (PROOF_ERRORS.has(body?.error)) challenged.headers.set("www-authenticate", challenge);
	return challenged;
}

const PROOF_ERRORS = new Set<unknown>(["invalid_dpop_proof", "invalid_token"]);

/** What the plugin says if it finds no user. The tenant plugin shows it no user who is disabled. */
const WITHOUT_USER = new Set(["user not found", "missing user, user may have been deleted"]);

async function isWithoutUser(response: Response): Promise<boolean> {
	const body = response.status === 400 ? await readBody(response) : null;
	return typeof body?.error_description === "string" && WITHOUT_USER.has(body.error_description);
}

/**
 * Adds the fields of RFC 6749, section 5.2, to an error that has none: one of the tenant plugin, of the rate
 * limit or of the validation of a body.
 */
export async function toOAuthError(response: Response): Promise<Response> {
	const { status } = response;
	if (status < 400 || (status >= 500 && status !== 503)) return response;
	const body = await readBody(response);
	if (!body || body.error !== undefined) return response;
	const description = typeof body.message === "string" ? body.message : "The request is invalid";
	const headers = new Headers(response.headers);
	headers.delete("content-length");
	headers.set("cache-control", "no-store");
	return Response.json(
		{ ...body, error: errorOf(status), error_description: description },
		{ status, headers },
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
	if (status === 503) return "temporarily_unavailable";
	return status === 403 ? "unauthorized_client" : "invalid_request";
}
