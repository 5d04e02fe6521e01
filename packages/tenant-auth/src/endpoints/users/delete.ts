import * as z from "zod";
import { recordDeed } from "../../audit/audit-store";
import { runInScope } from "../../context/scope";
import { requireActor } from "../../management/actor";
import { tenantError } from "../../tenant-error";
import { idSchema, namedTenantSchema } from "../../tenants/tenant";
import { requireUser } from "../../users/store";
import { deleteUserWhole } from "../../users/whole-user-deletion";
import { managedTenantEndpoint, successAnswer } from "../define";

export const deleteTenantUser = managedTenantEndpoint(
	"deleteTenantUser",
	{
		description: "Delete a user of a tenant with accounts and sessions",
		body: z.object({
			tenantId: namedTenantSchema,
			userId: idSchema.meta({ description: "The user" }),
		}),
		answer: successAnswer,
		errors: ["USER_NOT_FOUND", "USER_NOT_DELETED"],
	},
	async (ctx, tenant) => {
		const { id } = await requireUser(ctx, tenant, ctx.body.userId);
		const { tenantId } = tenant;
		const actor = await requireActor();
		const isDeleted = await runInScope(tenant, () =>
			deleteUserWhole(ctx.context, id, () =>
				recordDeed(ctx, { action: "user:delete", tenantId, targetId: id }, actor),
			),
		);
		if (!isDeleted) {
			// Of two concurrent calls, the second one gets the same error as a later call.
			await requireUser(ctx, tenant, id);
			throw tenantError("USER_NOT_DELETED");
		}
		return ctx.json({ success: true as const });
	},
);
