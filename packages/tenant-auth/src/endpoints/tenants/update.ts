import { createAuthEndpoint } from "better-auth/api";
import * as z from "zod";
import { audited } from "../../audit/audit-store";
import { requirePossibleId } from "../../context/tenant-id";
import { requireManagement } from "../../management/authorize";
import type { ResolvedOptions } from "../../options";
import { requireUsableSlug } from "../../tenants/slug";
import { requireTenant, updateTenantRow } from "../../tenants/store";
import { idSchema, metadataSchema, nameSchema } from "../../tenants/tenant";
import { openapi, tenantAnswer } from "../openapi";

const body = z.object({
	tenantId: idSchema.meta({ description: "The tenant's id" }),
	name: nameSchema.meta({ description: "Display name" }).optional(),
	slug: z.string().meta({ description: "Unique URL-friendly id" }).optional(),
	metadata: metadataSchema.meta({ description: "Any JSON object, in place of the old" }).optional(),
});

export const updateTenant = (options: ResolvedOptions) =>
	createAuthEndpoint(
		"/tenant/update",
		{
			method: "POST",
			body,
			metadata: {
				openapi: openapi("updateTenant", "Change a tenant", tenantAnswer, [
					"INVALID_SLUG",
					"SLUG_RESERVED",
					"TENANT_NOT_FOUND",
					"TENANT_ALREADY_EXISTS",
					"TENANT_MANAGEMENT_NOT_ALLOWED",
				]),
			},
		},
		async (ctx) => {
			const { tenantId, ...changes } = ctx.body;
			await requireManagement(ctx, options, { action: "tenant:update", tenantId });
			const tenant = await requireTenant(ctx.context, "id", requirePossibleId(ctx, tenantId));
			// A slug that was reserved later stays with the tenant that has it.
			if (changes.slug !== undefined && changes.slug !== tenant.slug) {
				requireUsableSlug(changes.slug, options.reservedSlugs);
			}
			const changed = await audited(
				ctx,
				() => updateTenantRow(ctx.context, tenantId, changes),
				() => ({ action: "tenant:update", tenantId, detail: whatChanges(changes) }),
			);
			return ctx.json(changed);
		},
	);

/** Metadata is the tenant's own business, and may be large. */
function whatChanges({ metadata, ...rest }: { metadata?: object; name?: string; slug?: string }) {
	return { ...rest, ...(metadata ? { metadata: true } : {}) };
}
