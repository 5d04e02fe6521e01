import * as z from "zod";
import { audited } from "../../audit/audit-store";
import { requirePossibleId } from "../../context/tenant-id";
import { markInStorage } from "../../isolation/suspension-mark";
import { eraseTenant } from "../../tenants/purge";
import { markErasing, requireTenant } from "../../tenants/store";
import { markUsersSuspended } from "../../tenants/suspension";
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
		// First, so that whatever fails in between leaves the tenant closed and not open.
		await markInStorage(ctx.context.options.secondaryStorage, tenantId, true);
		await audited(
			ctx,
			async () => {
				await markErasing(ctx.context, tenantId);
				await markUsersSuspended(ctx.context, tenant, true);
			},
			() => ({ action: "tenant:delete", tenantId, detail: { slug: tenant.slug } }),
		);
		await eraseTenant(ctx.context, tenant);
		return ctx.json({ success: true as const });
	},
);
