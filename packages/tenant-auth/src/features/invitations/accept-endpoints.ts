import type { GenericEndpointContext } from "@better-auth/core";
import { getSessionFromCtx } from "better-auth/api";
import * as z from "zod";
import { requireState } from "../../call/context/current-state";
import { resetAndEnter } from "../../call/context/gate";
import type { TenantRow } from "../../call/context/tenant";
import { findNamedTenantId } from "../../call/context/tenant-id";
import { date } from "../../described";
import { namedTenantSchema } from "../../management/tenants/tenant";
import type { ResolvedOptions } from "../../options";
import { endpointsOf } from "../endpoints/define";
import { acceptInvitation, mayAccept } from "./accept";
import { INVITATION_ERRORS } from "./error-codes";
import { type InvitationRow, type InvitedUser, normalizeEmail } from "./invitation";
import { invitationNotFound } from "./invitation-error";
import { setInvitationCookie } from "./presented";
import { INVITATION_ROUTES } from "./routes";
import { findPending, hasInviter } from "./store";

const { publicEndpoint } = endpointsOf(INVITATION_ROUTES, INVITATION_ERRORS);

const tokenSchema = z.string().min(1).max(128).meta({ description: "The token of the link" });

const text = z.string();

const response = z.object({
	tenant: z.object({ id: text, name: text, slug: text }),
	email: text.meta({ description: "Who is invited" }),
	role: text.meta({ description: "The role that the invitation gives" }),
	expiresAt: date("When the invitation expires"),
});

/** Public: anyone who has the token may see what an accept page shows. */
export const getTenantInvitation = publicEndpoint(
	"getTenantInvitation",
	{
		description: "What a page shows to somebody who opens the link of an invitation",
		query: z.object({ tenantId: namedTenantSchema, token: tokenSchema }),
		response,
		errors: ["INVITATION_NOT_FOUND", "TENANT_SUSPENDED"],
	},
	async (ctx, options) => {
		const found = await enterTenantOfInvitation(ctx, options, ctx.query.token);
		return ctx.json(toResponse(found));
	},
);

export const acceptTenantInvitation = publicEndpoint(
	"acceptTenantInvitation",
	{
		description:
			"Accept an invitation as the signed-in user, or with the next sign-up or sign-in of this browser",
		body: z.object({ tenantId: namedTenantSchema, token: tokenSchema }),
		response: response.extend({
			status: z.enum(["accepted", "sign-in-required", "verification-required"]).meta({
				description:
					"sign-in-required: sign up or in with this email; verification-required: verify the email of your account first",
			}),
		}),
		errors: ["INVITATION_NOT_FOUND", "TENANT_SUSPENDED"],
	},
	async (ctx, options) => {
		const found = await enterTenantOfInvitation(ctx, options, ctx.body.token);
		const user = await findInvitedUser(ctx, found.invitation);
		if (!user || !mayAccept(user)) {
			await setInvitationCookie(ctx, ctx.body.token);
			const status = user ? ("verification-required" as const) : ("sign-in-required" as const);
			return ctx.json({ ...toResponse(found), status });
		}
		// Somebody has used it up since it was found.
		if (!(await acceptInvitation(ctx, found.invitation, user))) throw invitationNotFound();
		return ctx.json({ ...toResponse(found), status: "accepted" as const });
	},
);

interface Found {
	invitation: InvitationRow;
	tenant: TenantRow;
}

/**
 * The invitation decides the tenant. Unknown, used up, revoked, expired, of another tenant than the
 * request names: all get the same response.
 */
async function enterTenantOfInvitation(
	ctx: GenericEndpointContext,
	options: ResolvedOptions,
	token: string,
): Promise<Found> {
	const named = await findNamedTenantId(ctx, options);
	const invitation = await findPending(ctx.context.adapter, token);
	if (!invitation || (named && named !== invitation.tenantId)) throw invitationNotFound();
	await resetAndEnter(ctx, invitation.tenantId);
	const { tenant } = requireState(ctx.context);
	if (!tenant || !(await hasInviter(ctx.context.adapter, options, invitation)))
		throw invitationNotFound();
	return { invitation, tenant };
}

/** The signed-in user, if the invitation is for them. A session of another tenant is not valid. */
async function findInvitedUser(
	ctx: GenericEndpointContext,
	{ email }: InvitationRow,
): Promise<InvitedUser | null> {
	const session = await getSessionFromCtx(ctx, { disableCookieCache: true });
	// Read again: the user in the session may be older than the last change of the email.
	const user = session && (await ctx.context.internalAdapter.findUserById(session.user.id));
	return user && normalizeEmail(user.email) === email ? user : null;
}

const toResponse = ({ invitation: { email, role, expiresAt }, tenant }: Found) => ({
	tenant: { id: tenant.id, name: tenant.name, slug: tenant.slug },
	email,
	role,
	expiresAt,
});
