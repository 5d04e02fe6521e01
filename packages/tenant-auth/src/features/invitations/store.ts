import type { AuthContext } from "@better-auth/core";
import { getCurrentAdapter } from "@better-auth/core/context";
import type { DBTransactionAdapter, Where } from "@better-auth/core/db/adapter";
import { requireExisting } from "../../call/context/gate";
import { findTenantRow, type TenantScope } from "../../call/context/tenant";
import { isPossibleId } from "../../call/context/tenant-id";
import { findCountedPage, type OrderedPart } from "../../database/counted-page";
import { digest } from "../../database/digest";
import { isUniqueViolation } from "../../database/errors";
import type { SearchedPage } from "../../database/searched-list";
import { runRetried } from "../../database/write-conflicts";
import { isActive, type Rights, reaches, roleOf } from "../../management/access/roles";
import { tenantError } from "../../tenant-error";
import type { InvitationRow, InvitedUser } from "./invitation";
import { normalizeEmail, statusOf } from "./invitation";
import { invitationNotFound } from "./invitation-error";

export const INVITATION_MODEL = "tenantInvitation";

type StoreContext = Pick<AuthContext, "adapter" | "options">;
type Reader = Pick<DBTransactionAdapter, "findOne">;

// Inside a transaction the current adapter is the transaction's: any other connection would wait.
const database = (ctx: Pick<AuthContext, "adapter">) => getCurrentAdapter(ctx.adapter);

const byId = (id: string): Where[] => [{ field: "id", value: id }];
const isNull = (field: string): Where => ({ field, value: null });

/** What a new invitation and a renewed one have. */
export interface NewInvitation
	extends Pick<InvitationRow, "role" | "invitedBy" | "inviterRole" | "expiresAt" | "sentAt"> {
	token: string;
}

/**
 * Creates an invitation, or replaces the one that the email has in this tenant. The unique index decides
 * between two callers, so nobody ever has two tokens that work.
 *
 * @param note runs in the same transaction
 */
export async function replaceInvitation(
	ctx: StoreContext,
	{ tenantId }: TenantScope,
	email: string,
	{ token, ...values }: NewInvitation,
	note: (row: InvitationRow) => Promise<void>,
): Promise<InvitationRow> {
	const data = {
		...values,
		tokenDigest: await digest(token),
		createdAt: new Date(),
		acceptedAt: null,
		revokedAt: null,
	};
	const write = async () => {
		const db = await database(ctx);
		const old = await findByEmail(db, tenantId, email);
		const row = old ? await change(db, old, data) : await insert(ctx, { ...data, tenantId, email });
		if (row) await note(row);
		return row;
	};
	// Retried: the row may appear or disappear between two steps.
	for (let round = 0; round < 5; round += 1) {
		const row = await runRetried(ctx.adapter, write).catch((error: unknown) =>
			refuseUnlessRace(ctx, tenantId, error),
		);
		if (row) return row;
	}
	throw tenantError("WRITE_CONFLICT");
}

async function findByEmail(
	db: Reader,
	tenantId: string,
	email: string,
): Promise<InvitationRow | null> {
	const where = [
		{ field: "tenantId", value: tenantId },
		{ field: "email", value: email },
	];
	return db.findOne<InvitationRow>({ model: INVITATION_MODEL, where });
}

/** By id: on MySQL the adapter reads the changed row again by one condition only. */
const change = (
	db: Pick<DBTransactionAdapter, "update">,
	{ id }: InvitationRow,
	update: Partial<InvitationRow>,
) => db.update<InvitationRow>({ model: INVITATION_MODEL, where: byId(id), update });

async function insert(
	ctx: StoreContext,
	data: Omit<InvitationRow, "id">,
): Promise<InvitationRow | null> {
	requireExisting(await findTenantRow(ctx, "id", data.tenantId));
	return (await database(ctx)).create<Omit<InvitationRow, "id">, InvitationRow>({
		model: INVITATION_MODEL,
		data,
	});
}

/** `null` if another request has invited the same email meanwhile. */
async function refuseUnlessRace(ctx: StoreContext, tenantId: string, error: unknown) {
	if (isUniqueViolation(error)) return null;
	// The foreign key fails if the tenant was deleted meanwhile.
	if (!(await findTenantRow(ctx, "id", tenantId))) throw tenantError("TENANT_NOT_FOUND");
	throw error;
}

