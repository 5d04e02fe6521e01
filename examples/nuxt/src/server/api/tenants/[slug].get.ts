import { isAPIError } from "better-auth/api";
import { auth } from "../../../auth";

/** What the page of a tenant shows. */
export default defineEventHandler(async (event) => {
	const { id, name } = await requireTenant(getRouterParam(event, "slug") ?? "");
	const headers = new Headers(event.headers);
	// Says which tenant the page is for: a session of another tenant does not count.
	headers.set("x-tenant-id", id);
	const { response: session, headers: answered } = await auth.api.getSession({
		headers,
		returnHeaders: true,
	});
	// A session that is used gets a new cookie from time to time.
	for (const cookie of answered.getSetCookie()) appendResponseHeader(event, "set-cookie", cookie);
	return {
		tenant: { id, name },
		user: session && { name: session.user.name, email: session.user.email },
	};
});

/** If there is none: 404. */
async function requireTenant(slug: string) {
	try {
		return await auth.api.getTenant({ query: { slug } });
	} catch (cause) {
		if (isAPIError(cause) && cause.statusCode < 500) {
			throw createError({ statusCode: 404, message: "There is no such tenant." });
		}
		throw cause;
	}
}
