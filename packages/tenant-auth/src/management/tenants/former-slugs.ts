import type { AuthContext } from "@better-auth/core";
import type { DBTransactionAdapter, Where } from "@better-auth/core/db/adapter";
import { tenantError } from "../../tenant-error";

// A slug is a part of addresses and of OpenID issuers. Apps know their customers by them. So the slug of a
// renamed or deleted tenant is not for another one, unless the app releases it.

const MODEL = "tenantFormerSlug";
const TAKEN = "Another tenant has or had this slug";

type Database = DBTransactionAdapter | AuthContext["adapter"];

interface FormerSlug {
	slug: string;
	tenantId: string;
	createdAt: Date;
}

const bySlug = (slug: string): Where[] => [{ field: "slug", value: slug }];

/** Keeps a slug for its tenant, in the transaction that renames or deletes the tenant. */
export async function reserveSlug(
	database: Database,
	{ id: tenantId, slug }: { id: string; slug: string },
): Promise<void> {
	if (await database.findOne<FormerSlug>({ model: MODEL, where: bySlug(slug) })) return;
	await database.create<FormerSlug>({
		model: MODEL,
		data: { slug, tenantId, createdAt: new Date() },
	});
}

/**
 * Call it after the slug was written, in the same transaction. The unique index of the tenants lets one
 * caller through at a time. And an update sees what others have committed, also on MySQL.
 *
 * @throws APIError `TENANT_ALREADY_EXISTS`
 */
export async function requireOwnSlug(
	database: Database,
	{ id, slug }: { id: string; slug: string },
): Promise<void> {
	const ofAnother: Where = { field: "tenantId", operator: "ne", value: id };
	const where = [...bySlug(slug), ofAnother];
	const taken = await database.updateMany({ model: MODEL, where, update: { slug } });
	if (taken > 0) throw tenantError("TENANT_ALREADY_EXISTS", { message: TAKEN });
}

/** The slugs of a tenant that is gone stay reserved. Nothing says whose they were. */
export async function forgetTenantOfSlugs(database: Database, tenantId: string): Promise<void> {
	const where = [{ field: "tenantId", value: tenantId }];
	await database.updateMany({ model: MODEL, where, update: { tenantId: "" } });
}

/** From now on, any tenant may have the slug. */
export async function releaseSlug(database: Database, slug: string): Promise<void> {
	await database.deleteMany({ model: MODEL, where: bySlug(slug) });
}
