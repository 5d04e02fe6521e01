import { SLUG_PATTERN } from "better-auth-tenant/rules";
import type { Auth } from "../auth";

/** The tenant whose OpenID provider, SCIM server or SAML endpoint is called. */
export type ServedTenant = { id: string; slug: string };

export async function findServedTenant(auth: Auth, slug: string): Promise<ServedTenant | null> {
	// No tenant has any other slug, and not every database accepts any text.
	if (!SLUG_PATTERN.test(slug)) return null;
	const { adapter } = await auth.$context;
	const where = [{ field: "slug", value: slug }];
	const tenant = await adapter.findOne<ServedTenant>({ model: "tenant", where });
	return tenant?.slug === slug ? tenant : null;
}
