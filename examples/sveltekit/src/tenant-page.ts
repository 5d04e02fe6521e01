import { error, fail, type RequestEvent, redirect } from "@sveltejs/kit";
import { isAPIError } from "better-auth/api";
import { parseSetCookieHeader, toCookieOptions } from "better-auth/cookies";
import { auth } from "./auth";

/** The tenant of the host. If there is none: 404. */
export async function requireTenant({ request }: RequestEvent) {
	try {
		return (await auth.api.tenantLoginOptions({ headers: request.headers })).tenant;
	} catch (cause) {
		if (isAPIError(cause) && cause.statusCode < 500) error(404, "There is no such tenant.");
		throw cause;
	}
}

/** The headers name the host: a session of another tenant does not count here. */
export async function findSession({ request, cookies }: RequestEvent) {
	const { response, headers } = await auth.api.getSession({
		headers: request.headers,
		returnHeaders: true,
	});
	// A session that is used gets a new cookie from time to time.
	for (const [name, cookie] of parseSetCookieHeader(headers.get("set-cookie") ?? "")) {
		cookies.set(name, cookie.value, { ...toCookieOptions(cookie), path: cookie.path ?? "/" });
	}
	return response;
}

/**
 * Sends a form to an endpoint of Better Auth, and shows the tenant's page or the error. SvelteKit passes
 * cookies on. Unlike calls of `auth.api`, this counts for Better Auth's rate limits.
 */
export async function submit(event: RequestEvent, endpoint: string) {
	await requireTenant(event);
	const answer = await event.fetch(`/api/auth${endpoint}`, {
		method: "POST",
		headers: { "content-type": "application/json" },
		body: JSON.stringify(Object.fromEntries(await event.request.formData())),
	});
	if (answer.ok) redirect(303, "/");
	const { message = "That did not work." }: { message?: string } = await answer.json();
	return fail(answer.status, { message });
}
