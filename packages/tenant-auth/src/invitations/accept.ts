import type { GenericEndpointContext } from "@better-auth/core";
import { getCurrentAdapter } from "@better-auth/core/context";
import type { DBTransactionAdapter, Where } from "@better-auth/core/db/adapter";
import { recordAuditEvent } from "../audit/audit-store";
import { currentScope } from "../context/current-scope";
import { findEndpoint, requireInstance } from "../context/current-state";
import { isByManagement } from "../context/managed-user";
import type { TenantInstance } from "../context/request-state";
import { ALL_TENANTS, PLATFORM_ID, type TenantScope } from "../context/tenant";
import type { InternalAdapter, StageParts } from "../database/internal-adapter";
import { runRetried } from "../database/write-conflicts";
import { idOf } from "../isolation/row-owners";
import { isActive, isRaise, type Rights, roleOf, storedRole } from "../management/roles";
import { tenantError } from "../tenant-error";
import type { InvitationRow, InvitedUser } from "./invitation";
import { dropInvitationCookie, findPresentedInvitation, findPresentedToken } from "./presented";
import { markAccepted, unmarkAccepted } from "./store";

type Row = Record<string, unknown>;

/**
 * Inserts a new user of a tenant, with the role of the invitation that the request presents, if there is
 * one for this email. The invitation is used up in the same transaction.
 *
 * @param trx the transaction of the insert
 * @param admit throws if the tenant's policy does not allow the user
 */
export async function insertInvited<R>(
	trx: DBTransactionAdapter,
	scope: TenantScope,
	user: Row,
	insert: (user: Row) => Promise<R>,
	admit: (isInvited: boolean) => Promise<void>,
): Promise<R> {
	const ctx = findEndpoint();
	const presented = await findPresentedInvitation(trx, scope, user.email);
	// It may be revoked or used up since it was read. Then the user is not invited.
	const invitation = ctx && presented && (await markAccepted(trx, presented)) ? presented : null;
	if (!ctx || !invitation) {
		await admit(false);
		return insert(user);
	}
	const admitAndInsert = async () => {
		await admit(true);
		return insert({ ...user, ...grantOf(invitation) });
	};
	const inserted = await admitAndInsert().catch(async (error: unknown) => {
		// Core may answer a taken email with success, and then the transaction is not undone.
		await unmarkAccepted(trx, invitation).catch(() => {});
		throw error;
	});
	await recordAcceptance(ctx, invitation, idOf(inserted), trx);
	dropInvitationCookie(ctx);
	return inserted;
}

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
export function acceptAtSignIn(inner: InternalAdapter, instance: TenantInstance): StageParts {
	return {
		afterSession: async ({ userId }) => {
			const ctx = findEndpoint();
			// Whoever impersonates the user does not accept anything for them.
			if (!ctx || isByManagement() || !(await findPresentedToken(ctx))) return;
			const scope = await currentScope(instance);
			if (scope === ALL_TENANTS || scope.tenantId === PLATFORM_ID) return;
			const user = (await inner.findUserById(userId)) as InvitedUser | null;
			const db = await getCurrentAdapter(ctx.context.adapter);
			const invitation = user && (await findPresentedInvitation(db, scope, user.email));
			// Another email, or one that nobody has verified: the sign-in goes on without the invitation.
			if (invitation && mayAccept(user)) await acceptInvitation(ctx, invitation, user);
		},
	};
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

/** An invitation never takes anything away: whoever may do something that its role does not permit stays. */
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
