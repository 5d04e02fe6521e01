import type { AuthContext } from "better-auth";
import { SLUG_PATTERN } from "better-auth-tenant/rules";

/**
 * The id of the tenant that has a slug in this region, or had it before. It is empty if the tenant that had it
 * is deleted.
 */
export async function findSlugOwner(
	{ adapter }: { adapter: Pick<AuthContext["adapter"], "findOne"> },
	slug: string,
): Promise<string | null> {
	// No tenant has any other slug, and not every database accepts any text.
	if (!SLUG_PATTERN.test(slug)) return null;
	const where = [{ field: "slug", value: slug }];
	const tenant = await adapter.findOne<{ id: string }>({ model: "tenant", where });
	if (tenant) return tenant.id;
	const former = await adapter.findOne<{ tenantId: string }>({ model: "tenantFormerSlug", where });
	return former?.tenantId ?? null;
}
