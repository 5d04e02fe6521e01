import { error, fail, type RequestEvent, redirect } from "@sveltejs/kit";
import { isAPIError } from "better-auth/api";
import { parseSetCookieHeader, toCookieOptions } from "better-auth/cookies";
import { auth } from "./auth";

type TenantEvent = RequestEvent<{ slug: string }>;

/** The tenant of a page. If there is none: 404. */
export async function requireTenant({ params }: TenantEvent) {
	try {
		return await auth.api.getTenant({ query: { slug: params.slug } });
	} catch (cause) {
		if (isAPIError(cause) && cause.statusCode < 500) error(404, "There is no such tenant.");
		throw cause;
	}
}

/** The tenant header says which tenant the page is for: a session of another tenant does not count. */
export async function findSession({ request, cookies }: TenantEvent, tenantId: string) {
	const headers = new Headers(request.headers);
	headers.set("x-tenant-id", tenantId);
	const { response, headers: answered } = await auth.api.getSession({
		headers,
		returnHeaders: true,
	});
	// A session that is used gets a new cookie from time to time.
	for (const [name, cookie] of parseSetCookieHeader(answered.get("set-cookie") ?? "")) {
		cookies.set(name, cookie.value, { ...toCookieOptions(cookie), path: cookie.path ?? "/" });
	}
	return response;
}

/**
 * Sends a form to an endpoint of Better Auth, and shows the tenant's page or the error. SvelteKit passes
 * cookies on. Unlike calls of `auth.api`, this counts for Better Auth's rate limits.
 */
export async function submit(event: TenantEvent, endpoint: string) {
	const tenant = await requireTenant(event);
	const answer = await event.fetch(`/api/auth${endpoint}`, {
		method: "POST",
		headers: { "content-type": "application/json", "x-tenant-id": tenant.id },
		body: JSON.stringify(Object.fromEntries(await event.request.formData())),
	});
	if (answer.ok) redirect(303, `/${tenant.slug}`);
	const { message = "That did not work." }: { message?: string } = await answer.json();
	return fail(answer.status, { message });
}
