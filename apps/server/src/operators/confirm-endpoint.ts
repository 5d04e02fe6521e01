import { createAuthEndpoint } from "better-auth/api";
import * as z from "zod";
import { type Access, allows } from "./access";
import { operatorError } from "./errors";
import { requirePasswordOf } from "./own-password";
import { ACTIONS, type Action } from "./permissions";
import { requireCaller } from "./require-caller";

/**
 * For what a session alone must not be enough: somebody may have left the browser open. Routes of the service
 * ask it before they begin, on behalf of the caller.
 */
export const confirmEndpoint = (access: Access) => ({
	confirmOperator: createAuthEndpoint(
		"/operator/confirm",
		{
			method: "POST",
			body: z.strictObject({
				action: z.enum(ACTIONS as [Action, ...Action[]]).meta({ description: "The action" }),
				tenantId: z
					.string()
					.max(255)
					.nullable()
					.meta({ description: "The tenant that it concerns; null for none or all of them" }),
				currentPassword: z
					.string()
					.max(1000)
					.meta({ description: "The password of the operator; a key needs none" })
					.optional(),
			}),
			metadata: {
				openapi: {
					description: "Whether the caller may do something that needs the password again",
				},
			},
		},
		async (ctx) => {
			const { action, tenantId, currentPassword = "" } = ctx.body;
			const { caller, session } = await requireCaller(ctx, access);
			if (!allows(caller, action, tenantId)) throw operatorError("TENANT_MANAGEMENT_NOT_ALLOWED");
			const { id } = caller.actor;
			if (session.kind === "session") await requirePasswordOf(ctx, id ?? "", currentPassword);
			return ctx.json({ actor: caller.actor });
		},
	),
});
