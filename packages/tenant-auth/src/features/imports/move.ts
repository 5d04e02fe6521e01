import type { AuthContext } from "@better-auth/core";
import * as z from "zod";
import { PLATFORM_ID, type TenantScope, tenantIdOf } from "../../call/context/tenant";
import { isPossibleId } from "../../call/context/tenant-id";
import { lockOpenTenant } from "../../call/context/tenant-locks";
import { yieldToOthers } from "../../database/throttle";
import { flag, texts } from "../../described";
import type { Row } from "../../isolation/raw-adapter";
import { idOf, inBatches, withIds } from "../../isolation/row-owners";
import type { AuditEntry } from "../../management/audit/audit-store";
import type { ResolvedOptions } from "../../options";
import { findAdminConflicts } from "./admins";
import { findBlockedUsers } from "./blocked-users";
import {
	conflictSchema,
	findRowConflicts,
	findTakenValues,
	findUserConflicts,
	type MoveConflict,
	shortened,
} from "./conflicts";
import {
	addVerifications,
	endImpersonations,
	movedSession,
	moveOtherRows,
	moveUserRows,
} from "./move-rows";
import { collectOwnedRows, ON_PLATFORM, OwnedRows, type Reading } from "./owned-rows";
import { findStoredApiKeys, forgetStoredApiKeys } from "./stored-api-keys";
import { noteMove, rewriteSessionsOf } from "./stored-users";
import { requireNoConflicts, runMove } from "./transaction";

const moveReportSchema = z.object({
	isDryRun: flag("Whether nothing was changed"),
	rows: z
		.record(z.string(), z.number())
		.meta({ description: "How many rows of each table move, the users among them" }),
	endedSessions: z
		.number()
		.meta({ description: "Sessions that end, because an admin impersonates the user in them" }),
	conflicts: z
		.array(conflictSchema)
		.meta({ description: "Why users stay; empty unless it is a dry run or onConflict is skip" }),
});

/** What a move has changed, or would change. */
export type MoveReport = z.output<typeof moveReportSchema>;

export const moveUsersReportSchema = moveReportSchema.extend({
	userIds: texts("The users who move"),
});

type MoveUsersReport = z.output<typeof moveUsersReportSchema>;

/** What a move works with. */
export interface Moving {
	context: AuthContext;
	options: ResolvedOptions;
	/** Writes an audit event in the current transaction. */
	record: (entry: AuditEntry) => Promise<void>;
}

interface Moved {
	rows: OwnedRows;
	endedSessions: number;
	conflicts: MoveConflict[];
}

interface MoveUsersOptions {
	isDryRun: boolean;
	/** What happens if some of the users cannot move: nobody moves, or the others do. */
	onConflict: "refuse" | "skip";
}

/**
 * Moves platform users with everything that belongs to them into a tenant, in one transaction.
 *
 * Each attempt moves all of its users or changes nothing. To skip those with a conflict, the next attempt
 * leaves them out. That may cause new conflicts, because they stay: so it goes on until there is none.
 *
 * @throws APIError `MOVE_REFUSED`, `TENANT_SUSPENDED`, `TENANT_NOT_FOUND`
 */
export async function moveUsersIn(
	moving: Moving,
	scope: TenantScope,
	userIds: readonly string[],
	{ isDryRun, onConflict }: MoveUsersOptions,
): Promise<MoveUsersReport> {
	const { context } = moving;
	const conflicts: MoveConflict[] = [];
	let remaining = [...new Set(userIds)];
	while (remaining.length > 0) {
		const part = { scope, userIds: remaining };
		const moved = await runMove(context, isDryRun, (reading) =>
			moveInTransaction(moving, reading, part),
		);
		conflicts.push(...moved.conflicts);
		if (moved.conflicts.length === 0) {
			if (!isDryRun) await finishMove(context, scope, moved.rows);
			return { ...toReport({ ...moved, conflicts }, isDryRun), userIds: remaining };
		}
		const blocked = findBlockedUsers(context, remaining, moved);
		// If no user causes a conflict, no user can be left out.
		if (onConflict === "refuse" || blocked.size === 0) {
			if (!isDryRun) requireNoConflicts(conflicts);
			return { ...toReport({ ...moved, conflicts }, isDryRun), userIds: [] };
		}
		remaining = remaining.filter((id) => !blocked.has(id));
	}
	const nothing = { rows: new OwnedRows(), endedSessions: 0, conflicts };
	return { ...toReport(nothing, isDryRun), userIds: [] };
}

