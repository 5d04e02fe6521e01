import * as z from "zod";
import { audited } from "../../audit/audit-store";
import { requirePossibleId } from "../../context/tenant-id";
import { purgeTenant } from "../../tenants/purge";
import { requireTenant, startDeletion } from "../../tenants/store";
import { idSchema } from "../../tenants/tenant";
import { managementEndpoint, successAnswer } from "../define";

export const deleteTenant = managementEndpoint(
	"deleteTenant",
	{
		description: "Delete a tenant with its users, sessions, accounts and OAuth configs",
		body: z.object({ tenantId: idSchema.meta({ description: "The tenant's id" }) }),
		answer: successAnswer,
		errors: ["TENANT_NOT_FOUND"],
	},
	({ body }) => body.tenantId,
	async (ctx, tenantId) => {
		const tenant = await requireTenant(ctx.context, "id", requirePossibleId(ctx, tenantId));
		await audited(
			ctx,
			() => startDeletion(ctx.context, tenantId),
			() => ({ action: "tenant:delete", tenantId, detail: { slug: tenant.slug } }),
		);
		await purgeTenant(ctx.context, tenant);
		return ctx.json({ success: true as const });
	},
);
