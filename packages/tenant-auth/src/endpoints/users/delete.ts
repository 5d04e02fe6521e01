import * as z from "zod";
import { recordAuditEvent } from "../../audit/audit-store";
import { requireInstance, runInScope } from "../../context/request-state";
import { tenantError } from "../../tenant-error";
import { idSchema, namedTenantSchema } from "../../tenants/tenant";
import { deleteUserAtomically } from "../../users/delete-user";
import { requireUser } from "../../users/store";
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
		const isDeleted = await runInScope(requireInstance(ctx.context), tenant, () =>
			deleteUserAtomically(ctx.context, id, () =>
				recordAuditEvent(ctx, { action: "user:delete", tenantId, targetId: id }),
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
