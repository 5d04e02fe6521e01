import * as z from "zod";
import { requirePossibleId } from "../../context/tenant-id";
import { findTenantRow } from "../../context/tenant-row";
import { requireTenant } from "../../tenants/store";
import { idSchema, tenantSchema, toTenant } from "../../tenants/tenant";
import { managementEndpoint } from "../define";

const id = idSchema.meta({ description: "The tenant's id" });
const slug = idSchema.meta({ description: "The tenant's slug" });
const missing = z.undefined().optional();

export const getTenant = managementEndpoint(
	"getTenant",
	{
		description: "Get a tenant by id or by slug",
		query: z.union([z.object({ id, slug: missing }), z.object({ slug, id: missing })], {
			error: "Exactly one of id and slug is required",
		}),
		answer: tenantSchema,
		errors: ["TENANT_NOT_FOUND"],
	},
	// The check is about the tenant that has the slug.
	async ({ query, context }) =>
		query.id ?? (await findTenantRow(context, "slug", query.slug))?.id ?? null,
	async (ctx, tenantId) => {
		const possibleId = requirePossibleId(ctx, tenantId ?? "");
		return ctx.json(toTenant(await requireTenant(ctx.context, "id", possibleId)));
	},
);
