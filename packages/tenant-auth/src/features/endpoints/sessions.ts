import { idSchema } from "../../management/tenants/tenant";
import {
	endSessionsWith,
	listSessions,
	requireSession,
	tenantSessionSchema,
} from "../../management/users/session-store";
import {
	managedTenantEndpoint,
	managedUserEndpoint,
	successResponse,
	tenantBody,
	userBody,
} from "./define";
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

export const revokeTenantSession = managedUserEndpoint(
	"revokeTenantSession",
	{
		description: "Revoke a session of a tenant's user",
		body: tenantBody.extend({
			userId: idSchema.meta({ description: "The user of the session" }),
			sessionId: idSchema.meta({ description: "The session" }),
		}),
		response: successResponse,
		errors: ["SESSION_NOT_FOUND", "STORAGE_UNAVAILABLE"],
	},
	async (ctx, tenant, found) => {
		const { sessionId } = ctx.body;
		const { id: userId } = found.user;
		const { token } = await requireSession(ctx.context, tenant, { userId, sessionId });
		const describe = () => ({ action: "session:revoke", detail: { sessionId } }) as const;
		await endSessionsWith(ctx, tenant, found, async () => {}, describe, token);
		return ctx.json({ success: true as const });
	},
);

export const revokeTenantUserSessions = managedUserEndpoint(
	"revokeTenantUserSessions",
	{
		description: "Revoke all sessions of a tenant's user",
		body: userBody,
		response: successResponse,
		errors: ["STORAGE_UNAVAILABLE"],
	},
	async (ctx, tenant, user) => {
		const describe = () => ({ action: "user:revoke-sessions" }) as const;
		await endSessionsWith(ctx, tenant, user, async () => {}, describe);
		return ctx.json({ success: true as const });
	},
);
