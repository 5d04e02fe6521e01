import { setSessionCookie } from "better-auth/cookies";
import * as z from "zod";
import { requireInstance, requireState, runInScope } from "../../call/context/current-state";
import { requireOpen } from "../../call/context/gate";
import { policyIn } from "../../call/policy/tenant-policy";
import { toReturned } from "../../database/row-fields";
import { flag, text } from "../../described";
import { lacksSecondFactor } from "../../isolation/session-policy";
import { requireReachableUser } from "../../management/access/reachable-user";
import { requireActor } from "../../management/audit/audit-event";
import { audited } from "../../management/audit/audit-store";
import { idSchema, namedTenantSchema } from "../../management/tenants/tenant";
import { createImpersonation } from "../../management/users/impersonation";
import { disabledAtOf } from "../../management/users/managed-users";
import { tenantSessionSchema, toTenantSession } from "../../management/users/session-store";
import { tenantError } from "../../tenant-error";
import { managedTenantEndpoint } from "./define";
import { userResponse } from "./sign-in/session-response";
import { storable } from "./user-fields";

export const impersonateTenantUser = managedTenantEndpoint(
	"impersonateTenantUser",
	{
		description: "Create a session of a tenant's user for somebody else; it lasts an hour at most",
		body: z.object({
			tenantId: namedTenantSchema,
			userId: idSchema.meta({ description: "The user" }),
			reason: storable(500)
				.trim()
				.min(1)
				.meta({ description: "Why; 1 to 500 characters for the audit log" }),
			setCookie: flag("Whether to sign in the calling browser; default false").optional(),
		}),
		response: z.object({
			token: text("The session's token"),
			session: tenantSessionSchema,
			user: userResponse,
		}),
		errors: [
			"USER_NOT_FOUND",
			"ROLE_NOT_ALLOWED",
			"USER_DISABLED",
			"SECOND_FACTOR_MISSING",
			"TENANT_SUSPENDED",
			"USER_NOT_SAVED",
		],
	},
	async (ctx, tenant, options) => {
		const { tenantId } = tenant;
		const { userId, reason, setCookie } = ctx.body;
		// Nobody has a session in a suspended tenant.
		const open = requireOpen(await requireState(ctx.context).readTenant(tenantId));
		const { user, recheck } = await requireReachableUser(ctx, tenant, options, userId);
		if (disabledAtOf(user)) throw tenantError("USER_DISABLED");
		// Otherwise the session would be valid nowhere, and nobody would know why.
		if (lacksSecondFactor(policyIn(open.tenant), user)) throw tenantError("SECOND_FACTOR_MISSING");
		const session = await runInScope(requireInstance(ctx.context), tenant, () =>
			audited(
				ctx,
				async () => {
					await recheck();
					const created = await createImpersonation(ctx.context, user, requireActor());
					if (!created) throw tenantError("USER_NOT_SAVED");
					return created;
				},
				({ id }) => ({
					action: "user:impersonate",
					tenantId,
					targetId: user.id,
					detail: { reason, sessionId: id },
				}),
			),
		);
		if (setCookie) await setSessionCookie(ctx, { session, user }, true);
		return ctx.json({
			token: session.token,
			session: toTenantSession(session, user),
			user: toReturned(ctx.context, "user", user) as z.output<typeof userResponse>,
		});
	},
);
