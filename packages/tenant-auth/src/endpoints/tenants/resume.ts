import * as z from "zod";
import { changeSuspension } from "../../tenants/suspension";
import { namedTenantSchema, tenantSchema, toTenant } from "../../tenants/tenant";
import { managedTenantEndpoint } from "../define";

export const resumeTenant = managedTenantEndpoint(
	"resumeTenant",
	{
		description: "Resume a suspended tenant: its old sessions are valid again",
		body: z.object({ tenantId: namedTenantSchema }),
		answer: tenantSchema,
	},
	async (ctx, { tenantId }) => ctx.json(toTenant(await changeSuspension(ctx, tenantId, "resume"))),
);
