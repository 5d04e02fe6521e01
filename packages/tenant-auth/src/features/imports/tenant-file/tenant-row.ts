import type { AuthContext } from "@better-auth/core";
import { BetterAuthError } from "@better-auth/core/error";
import { requireInstance } from "../../../call/context/current-state";
import { findTenantRow, TENANT_MODEL } from "../../../call/context/tenant";
import { isUniqueViolation } from "../../../database/errors";
import { type AnyAdapter, inTransaction } from "../../../isolation/raw-adapter";
import { releaseSlug, requireOwnSlug, reserveSlug } from "../../../management/tenants/former-slugs";
import { requireOwnId, requireUsableSlug } from "../../../management/tenants/store";
import { tenantError } from "../../../tenant-error";

/** A tenant of another app, or of a backup. */
export interface ImportedTenant {
	exportedAt: string;
	tenant: { id: string; slug: string };
	formerSlugs: readonly string[];
}

/**
 * Writes the row of a tenant whose other rows are imported after it. It is suspended until the app resumes
 * it, since the time of its export: so an import that was interrupted finds the tenant that it has made, and
 * no other tenant is taken for it.
 *
 * @throws APIError `TENANT_ALREADY_EXISTS`
 */
export async function importTenantRow(
	ctx: AuthContext,
	raw: AnyAdapter,
	{ exportedAt, tenant, formerSlugs }: ImportedTenant,
	options: { releaseSlug?: boolean },
): Promise<void> {
	const { id, slug } = tenant;
	const suspendedAt = new Date(exportedAt);
	requireOwnId(ctx.options, id);
	requireUsableSlug(slug, requireInstance(ctx).options.reservedSlugs);
	const existing = await findTenantRow(ctx, "id", id);
	if (existing?.suspendedAt?.getTime() === suspendedAt.getTime() && !existing.erasingSince) return;
	if (existing) throw taken("A tenant with this id exists. Only an interrupted import continues");
	const data = { ...rowOf(ctx, tenant), suspendedAt, erasingSince: null };
	await inTransaction(raw, async (trx) => {
		if (options.releaseSlug) await releaseSlug(trx, slug);
		await trx.create({ model: TENANT_MODEL, data, forceAllowId: true }).catch((error: unknown) => {
			throw isUniqueViolation(error) ? taken("Another tenant has this slug") : error;
		});
		await requireOwnSlug(trx, tenant);
		for (const former of formerSlugs) await reserveSlug(trx, { id, slug: former });
	});
}

const taken = (message: string) => tenantError("TENANT_ALREADY_EXISTS", { message });

function rowOf({ tables }: AuthContext, tenant: Record<string, unknown> & { id: string }) {
	const { fields = {} } = tables[TENANT_MODEL] ?? {};
	const unknown = Object.keys(tenant).find((name) => name !== "id" && !fields[name]);
	if (unknown) throw new BetterAuthError(`importTenant: this app has no column tenant.${unknown}`);
	const values = Object.entries(tenant).map(([name, value]): [string, unknown] => [
		name,
		fields[name]?.type === "date" && typeof value === "string" ? new Date(value) : value,
	]);
	return { ...Object.fromEntries(values), id: tenant.id };
}
