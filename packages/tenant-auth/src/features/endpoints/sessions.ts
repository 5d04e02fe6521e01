import * as z from "zod";
import { requireReachableUser } from "../../management/access/reachable-user";
import { recordAuditEvent } from "../../management/audit/audit-store";
import { idSchema, namedTenantSchema } from "../../management/tenants/tenant";
import {
	endSessions,
	listSessions,
	requireSession,
	tenantSessionSchema,
} from "../../management/users/session-store";
import { managedTenantEndpoint, successResponse } from "./define";
import { listPart, listResponse, requestedPart, tenantListQuery } from "./lists";

export const listTenantSessions = managedTenantEndpoint(
	"listTenantSessions",
	{
		description:
			"List a tenant's sessions, newest first; the header x-total-count has their number",
		query: tenantListQuery("A part of the user's name or email").optional(),
		response: listResponse(tenantSessionSchema),
		errors: ["SESSIONS_NOT_LISTED", "INVALID_CURSOR"],
	},
	async (ctx, tenant) => {
		const part = await requestedPart(ctx, { name: "sessions", ...tenant, order: "newest" });
		const page = await listSessions(ctx.context, tenant, { ...part, search: ctx.query?.search });
		return ctx.json(await listPart(ctx, page.rows, page, part));
	},
);

export const revokeTenantSession = managedTenantEndpoint(
	"revokeTenantSession",
	{
		description: "Revoke a session of a tenant's user",
		body: z.object({
			tenantId: namedTenantSchema,
			userId: idSchema.meta({ description: "The user of the session" }),
			sessionId: idSchema.meta({ description: "The session" }),
		}),
		response: successResponse,
		errors: ["USER_NOT_FOUND", "ROLE_NOT_ALLOWED", "SESSION_NOT_FOUND", "STORAGE_UNAVAILABLE"],
	},
	async (ctx, tenant, options) => {
		const { userId, sessionId } = ctx.body;
		const { user, recheck } = await requireReachableUser(ctx, tenant, options, userId);
		const { id } = user;
		const { token } = await requireSession(ctx.context, tenant, { userId: id, sessionId });
		const { tenantId } = tenant;
		const event = {
			action: "session:revoke",
			tenantId,
			targetId: id,
			detail: { sessionId },
		} as const;
		await endSessions(ctx.context, tenant, { userId: id, token }, async () => {
			await recheck();
			await recordAuditEvent(ctx, event);
		});
		return ctx.json({ success: true as const });
	},
);

export const revokeTenantUserSessions = managedTenantEndpoint(
	"revokeTenantUserSessions",
	{
		description: "Revoke all sessions of a tenant's user",
		body: z.object({
			tenantId: namedTenantSchema,
			userId: idSchema.meta({ description: "The user" }),
		}),
		response: successResponse,
		errors: ["USER_NOT_FOUND", "ROLE_NOT_ALLOWED", "STORAGE_UNAVAILABLE"],
	},
	async (ctx, tenant, options) => {
		const { user, recheck } = await requireReachableUser(ctx, tenant, options, ctx.body.userId);
		const { id } = user;
		const { tenantId } = tenant;
		await endSessions(ctx.context, tenant, { userId: id }, async () => {
			await recheck();
			await recordAuditEvent(ctx, { action: "user:revoke-sessions", tenantId, targetId: id });
		});
		return ctx.json({ success: true as const });
	},
);
