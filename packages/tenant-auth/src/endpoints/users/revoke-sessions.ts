import * as z from "zod";
import { recordAuditEvent } from "../../audit/audit-store";
import { idSchema, namedTenantSchema } from "../../tenants/tenant";
import { endSessions } from "../../users/end-sessions";
import { requireUser } from "../../users/store";
import { managedTenantEndpoint, successAnswer } from "../define";

export const revokeTenantUserSessions = managedTenantEndpoint(
	"revokeTenantUserSessions",
	{
		description: "Revoke all sessions of a tenant's user",
		body: z.object({
			tenantId: namedTenantSchema,
			userId: idSchema.meta({ description: "The user" }),
		}),
		answer: successAnswer,
		errors: ["USER_NOT_FOUND"],
	},
	async (ctx, tenant) => {
		const { id } = await requireUser(ctx, tenant, ctx.body.userId);
		const { tenantId } = tenant;
		await endSessions(
			ctx.context,
			tenant,
			(sessions) => sessions.deleteUserSessions(id),
			() => recordAuditEvent(ctx, { action: "user:revoke-sessions", tenantId, targetId: id }),
		);
		return ctx.json({ success: true as const });
	},
);