/** An invitation that was neither accepted nor revoked. It may have expired. */
export async function requireUnfinished(
	ctx: StoreContext,
	{ tenantId }: TenantScope,
	id: string,
): Promise<InvitationRow> {
	const row = isPossibleId(ctx.options, id)
		? await (await database(ctx)).findOne<InvitationRow>({
				model: INVITATION_MODEL,
				where: byId(id),
			})
		: null;
	// MySQL ignores case and trailing spaces.
	if (row?.id !== id || row.tenantId !== tenantId || row.acceptedAt || row.revokedAt) {
		throw invitationNotFound();
	}
	return row;
}

/** Changes an invitation that is still unfinished. */
export async function changeUnfinished(
	ctx: StoreContext,
	{ id }: InvitationRow,
	update: Partial<InvitationRow>,
): Promise<void> {
	const where = [...byId(id), isNull("acceptedAt"), isNull("revokedAt")];
	const changed = await (await database(ctx)).updateMany({
		model: INVITATION_MODEL,
		where,
		update,
	});
	// Somebody has accepted it meanwhile.
	if (changed === 0) throw invitationNotFound();
}

export async function listInvitations(
	ctx: StoreContext,
	{ tenantId }: TenantScope,
	part: OrderedPart,
): Promise<SearchedPage<InvitationRow>> {
	const where = [{ field: "tenantId", value: tenantId }];
	return findCountedPage({ ctx, model: INVITATION_MODEL, where }, part);
}

/** The pending invitation of a token, in any tenant. */
export async function findPending(db: Reader, token: string): Promise<InvitationRow | null> {
	const where = [{ field: "tokenDigest", value: await digest(token) }];
	const row = await db.findOne<InvitationRow>({ model: INVITATION_MODEL, where });
	return row && statusOf(row) === "pending" ? row : null;
}

/** Whether an email has a pending invitation. */
export async function hasPending(db: Reader, tenantId: string, email: string): Promise<boolean> {
	const row = await findByEmail(db, tenantId, normalizeEmail(email));
	return row !== null && statusOf(row) === "pending";
}

/**
 * Whether the user who invited is still there, not disabled, and may do no less than then. Somebody who
 * was removed must not return by an invitation that they sent before.
 */
export async function hasInviter(db: Reader, rights: Rights, row: InvitationRow): Promise<boolean> {
	if (row.invitedBy === null) return true;
	const where = [...byId(row.invitedBy), { field: "tenantId", value: row.tenantId }];
	const inviter = await db.findOne<InvitedUser>({ model: "user", where });
	if (!inviter || !isActive(inviter)) return false;
	return reaches(rights, roleOf(inviter), roleOf({ tenantRole: row.inviterRole }));
}

/** Uses up an invitation, and says when; `null` if it is not pending any more. Of two callers, one succeeds. */
export async function markAccepted(
	db: Pick<DBTransactionAdapter, "updateMany">,
	{ id, tokenDigest }: InvitationRow,
): Promise<Date | null> {
	const now = new Date();
	const pending: Where[] = [
		...byId(id),
		// A new token may have replaced it meanwhile.
		{ field: "tokenDigest", value: tokenDigest },
		isNull("acceptedAt"),
		isNull("revokedAt"),
		{ field: "expiresAt", operator: "gt", value: now },
	];
	const update = { acceptedAt: now };
	const changed = await db.updateMany({ model: INVITATION_MODEL, where: pending, update });
	return changed > 0 ? now : null;
}

/**
 * Undoes {@link markAccepted}, where no transaction does. It undoes this acceptance and no other one:
 * a used invitation never opens again.
 */
export async function unmarkAccepted(
	db: Pick<DBTransactionAdapter, "updateMany">,
	{ id, tokenDigest }: InvitationRow,
	acceptedAt: Date,
): Promise<void> {
	const where = [
		...byId(id),
		{ field: "tokenDigest", value: tokenDigest },
		{ field: "acceptedAt", value: acceptedAt },
	];
	await db.updateMany({ model: INVITATION_MODEL, where, update: { acceptedAt: null } });
}
