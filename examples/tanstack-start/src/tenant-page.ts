import { notFound } from "@tanstack/react-router";
import { createServerFn } from "@tanstack/react-start";
import { getRequestHeaders } from "@tanstack/react-start/server";
import { isAPIError } from "better-auth/api";
import { auth } from "./auth";

/** What the page of a tenant shows. If there is no such tenant: 404. */
export const readTenantPage = createServerFn()
	.validator((slug: string) => slug)
	.handler(async ({ data: slug }) => {
		const { id, name } = await requireTenant(slug);
		const session = await findSession(id);
		return {
			tenant: { id, name },
			user: session && { name: session.user.name, email: session.user.email },
		};
	});

async function requireTenant(slug: string) {
	try {
		return await auth.api.getTenant({ query: { slug } });
	} catch (cause) {
		if (isAPIError(cause) && cause.statusCode < 500) throw notFound();
		throw cause;
	}
}

/** The tenant header says which tenant the page is for: a session of another tenant does not count. */
function findSession(tenantId: string) {
	const headers = new Headers(getRequestHeaders());
	headers.set("x-tenant-id", tenantId);
	return auth.api.getSession({ headers });
}
