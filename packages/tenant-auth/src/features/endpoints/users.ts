import { requestPasswordReset } from "better-auth/api";
import * as z from "zod";
import { requireInstance, runInScope } from "../../call/context/current-state";
import { date, text } from "../../described";
import { requireUser } from "../../management/access/reachable-user";
import { isRole } from "../../management/access/roles";
import { recordAuditEvent } from "../../management/audit/audit-store";
import { listPasskeys, passkeySchema } from "../../management/users/passkeys";
import { tenantSessionSchema, toTenantSession } from "../../management/users/session-store";
import {
	areNamesIndexed,
	deleteUserAtomically,
	listAccounts,
	listSessionsOf,
	listUsers,
	USER_STATUSES,
} from "../../management/users/store";
import { tenantError } from "../../tenant-error";
import { managedTenantEndpoint, managedUserEndpoint, successResponse, userBody } from "./define";
import { dispatchCore } from "./dispatch-core";
import {
	listPart,
	listResponse,
	requestedPart,
	requestedSort,
	sortSchema,
	tenantListQuery,
} from "./lists";
import { userOutput, userResponse } from "./sign-in/session-response";

const MAX_IDS = 100;

const query = tenantListQuery("A part of the name or of the email").extend({
	status: z
		.enum(USER_STATUSES)
		.meta({ description: "Only users who are active, disabled, or whose email is not verified" })
		.optional(),
	sort: sortSchema("email", "name")
		.meta({ description: "By this text, with a minus from the end; without search and order" })
		.optional(),
	role: z.string().min(1).max(64).meta({ description: "Only users with this role" }).optional(),
	ids: z
		.string()
		.max(MAX_IDS * 256)
		.refine((text) => text.split(",").length <= MAX_IDS, `ids must name at most ${MAX_IDS} users`)
		.meta({ description: "Only these users, by their ids with commas between them; at most 100" })
		.optional(),
});

export const listTenantUsers = managedTenantEndpoint(
	"listTenantUsers",
	{
		description: "List a tenant's users, newest first; the header x-total-count has their number",
		query: query.optional(),
		response: listResponse(userResponse),
		errors: ["INVALID_CURSOR", "ROLE_NOT_FOUND", "SORT_NOT_AVAILABLE"],
	},
	async (ctx, tenant, options) => {
		const { search, status, role, ids } = ctx.query ?? {};
		// A database that ignores case would find other roles too.
		if (role !== undefined && !isRole(options.roles, role)) throw tenantError("ROLE_NOT_FOUND");
		const part = await requestedPart(ctx, { name: "users", ...tenant, order: "newest" });
		const sort = requestedSort(ctx.query);
		if (sort?.field === "name" && !areNamesIndexed(ctx.context)) {
			const message = "Users are sorted by name only with an index over tenantId and name";
			throw tenantError("SORT_NOT_AVAILABLE", { message });
		}
		const filters = { status, role, ids: ids?.split(",") };
		const page = await listUsers(ctx.context, tenant, { ...part, search, sort }, filters);
		const users = page.rows.map((user) => userOutput(ctx.context, user));
		return ctx.json(await listPart(ctx, users, page, part));
	},
);

const accountResponse = z.object({
	id: text("Unique id"),
	providerId: text("The provider, or credential for a password"),
	accountId: text("The user's id at the provider"),
	createdAt: date("When the account was created"),
});

export const getTenantUser = managedTenantEndpoint(
	"getTenantUser",
	{
		description: "Get a user of a tenant with accounts, passkeys and sessions",
		query: userBody,
		response: z.object({
			user: userResponse,
			accounts: z.array(accountResponse),
			passkeys: z.array(passkeySchema),
			sessions: z.array(tenantSessionSchema),
		}),
		errors: ["USER_NOT_FOUND"],
	},
	async (ctx, tenant) => {
		const user = await requireUser(ctx, tenant, ctx.query.userId);
		const accounts = await listAccounts(ctx.context, tenant, user.id);
		const passkeys = await listPasskeys(ctx.context, tenant, user.id);
		const sessions = await listSessionsOf(ctx.context, tenant, user.id);
		return ctx.json({
			user: userOutput(ctx.context, user),
			accounts: accounts.map(({ id, providerId, accountId, createdAt }) => ({
				id,
				providerId,
				accountId,
				createdAt,
			})),
			passkeys,
			sessions: sessions.map((session) => toTenantSession(session, user)),
		});
	},
);

export const deleteTenantUser = managedUserEndpoint(
	"deleteTenantUser",
	{
		description: "Delete a user of a tenant with accounts and sessions",
		body: userBody,
		response: successResponse,
		errors: ["LAST_OWNER", "USER_NOT_DELETED", "STORAGE_UNAVAILABLE"],
	},
	async (ctx, tenant, { user: { id }, recheck }) => {
		const isDeleted = await runInScope(requireInstance(ctx.context), tenant, () =>
			deleteUserAtomically(ctx.context, id, {
				before: recheck,
				alongside: () => recordAuditEvent(ctx, { action: "user:delete", ...tenant, targetId: id }),
			}),
		);
		if (!isDeleted) {
			// Of two concurrent calls, the second one gets the same error as a later call.
			await requireUser(ctx, tenant, id);
			throw tenantError("USER_NOT_DELETED");
		}
		return ctx.json({ success: true as const });
	},
);

const resetBody = userBody.extend({
	redirectTo: z
		.string()
		.max(2048)
		.meta({ description: "Where the link in the email leads, with the token" })
		.optional(),
});

export const sendTenantPasswordReset = managedUserEndpoint(
	"sendTenantPasswordReset",
	{
		description: "Send a user of a tenant the email to choose a new password",
		body: resetBody,
		response: successResponse,
	},
	async (ctx, tenant, { user: { id, email } }) => {
		const { redirectTo } = ctx.body;
		await runInScope(requireInstance(ctx.context), tenant, () =>
			dispatchCore(ctx, requestPasswordReset, {
				body: { email, ...(redirectTo ? { redirectTo } : {}) },
				method: "POST",
			}),
		);
		await recordAuditEvent(ctx, { action: "user:send-password-reset", ...tenant, targetId: id });
		return ctx.json({ success: true as const });
	},
);
