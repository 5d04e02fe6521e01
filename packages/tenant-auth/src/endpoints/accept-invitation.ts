import type { GenericEndpointContext } from "@better-auth/core";
import { getSessionFromCtx } from "better-auth/api";
import * as z from "zod";
import { requireState } from "../context/current-state";
import { resetAndEnter } from "../context/gate";
import type { TenantRow } from "../context/tenant";
import { findNamedTenantId } from "../context/tenant-id";
import { acceptInvitation, mayAccept } from "../invitations/accept";
import { type InvitationRow, type InvitedUser, normalizeEmail } from "../invitations/invitation";
import { setInvitationCookie } from "../invitations/presented";
import { findPending, hasInviter } from "../invitations/store";
import type { ResolvedOptions } from "../options";
import { tenantError } from "../tenant-error";
import { namedTenantSchema } from "../tenants/tenant";
import { publicEndpoint } from "./define";

const tokenSchema = z.string().min(1).max(128).meta({ description: "The token of the link" });

const text = z.string();

const answer = z.object({
	tenant: z.object({ id: text, name: text, slug: text }),
	email: text.meta({ description: "Who is invited" }),
	role: text.meta({ description: "The role that the invitation gives" }),
	expiresAt: z.date().meta({ description: "When the invitation expires" }),
});

/** Public: whoever has the token may see what an accept page shows. */
export const getTenantInvitation = publicEndpoint(
	"getTenantInvitation",
	{
		description: "What a page shows to somebody who opens the link of an invitation",
		query: z.object({ tenantId: namedTenantSchema, token: tokenSchema }),
		answer,
		errors: ["INVITATION_NOT_FOUND", "TENANT_SUSPENDED"],
	},
	async (ctx, options) => {
		const found = await enterTenantOfInvitation(ctx, options, ctx.query.token);
		return ctx.json(toAnswer(found));
	},
);

export const acceptTenantInvitation = publicEndpoint(
	"acceptTenantInvitation",
	{
		description:
			"Accept an invitation as the signed-in user, or with the next sign-up or sign-in of this browser",
		body: z.object({ tenantId: namedTenantSchema, token: tokenSchema }),
		answer: answer.extend({
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
			return ctx.json({ ...toAnswer(found), status });
		}
		// Somebody has used it up since it was found.
		if (!(await acceptInvitation(ctx, found.invitation, user))) throw notFound();
		return ctx.json({ ...toAnswer(found), status: "accepted" as const });
	},
);

interface Found {
	invitation: InvitationRow;
	tenant: TenantRow;
}

const notFound = () => tenantError("INVITATION_NOT_FOUND");

/**
 * The invitation decides the tenant. Unknown, used up, revoked, expired, of another tenant than the
 * request names: all get the same answer.
 */
async function enterTenantOfInvitation(
	ctx: GenericEndpointContext,
	options: ResolvedOptions,
	token: string,
): Promise<Found> {
	const named = await findNamedTenantId(ctx, options);
	const invitation = await findPending(ctx.context.adapter, token);
	if (!invitation || (named && named !== invitation.tenantId)) throw notFound();
	await resetAndEnter(ctx, invitation.tenantId);
	const { tenant } = requireState(ctx.context);
	if (!tenant || !(await hasInviter(ctx.context.adapter, options, invitation))) throw notFound();
	return { invitation, tenant };
}

/** The signed-in user, if the invitation is for them. A session of another tenant does not count. */
async function findInvitedUser(
	ctx: GenericEndpointContext,
	{ email }: InvitationRow,
): Promise<InvitedUser | null> {
	const session = await getSessionFromCtx(ctx, { disableCookieCache: true });
	// Read again: the user in the session may be older than the last change of the email.
	const user = session && (await ctx.context.internalAdapter.findUserById(session.user.id));
	return user && normalizeEmail(user.email) === email ? user : null;
}

const toAnswer = ({ invitation: { email, role, expiresAt }, tenant }: Found) => ({
	tenant: { id: tenant.id, name: tenant.name, slug: tenant.slug },
	email,
	role,
	expiresAt,
});
