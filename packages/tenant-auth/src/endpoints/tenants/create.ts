import * as z from "zod";
import { audited } from "../../audit/audit-store";
import { requireUsableSlug } from "../../tenants/slug";
import { insertTenant } from "../../tenants/store";
import { metadataSchema, nameSchema, tenantSchema } from "../../tenants/tenant";
import { managementEndpoint } from "../define";

export const createTenant = managementEndpoint(
	"createTenant",
	{
		description: "Create a tenant",
		body: z.object({
			name: nameSchema.meta({ description: "Display name" }),
			slug: z.string().meta({ description: "Unique name for URLs" }),
			metadata: metadataSchema.meta({ description: "Any JSON object of your app" }).optional(),
		}),
		answer: tenantSchema,
		errors: ["INVALID_SLUG", "SLUG_RESERVED", "TENANT_ALREADY_EXISTS"],
	},
	() => null,
	async (ctx, _, options) => {
		const { name, slug, metadata } = ctx.body;
		requireUsableSlug(slug, options.reservedSlugs);
		const tenant = await audited(
			ctx,
			() => insertTenant(ctx.context, { name, slug, metadata }),
			({ id }) => ({ action: "tenant:create", tenantId: id, detail: { name, slug } }),
		);
		return ctx.json(tenant);
	},
);
