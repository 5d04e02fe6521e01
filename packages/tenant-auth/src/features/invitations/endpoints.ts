import type { GenericEndpointContext } from "@better-auth/core";
import { APIError } from "@better-auth/core/error";
import { generateRandomString } from "better-auth/crypto";
import * as z from "zod";
import { requireInstance, requireState, runInScope } from "../../call/context/current-state";
import { leadToTenantHost } from "../../call/context/host-links";
import { findSignUpProblem } from "../../call/context/policy-check";
import { scopeOf, type TenantScope, tenantIdOf } from "../../call/context/tenant";
import { policyIn } from "../../call/policy/tenant-policy";
import { digest } from "../../database/digest";
import { text } from "../../described";
import { emailSchema } from "../../email-address";
import { findActingMember, requireGrantable } from "../../management/access/acting-member";
import { storedRole } from "../../management/access/roles";
import { requireActor } from "../../management/audit/audit-event";
import { audited, recordAuditEvent } from "../../management/audit/audit-store";
import { idSchema, namedTenantSchema, toTenant } from "../../management/tenants/tenant";
import { tenantError } from "../../tenant-error";
import { endpointsOf, successResponse } from "../endpoints/define";
import { listPart, listResponse, pageFields, requestedPart } from "../endpoints/lists";
import { callbackSchema } from "../endpoints/sign-in/link";
import { INVITATION_ERRORS } from "./error-codes";
import {
	type InvitationRow,
	type InvitedUser,
	invitationSchema,
	normalizeEmail,
	toInvitation,
} from "./invitation";
import { invitationOptions } from "./options";
import { INVITATION_ROUTES } from "./routes";
import { changeUnfinished, listInvitations, replaceInvitation, requireUnfinished } from "./store";

const { managedTenantEndpoint } = endpointsOf(INVITATION_ROUTES, INVITATION_ERRORS);

const DAY = 24 * 60 * 60;
const DEFAULT_SECONDS = 7 * DAY;
const TOKEN_LENGTH = 32;

/** What a new invitation and a resent one have in common. */
const delivery = {
	expiresIn: z
		.int()
		.min(5 * 60)
		.max(30 * DAY)
		.meta({ description: "Seconds until it expires; default 7 days, at most 30" })
		.optional(),
	callbackURL: callbackSchema
		.meta({ description: "Where the link in the email leads, with ?token=; default /" })
		.optional(),
};

const sentResponse = invitationSchema.extend({
	token: text("Only without the option sendInvitation: what your app has to send").optional(),
	url: text("The same: the link with the token").optional(),
});

export const createTenantInvitation = managedTenantEndpoint(
	"createTenantInvitation",
	{
		description: "Invite somebody by email; it replaces an older invitation of the same email",
		body: z.object({
			tenantId: namedTenantSchema,
			email: emailSchema.meta({ description: "Who is invited" }),
			role: z
				.string()
				.min(1)
				.max(64)
				.meta({ description: "owner, admin, member or a role of the app" }),
			...delivery,
		}),
		response: sentResponse,
		errors: ["ROLE_NOT_FOUND", "SIGN_UP_NOT_ALLOWED", "EMAIL_DOMAIN_NOT_ALLOWED"],
	},
	async (ctx, tenant, options) => {
		const { role } = ctx.body;
		requireGrantable(options, role);
		const email = normalizeEmail(ctx.body.email);
		await requireAcceptable(ctx, tenant, email);
		await invitationOptions(ctx).checkInvitation?.({ email, tenantId: tenant.tenantId });
		const { token, url, ...values } = await prepare(ctx, tenant);
		const row = await replaceInvitation(
			ctx.context,
			tenant,
			email,
			{ ...values, role, token },
			({ id }) =>
				recordAuditEvent(ctx, {
					action: "invitation:create",
					tenantId: tenant.tenantId,
					targetId: id,
					detail: { role },
				}),
		);
		return ctx.json(await deliver(ctx, row, { token, url }));
	},
);

export const resendTenantInvitation = managedTenantEndpoint(
	"resendTenantInvitation",
	{
		description: "Send an invitation again, with a new token; the old one works no longer",
		body: z.object({
			tenantId: namedTenantSchema,
			invitationId: idSchema.meta({ description: "The invitation" }),
			...delivery,
		}),
		response: sentResponse,
		errors: ["INVITATION_NOT_FOUND", "SIGN_UP_NOT_ALLOWED", "EMAIL_DOMAIN_NOT_ALLOWED"],
	},
	async (ctx, tenant, options) => {
		const { token, url, ...values } = await prepare(ctx, tenant);
		const tokenDigest = await digest(token);
		const row = await audited(
			ctx,
			async () => {
				const old = await requireUnfinished(ctx.context, tenant, ctx.body.invitationId);
				// The caller may get the new token.
				requireGrantable(options, old.role);
				await requireAcceptable(ctx, tenant, old.email);
				await invitationOptions(ctx).checkInvitation?.({
					email: old.email,
					tenantId: tenant.tenantId,
				});
				await changeUnfinished(ctx.context, old, { ...values, tokenDigest });
				return { ...old, ...values };
			},
			({ id, tenantId }) => ({ action: "invitation:resend", tenantId, targetId: id }),
		);
		return ctx.json(await deliver(ctx, row, { token, url }));
	},
);

