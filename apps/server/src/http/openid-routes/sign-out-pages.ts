import { ERROR_PAGE } from "../../auth";

type SignOutPage = "confirmation" | "signed-out" | "error";

/**
 * Replaces the pages that the plugin shows for a sign-out with those of the tenant: the plugin's are in
 * English only, without the name of the tenant.
 */
export async function withSignOutPages(issuer: string, response: Response): Promise<Response> {
	const page = await findPage(response);
	if (!page) return response;
	const location = {
		confirmation: `${issuer}/sign-out?from=app`,
		"signed-out": `${issuer}/sign-in`,
		error: `${issuer}${ERROR_PAGE}?error=invalid_request&from=app`,
	}[page];
	const redirect = new Response(null, { status: 302, headers: { location } });
	return withCookiesOf(response, redirect);
}

/**
 * What the tenant's page gets after the choice of the user: where to go next. A form would do without, but
 * browsers apply the page's `form-action` also to the redirect to the app.
 */
export async function asConfirmed(issuer: string, response: Response): Promise<Response> {
	const location = response.headers.get("location");
	const page = await findPage(response);
	if (location !== null || page === "signed-out") {
		return withCookiesOf(response, Response.json({ url: location ?? `${issuer}/sign-in` }));
	}
	if (page !== "error") return response;
	const code = "SIGN_OUT_EXPIRED";
	return Response.json({ code, message: "Start the sign-out in the app again" }, { status: 400 });
}

async function findPage(response: Response): Promise<SignOutPage | null> {
	if (!response.headers.get("content-type")?.startsWith("text/html")) return null;
	const html = await response.clone().text();
	if (html.includes("data-oidc-logout-confirmation")) return "confirmation";
	const [, state] = /data-oidc-logout-state="([a-z-]+)"/.exec(html) ?? [];
	if (state === "logged-out") return "signed-out";
	return state === "error" ? "error" : null;
}

function withCookiesOf(response: Response, next: Response): Response {
	for (const cookie of response.headers.getSetCookie()) next.headers.append("set-cookie", cookie);
	next.headers.set("cache-control", "no-store");
	return next;
}
