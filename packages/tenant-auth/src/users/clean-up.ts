import type { AuthContext } from "@better-auth/core";
import type { Where } from "@better-auth/core/db/adapter";
import { pruneAuditEvents } from "../audit/retention";
import { type AnyAuth, acrossTenants, requireInstance } from "../context/current-state";
import { createThrottle } from "../database/throttle";
import { pruneDeliveries, pruneSignIns } from "../events/retention";
import { idOf, withIds } from "../isolation/row-owners";
import { keepsSessionsInDatabase, keepsVerificationsInDatabase } from "../isolation/storage";

/** How many rows were deleted. */
export interface CleanUpReport {
	sessions: number;
	verifications: number;
	invitations: number;
	auditEvents: number;
	signIns: number;
	webhookDeliveries: number;
}

const BATCH = 250;

/**
 * Deletes what has expired, in all tenants and on the platform: sessions, verifications (such as the
 * tokens of email links and of social flows), invitations, audit events that are older than
 * `audit.retentionDays`, sign-ins that are older than `signInLog.retentionDays`, and finished deliveries
 * of webhooks that are older than 30 days. Run it once a day.
 *
 * Better Auth deletes an expired session when its cookie comes once more, so sessions of people who do
 * not come back stay. Rows are deleted in small batches with pauses, and no hooks are called. It reads
 * all sessions by their id: an index of their expiry would slow down every sign-in.
 *
 * @example
 * ```ts
 * const { sessions } = await cleanUp(auth);
 * ```
 */
export async function cleanUp(auth: AnyAuth): Promise<CleanUpReport> {
	const ctx = (await auth.$context) as AuthContext;
	const isKept = ctx.options.session?.preserveSessionInDatabase === true;
	const hasSessions = keepsSessionsInDatabase(ctx) && !isKept;
	return {
		sessions: hasSessions ? await deleteExpired(ctx, "session") : 0,
		verifications: keepsVerificationsInDatabase(ctx) ? await deleteExpired(ctx, "verification") : 0,
		invitations: await deleteExpired(ctx, "tenantInvitation"),
		auditEvents:
			requireInstance(ctx).options.audit?.retentionDays === undefined
				? 0
				: await pruneAuditEvents(auth),
		signIns: await pruneSignIns(ctx),
		webhookDeliveries: await pruneDeliveries(ctx),
	};
}

function deleteExpired({ adapter }: AuthContext, model: string): Promise<number> {
	const throttle = createThrottle();
	const now = new Date();
	return acrossTenants(async () => {
		let total = 0;
		let after: Where[] = [];
		for (;;) {
			const rows = await adapter.findMany<{ id: string; expiresAt: Date }>({
				model,
				where: after,
				sortBy: { field: "id", direction: "asc" },
				limit: BATCH,
			});
			await throttle();
			const ids = rows.filter(({ expiresAt }) => expiresAt < now).map(idOf);
			// A session may be renewed meanwhile.
			const isExpired: Where = { field: "expiresAt", operator: "lt", value: now };
			const where = [withIds(ids), isExpired];
			if (ids.length > 0) total += await adapter.deleteMany({ model, where });
			await throttle();
			const last = rows.at(-1);
			if (!last || rows.length < BATCH) return total;
			after = [{ field: "id", operator: "gt", value: last.id }];
		}
	});
}
