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
	return Object(body).code === OVERTAKEN ? send(again) : response;
}
