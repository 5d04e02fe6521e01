import * as z from "zod";
import { audited } from "../../audit/audit-store";
import { requirePossibleId } from "../../context/tenant-id";
import { requireUsableSlug } from "../../tenants/slug";
import { requireTenant, updateTenantRow } from "../../tenants/store";
import { idSchema, metadataSchema, nameSchema, tenantSchema } from "../../tenants/tenant";
import { managementEndpoint } from "../define";

export const updateTenant = managementEndpoint(
	"updateTenant",
	{
		description: "Update a tenant",
		body: z.object({
			tenantId: idSchema.meta({ description: "The tenant's id" }),
			name: nameSchema.meta({ description: "Display name" }).optional(),
			slug: z.string().meta({ description: "Unique name for URLs" }).optional(),
			metadata: metadataSchema
				.meta({ description: "Any JSON object of your app; replaces the old one" })
				.optional(),
		}),
		answer: tenantSchema,
		errors: ["INVALID_SLUG", "SLUG_RESERVED", "TENANT_NOT_FOUND", "TENANT_ALREADY_EXISTS"],
	},
	({ body }) => body.tenantId,
	async (ctx, tenantId, options) => {
		const { tenantId: _, ...changes } = ctx.body;
		const tenant = await requireTenant(ctx.context, "id", requirePossibleId(ctx, tenantId));
		// A tenant keeps a slug that was reserved later.
		if (changes.slug !== undefined && changes.slug !== tenant.slug) {
			requireUsableSlug(changes.slug, options.reservedSlugs);
		}
		const changed = await audited(
			ctx,
			() => updateTenantRow(ctx.context, tenantId, changes),
			() => ({ action: "tenant:update", tenantId, detail: detailOf(changes) }),
		);
		return ctx.json(changed);
	},
);

/** Metadata may be large and private, so the audit log only says that it changed. */
function detailOf({ metadata, ...rest }: { metadata?: object; name?: string; slug?: string }) {
	return { ...rest, ...(metadata ? { metadata: true } : {}) };
}
