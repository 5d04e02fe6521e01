import type { GenericEndpointContext } from "@better-auth/core";
import { getCurrentAdapter } from "@better-auth/core/context";
import type { DBTransactionAdapter, Where } from "@better-auth/core/db/adapter";
import { requireInstance } from "../../call/context/current-state";
import type { Admission, NewSession } from "../../call/port/tenant-plugin";
import { runRetried } from "../../database/write-conflicts";
import { isActive, isRaise, type Rights, roleOf, storedRole } from "../../management/access/roles";
import { recordAuditEvent } from "../../management/audit/audit-store";
import { tenantError } from "../../tenant-error";
import type { InvitationRow, InvitedUser } from "./invitation";
import { dropInvitationCookie, findPresentedInvitation, presentsInvitation } from "./presented";
import { hasPending, markAccepted, unmarkAccepted } from "./store";

/** What an invitation does for new users. It is used up in the transaction that creates the user. */
export const admission: Admission = {
	isInvited: async (ctx, tenantId, email) =>
		(await findPresentedInvitation(ctx, ctx.context.adapter, tenantId, email)) !== null,
	acceptUser: async (ctx, trx, tenantId, email) => {
		const invitation = await findPresentedInvitation(ctx, trx, tenantId, email);
		// It may be revoked or used up since it was read. Then the user is not invited.
		const acceptedAt = invitation && (await markAccepted(trx, invitation));
		if (!acceptedAt) return null;
		return {
			fields: grantOf(invitation),
			created: async ({ id }) => {
				await recordAcceptance(ctx, invitation, id, trx);
				dropInvitationCookie(ctx);
			},
			undo: () => unmarkAccepted(trx, invitation, acceptedAt),
		};
	},
	isExpected: hasPending,
};

/** Only a token that was sent by email proves whose mailbox it is. Others were shown to the inviter. */
const grantOf = ({ role, sentAt }: InvitationRow) => ({
	tenantRole: storedRole(role),
	...(sentAt ? { emailVerified: true } : {}),
});

function recordAcceptance(
	ctx: GenericEndpointContext,
	{ id, tenantId, role }: InvitationRow,
	userId: string,
	trx?: DBTransactionAdapter,
): Promise<void> {
	const event = {
		action: "invitation:accept",
		tenantId,
		targetId: userId,
		detail: { invitationId: id, role },
	} as const;
	return recordAuditEvent(ctx, event, { kind: "member", id: userId }, trx);
}

/**
 * Accepts the invitation that a sign-in presents, after the session was created. The policy and the hooks
 * of the app have let the user in by then.
 */
export async function acceptAtSignIn(session: NewSession): Promise<void> {
	const { endpoint: ctx, tenantId, userId } = session;
	// Somebody who impersonates the user does not accept anything for them.
	if (!ctx || session.isByManagement || !(await presentsInvitation(ctx))) return;
	const user = (await ctx.context.internalAdapter.findUserById(userId)) as InvitedUser | null;
	const db = await getCurrentAdapter(ctx.context.adapter);
	const invitation = user && (await findPresentedInvitation(ctx, db, tenantId, user.email));
	// Another email, or one that nobody has verified: the sign-in goes on without the invitation.
	if (invitation && mayAccept(user)) await acceptInvitation(ctx, invitation, user);
}

/**
 * An account whose email nobody has verified may have been created by somebody else, who knows its
 * password. The role would be theirs too.
 */
export const mayAccept = (user: InvitedUser): boolean => user.emailVerified && isActive(user);

/**
 * Gives an existing user the role of an invitation, and uses it up: both or neither. Must run in the
 * tenant's scope.
 *
 * @returns `false` if somebody else has used it up, or it was revoked meanwhile
 */
export async function acceptInvitation(
	ctx: GenericEndpointContext,
	invitation: InvitationRow,
	{ id }: InvitedUser,
): Promise<boolean> {
	const { adapter, internalAdapter } = ctx.context;
	const isAccepted = await runRetried(adapter, async () => {
		const db = await getCurrentAdapter(adapter);
		if (!(await markAccepted(db, invitation))) return false;
		await raiseRole(db, requireInstance(ctx.context).options, id, invitation);
		// Writes the user to the sessions in a secondary storage, and calls the app's hooks.
		await internalAdapter.updateUser(id, { updatedAt: new Date() });
		await recordAcceptance(ctx, invitation, id);
		return true;
	});
	if (isAccepted) dropInvitationCookie(ctx);
	return isAccepted;
}

/** An invitation never takes anything away: a user whose role permits something more keeps it. */
async function raiseRole(
	db: DBTransactionAdapter,
	rights: Rights,
	userId: string,
	{ role }: InvitationRow,
): Promise<void> {
	const byId: Where[] = [{ field: "id", value: userId }];
	const user = await db.findOne<InvitedUser>({ model: "user", where: byId });
	if (!user || !isRaise(rights, roleOf(user), role)) return;
	const unchanged: Where = { field: "tenantRole", value: user.tenantRole ?? null };
	const changed = await db.updateMany({
		model: "user",
		where: [...byId, unchanged],
		update: { tenantRole: storedRole(role) },
	});
	// Somebody else gives the user a role just now.
	if (changed === 0) throw tenantError("WRITE_CONFLICT");
}