export const revokeTenantInvitation = managedTenantEndpoint(
	"revokeTenantInvitation",
	{
		description: "Revoke an invitation that was not accepted yet",
		body: z.object({
			tenantId: namedTenantSchema,
			invitationId: idSchema.meta({ description: "The invitation" }),
		}),
		response: successResponse,
		errors: ["INVITATION_NOT_FOUND"],
	},
	async (ctx, tenant) => {
		await audited(
			ctx,
			async () => {
				const row = await requireUnfinished(ctx.context, tenant, ctx.body.invitationId);
				await changeUnfinished(ctx.context, row, { revokedAt: new Date() });
				return row;
			},
			({ id, tenantId }) => ({ action: "invitation:revoke", tenantId, targetId: id }),
		);
		return ctx.json({ success: true as const });
	},
);

export const listTenantInvitations = managedTenantEndpoint(
	"listTenantInvitations",
	{
		description:
			"List a tenant's invitations, newest first; the header x-total-count has their number",
		query: z.object({ tenantId: namedTenantSchema, ...pageFields }).optional(),
		response: listResponse(invitationSchema),
		errors: ["INVALID_CURSOR"],
	},
	async (ctx, tenant) => {
		const part = await requestedPart(ctx, { name: "invitations", ...tenant, order: "newest" });
		const page = await listInvitations(ctx.context, tenant, part);
		return ctx.json(await listPart(ctx, page.rows.map(toInvitation), page, part));
	},
);

/** Nobody could accept an invitation for somebody who has no account yet and may not sign up. */
async function requireAcceptable(
	{ context }: GenericEndpointContext,
	scope: TenantScope,
	email: string,
): Promise<void> {
	const tenant = await requireState(context).readTenant(scope.tenantId);
	const problem = tenant && findSignUpProblem(policyIn(tenant), { email, invited: true });
	if (!problem) return;
	const user = await runInScope(requireInstance(context), scope, () =>
		context.internalAdapter.findUserByEmail(email),
	);
	if (!user) throw tenantError(problem);
}

/** A new token with its link, and what belongs to it. */
async function prepare(
	ctx: GenericEndpointContext & {
		body: { expiresIn?: number | undefined; callbackURL?: string | undefined };
	},
	{ tenantId }: TenantScope,
) {
	const { expiresIn = DEFAULT_SECONDS, callbackURL = "/" } = ctx.body;
	const token = generateRandomString(TOKEN_LENGTH, "a-z", "A-Z", "0-9");
	const link = linkTo(ctx, callbackURL, token);
	return {
		...inviterOf(ctx, tenantId),
		expiresAt: new Date(Date.now() + expiresIn * 1000),
		sentAt: invitationOptions(ctx).sendInvitation ? new Date() : null,
		token,
		url: await leadToTenantHost(ctx.context, tenantId, link, [callbackURL]),
	};
}

/** The caller, if it is a user of the tenant. The invitation is valid only as long as they are. */
function inviterOf({ context }: GenericEndpointContext, tenantId: string) {
	const member = findActingMember();
	if (member) return { invitedBy: member.userId, inviterRole: storedRole(member.role) };
	const user: (InvitedUser & { tenantId?: unknown }) | undefined = context.session?.user;
	const isOfTenant = user && user.id === requireActor().id && tenantIdOf(user) === tenantId;
	if (!isOfTenant) return { invitedBy: null, inviterRole: null };
	return { invitedBy: user.id, inviterRole: user.tenantRole ?? null };
}

/** Better Auth has checked the URL of a request. Server code is trusted. */
function linkTo({ context }: GenericEndpointContext, callbackURL: string, token: string): string {
	if (!URL.canParse(callbackURL, context.baseURL || undefined)) {
		throw new APIError("BAD_REQUEST", {
			code: "VALIDATION_ERROR",
			message: "[body.callbackURL] The base URL is not known here, so an absolute URL is needed",
		});
	}
	const url = new URL(callbackURL, context.baseURL || undefined);
	url.searchParams.set("token", token);
	return url.href;
}

/** Sends the email, or returns the token to the caller. */
async function deliver(
	ctx: GenericEndpointContext,
	row: InvitationRow,
	{ token, url }: { token: string; url: string },
): Promise<z.output<typeof sentResponse>> {
	const invitation = toInvitation(row);
	const { sendInvitation } = invitationOptions(ctx);
	if (!sendInvitation) return { ...invitation, token, url };
	const tenantRow = await requireState(ctx.context).readTenant(row.tenantId);
	if (!tenantRow) throw tenantError("TENANT_NOT_FOUND");
	const tenant = toTenant(tenantRow);
	await ctx.context.runInBackgroundOrAwait(
		runInScope(requireInstance(ctx.context), scopeOf(tenantRow), async () =>
			sendInvitation({ invitation, tenant, url, token }, ctx.request),
		),
	);
	return invitation;
}
