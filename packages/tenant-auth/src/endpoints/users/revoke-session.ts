import * as z from "zod";
import { recordAuditEvent } from "../../audit/audit-store";
import { idSchema, namedTenantSchema } from "../../tenants/tenant";
import { endSessions } from "../../users/end-sessions";
import { requireSession } from "../../users/session-store";
import { requireUser } from "../../users/store";
import { managedTenantEndpoint, successAnswer } from "../define";

export const revokeTenantSession = managedTenantEndpoint(
	"revokeTenantSession",
	{
		description: "Revoke a session of a tenant's user",
		body: z.object({
			tenantId: namedTenantSchema,
			userId: idSchema.meta({ description: "The user of the session" }),
			sessionId: idSchema.meta({ description: "The session" }),
		}),
		answer: successAnswer,
		errors: ["USER_NOT_FOUND", "SESSION_NOT_FOUND"],
	},
	async (ctx, tenant) => {
		const { userId, sessionId } = ctx.body;
		const { id } = await requireUser(ctx, tenant, userId);
		const { token } = await requireSession(ctx.context, tenant, { userId: id, sessionId });
		const { tenantId } = tenant;
		const event = {
			action: "session:revoke",
			tenantId,
			targetId: id,
			detail: { sessionId },
		} as const;
		await endSessions(
			ctx.context,
			tenant,
			(sessions) => sessions.deleteSession(token),
			() => recordAuditEvent(ctx, event),
		);
		return ctx.json({ success: true as const });
	},
);
