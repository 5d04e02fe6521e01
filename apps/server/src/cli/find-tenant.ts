import { isAPIError } from "better-auth/api";
import type { Tenant } from "better-auth-tenant";
import type { Auth } from "../auth";
import { Failure } from "./failure";

/** The tenant with this slug or id. */
export async function requireTenant({ api }: Auth, name: string): Promise<Tenant> {
	const bySlug = await orNull(api.getTenant({ query: { slug: name } }));
	const byId = await orNull(api.getTenant({ query: { id: name } }));
	if (bySlug && byId && bySlug.id !== byId.id) {
		throw new Failure(`${name} is the slug of one tenant and the id of another.`, {
			code: "AMBIGUOUS_TENANT",
		});
	}
	const found = bySlug ?? byId;
	if (found) return found;
	throw new Failure(`There is no tenant ${name}.`, { code: "TENANT_NOT_FOUND" });
}

async function orNull(answer: Promise<Tenant>): Promise<Tenant | null> {
	try {
		return await answer;
	} catch (error) {
		// A name that cannot be a slug, or not an id, may still be the other.
		if (isAPIError(error) && error.statusCode < 500) return null;
		throw error;
	}
}
