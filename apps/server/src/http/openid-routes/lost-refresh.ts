import { randomUUID } from "node:crypto";

/** The error code of the tenant plugin for a refresh that another one has overtaken. */
const OVERTAKEN = "REFRESHED_MEANWHILE";

/**
 * Sends a request for tokens, and sends it again if another request has used the same refresh token at the
 * same time: two tabs, or a client that repeats its request. The second one gets the same new tokens.
 */
export async function repeatIfOvertaken(
	request: Request,
	send: (request: Request) => Promise<Response>,
): Promise<Response> {
	const again = request.clone();
	const response = await send(request);
	if (response.status !== 400) return response;
	const body: unknown = await response
		.clone()
		.json()
		.catch(() => null);
	if (Object(body).code !== OVERTAKEN) return response;
	return again.headers.has("dpop") ? askForNewProof() : send(again);
}

/**
 * A proof is valid once, so the client has to repeat the request with a new one. It does so by itself if the
 * server asks for a nonce (RFC 9449, section 8).
 */
const askForNewProof = () =>
	Response.json(
		{ error: "use_dpop_nonce", error_description: "Repeat the request with a new proof" },
		{ status: 400, headers: { "cache-control": "no-store", "dpop-nonce": randomUUID() } },
	);
