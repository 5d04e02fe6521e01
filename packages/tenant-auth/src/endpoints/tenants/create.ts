import { createAuthEndpoint } from "better-auth/api";
import * as z from "zod";
import { audited } from "../../audit/audit-store";
import { requireManagement } from "../../management/authorize";
import type { ResolvedOptions } from "../../options";
import { requireUsableSlug } from "../../tenants/slug";
import { insertTenant } from "../../tenants/store";
import { metadataSchema, nameSchema } from "../../tenants/tenant";
import { openapi, tenantAnswer } from "../openapi";

const body = z.object({
	name: nameSchema.meta({ description: "Display name" }),
	slug: z.string().meta({ description: "Unique URL-friendly id" }),
	metadata: metadataSchema.meta({ description: "Any JSON object" }).optional(),
});

export const createTenant = (options: ResolvedOptions) =>
	createAuthEndpoint(
		"/tenant/create",
		{
			method: "POST",
			body,
			metadata: {
				openapi: openapi("createTenant", "Create a tenant", tenantAnswer, [
					"INVALID_SLUG",
					"SLUG_RESERVED",
					"TENANT_ALREADY_EXISTS",
					"TENANT_MANAGEMENT_NOT_ALLOWED",
				]),
			},
		},
		async (ctx) => {
			await requireManagement(ctx, options, { action: "tenant:create", tenantId: null });
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
