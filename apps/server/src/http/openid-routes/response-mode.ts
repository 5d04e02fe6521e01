/** The only one that the plugin has. It ignores any other one. */
const SUPPORTED = "query";

/**
 * Refuses an authorization request for another `response_mode`. Which apps may get the error, and where, is
 * for the plugin to check: it gets the request without the mode and without a session, so that it returns
 * an error in any case.
 *
 * @returns `null` if the mode is supported
 */
export function withoutResponseMode(request: Request): Request | null {
	const url = new URL(request.url);
	const modes = url.searchParams.getAll("response_mode");
	if (modes.every((mode) => mode === SUPPORTED)) return null;
	url.searchParams.delete("response_mode");
	url.searchParams.set("prompt", "none");
	const headers = new Headers(request.headers);
	headers.delete("cookie");
	return new Request(url, { headers, signal: request.signal });
}

/** The response to such a request. Other errors stay as they are. */
export function asUnsupportedMode(response: Response): Response {
	const location = response.headers.get("location") ?? "";
	const target = URL.canParse(location) ? new URL(location) : null;
	if (target?.searchParams.get("error") !== "login_required") return response;
	target.searchParams.set("error", "invalid_request");
	target.searchParams.set("error_description", `the only response_mode is ${SUPPORTED}`);
	const changed = new Response(response.body, response);
	changed.headers.set("location", target.href);
	return changed;
}
