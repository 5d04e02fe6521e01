import { isAPIError } from "better-auth/api";
import type { Handler } from "hono";
import type { Auth } from "../auth";
import { managementKeyCheck } from "../rate-limits/management-key-check";
import type { RegionResponse, TenantQuery } from "../regions/directory";
import { findSlugOwner } from "../regions/slug-owner";
import type { Regions } from "../settings/regions";

/** Tells other regions about a tenant of this one. Only they have the key. */
export function regionRoute(auth: Pick<Auth, "api" | "$context">, { keys }: Regions): Handler {
	const isOtherRegion = managementKeyCheck(keys);
	return async (c) => {
		c.header("cache-control", "no-store");
		if (!isOtherRegion(c.req.raw.headers)) {
			return c.json({ code: "UNAUTHORIZED", message: "This needs the key of REGION_KEY" }, 401);
		}
		const query = queryOf(new URL(c.req.url).searchParams);
		if (!query) return c.json({ code: "VALIDATION_ERROR", message: "Name one tenant" }, 400);
		const found = await findTenant(auth.api, query).catch((error: unknown) => {
			// No tenant has such a slug, id or email.
			if (isAPIError(error) && error.statusCode < 500) return null;
			throw error;
		});
		if (found) return c.json(found);
		const isFormerSlug =
			"slug" in query && (await findSlugOwner(await auth.$context, query.slug)) !== null;
		return c.json({ tenant: null, isOpen: false, isFormerSlug } satisfies RegionResponse);
	};
}

function queryOf(params: URLSearchParams): TenantQuery | null {
	const [entry, ...more] = params;
	if (!entry || more.length > 0) return null;
	const [name, value] = entry;
	if (name === "slug") return { slug: value };
	if (name === "id") return { id: value };
	return name === "email" ? { email: value } : null;
}

async function findTenant(api: Auth["api"], query: TenantQuery): Promise<RegionResponse> {
	// Only tenants that are open are discovered.
	if ("email" in query) return { ...(await api.discoverTenant({ query })), isOpen: true };
	const { id, slug, name, suspendedAt } = await api.getTenant({ query });
	return { tenant: { id, slug, name, loginHost: null }, isOpen: !suspendedAt };
}
