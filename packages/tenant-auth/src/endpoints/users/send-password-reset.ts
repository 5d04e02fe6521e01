import { requestPasswordReset } from "better-auth/api";
import * as z from "zod";
import { recordAuditEvent } from "../../audit/audit-store";
import { requireInstance, runInScope } from "../../context/request-state";
import { idSchema, namedTenantSchema } from "../../tenants/tenant";
import { requireUser } from "../../users/store";
import { managedTenantEndpoint, successAnswer } from "../define";
import { dispatchCore } from "../dispatch-core";

const body = z.object({
	tenantId: namedTenantSchema,
	userId: idSchema.meta({ description: "The user" }),
	redirectTo: z
		.string()
		.max(2048)
		.meta({ description: "Where the link in the email leads, with the token" })
		.optional(),
});

export const sendTenantPasswordReset = managedTenantEndpoint(
	"sendTenantPasswordReset",
	{
		description: "Send a user of a tenant the email to choose a new password",
		body,
		answer: successAnswer,
		errors: ["USER_NOT_FOUND"],
	},
	async (ctx, tenant) => {
		const { id, email } = await requireUser(ctx, tenant, ctx.body.userId);
		const { redirectTo } = ctx.body;
		await runInScope(requireInstance(ctx.context), tenant, () =>
			dispatchCore(ctx, requestPasswordReset, {
				body: { email, ...(redirectTo ? { redirectTo } : {}) },
				method: "POST",
			}),
		);
		const { tenantId } = tenant;
		await recordAuditEvent(ctx, { action: "user:send-password-reset", tenantId, targetId: id });
		return ctx.json({ success: true as const });
	},
);
