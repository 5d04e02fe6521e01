import { createAuthEndpoint } from "better-auth/api";
import * as z from "zod";
import { requirePossibleId } from "../../context/tenant-id";
import { findTenantRow } from "../../context/tenant-row";
import { requireManagement } from "../../management/authorize";
import type { ResolvedOptions } from "../../options";
import { requireTenant } from "../../tenants/store";
import { idSchema, toTenant } from "../../tenants/tenant";
import { openapi, tenantAnswer } from "../openapi";

const query = z
	.object({
		id: idSchema.meta({ description: "The tenant's id" }).optional(),
		slug: idSchema.meta({ description: "The tenant's slug" }).optional(),
	})
	.refine(({ id, slug }) => (id === undefined) !== (slug === undefined), {
		message: "Exactly one of id and slug is required",
	});

export const getTenant = (options: ResolvedOptions) =>
	createAuthEndpoint(
		"/tenant/get",
		{
			method: "GET",
			query,
			metadata: {
				openapi: openapi("getTenant", "Get a tenant by id or by slug", tenantAnswer, [
					"TENANT_NOT_FOUND",
					"TENANT_MANAGEMENT_NOT_ALLOWED",
				]),
			},
		},
		async (ctx) => {
			const { id, slug } = ctx.query;
			// The check is about the tenant that the slug stands for.
			const tenantId = id ?? (await findTenantRow(ctx.context, "slug", slug as string))?.id ?? null;
			await requireManagement(ctx, options, { action: "tenant:get", tenantId });
			const possibleId = requirePossibleId(ctx, tenantId ?? "");
			return ctx.json(toTenant(await requireTenant(ctx.context, "id", possibleId)));
		},
	);
