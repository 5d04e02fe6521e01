import * as z from "zod";
import { changeSuspension } from "../../tenants/suspension";
import { namedTenantSchema, tenantSchema, toTenant } from "../../tenants/tenant";
import { managedTenantEndpoint } from "../define";

export const suspendTenant = managedTenantEndpoint(
	"suspendTenant",
	{
		description: "Suspend a tenant: nobody can sign in and no session is valid until it is resumed",
		body: z.object({ tenantId: namedTenantSchema }),
		answer: tenantSchema,
	},
	async (ctx, { tenantId }) => ctx.json(toTenant(await changeSuspension(ctx, tenantId, "suspend"))),
);