export function toReport({ rows, endedSessions, conflicts }: Moved, isDryRun: boolean): MoveReport {
	const counts = rows.models().map((model) => [model, rows.ids(model).length]);
	return {
		isDryRun,
		rows: Object.fromEntries(counts),
		endedSessions,
		conflicts: shortened(conflicts),
	};
}

export interface MovePart {
	scope: TenantScope;
	userIds: readonly string[];
	/** Moves too, also if it belongs to none of the users. */
	organization?: Row;
	roleOf?: (userId: string) => string | null;
	/** Users of the tenant, to whom some of the rows belong already. */
	newUserIds?: readonly string[];
}

/** The part of a move inside of the transaction. If it returns conflicts, roll back. */
export async function moveInTransaction(
	{ context, options, record }: Moving,
	reading: Reading,
	{ scope, userIds, organization, roleOf, newUserIds }: MovePart,
): Promise<Moved> {
	const { raw } = reading;
	await lockOpenTenant(raw, scope.tenantId);
	const users = await lockUsers(context, reading, userIds);
	const onlyUsers = new OwnedRows();
	onlyUsers.add("user", users);
	const conflicts = [
		...(await findUserConflicts(reading, scope, userIds, users)),
		...(await findAdminConflicts(users, context, options, raw)),
		...(await findTakenValues(reading, scope, onlyUsers)),
	];
	const movable = users.filter((user) => tenantIdOf(user) === PLATFORM_ID);
	if (conflicts.length === 0) {
		await moveUserRows(reading, scope, movable, roleOf ?? (() => undefined));
	}
	const start = { user: movable, ...(organization ? { organization: [organization] } : {}) };
	const collected = await collectOwnedRows(reading, start, newUserIds);
	const { rows } = collected;
	await addVerifications(reading, rows);
	conflicts.push(...(await findRowConflicts(reading, scope, collected)));
	conflicts.push(...(await findStoredApiKeys(context, rows)));
	if (conflicts.length > 0) return { rows, endedSessions: 0, conflicts };

	await moveOtherRows(reading, scope, rows);
	const endedSessions = await endImpersonations(reading, rows);
	for (const batch of inBatches(rows.ids("user"))) {
		for (const userId of batch) {
			await record({ action: "user:move", tenantId: scope.tenantId, targetId: userId });
		}
		await yieldToOthers();
	}
	// Last: if the storage fails, nothing moves.
	for (const userId of rows.ids("user")) await noteMove(context, userId);
	return { rows, endedSessions, conflicts };
}

/**
 * Reads the users after it has locked them. The update changes nothing. Without it, MySQL would go on to
 * read what was there before the lock.
 */
async function lockUsers(
	{ options }: AuthContext,
	{ raw }: Reading,
	userIds: readonly string[],
): Promise<Row[]> {
	const users: Row[] = [];
	for (const batch of inBatches(userIds.filter((id) => isPossibleId(options, id)))) {
		const where = [withIds(batch)];
		const update = { tenantId: PLATFORM_ID };
		await raw.updateMany({ model: "user", where: [ON_PLATFORM, ...where], update });
		const found = await raw.findMany<Row>({ model: "user", where, limit: batch.length });
		// MySQL ignores case.
		users.push(...found.filter((user) => batch.includes(idOf(user))));
	}
	return users;
}

/**
 * What a secondary storage has of the users follows after the transaction. If it fails, their sessions
 * there have ended: see {@link noteMove}.
 */
export async function finishMove(
	ctx: AuthContext,
	scope: TenantScope,
	rows: OwnedRows,
): Promise<void> {
	try {
		await forgetStoredApiKeys(ctx, rows);
		await rewriteSessionsOf(ctx, rows.ids("user"), (session) => movedSession(session, scope, rows));
	} catch (error) {
		ctx.logger.error("tenantAuth: sessions of moved users have ended", error);
	}
}
