import type { AuthContext, GenericEndpointContext } from "@better-auth/core";
import { getCurrentAdapter, queueAfterTransactionHook } from "@better-auth/core/context";
import type { Where } from "@better-auth/core/db/adapter";
import { requireInstance } from "../../call/context/current-state";
import type { TenantInstance } from "../../call/context/request-state";
import type { AuditEventRow } from "./audit-event";

const MODEL = "tenantAuditEvent";
const DAY_MS = 24 * 60 * 60 * 1000;
const BATCH = 100;
/** How often a new event looks for old ones, once there are no more. */
const PAUSE_MS = 60 * 60 * 1000;

type Context = Pick<AuthContext, "adapter" | "options">;

/**
 * SQLite continues from the highest existing id, so it would use the id of a deleted tenant again. The
 * audit log knows every tenant that ever existed.
 */
export function reusesIds({ adapter, options }: Context): boolean {
	// Kysely's adapter calls it `type`, those of Drizzle and Prisma `provider`.
	const isSqlite = adapter.options?.type === "sqlite" || adapter.options?.provider === "sqlite";
	return isSqlite && options.advanced?.database?.generateId === "serial";
}

/** Fields that may say something about a person. */
const ANONYMOUS = {
	actorId: null,
	actorName: null,
	ipAddress: null,
	userAgent: null,
	detail: null,
};

/**
 * Deletes events. Where the database uses ids again, the newest `tenant:create` stays, without personal
 * data: it says which ids are used up.
 */
async function deleteEvents(ctx: Context, where: Where[]): Promise<number> {
	const db = await getCurrentAdapter(ctx.adapter);
	const model = MODEL;
	if (!reusesIds(ctx)) return db.deleteMany({ model, where });
	const [newest] = await db.findMany<AuditEventRow>({
		model,
		where: [{ field: "action", value: "tenant:create" }],
		sortBy: { field: "id", direction: "desc" },
		limit: 1,
	});
	if (!newest) return db.deleteMany({ model, where });
	const kept = { field: "id", value: newest.id };
	await db.updateMany({ model, where: [...where, kept], update: ANONYMOUS });
	return db.deleteMany({ model, where: [...where, { ...kept, operator: "ne" }] });
}

/** Deletes the events of a tenant, except those that say that they were deleted. */
export function eraseEvents(ctx: Context, tenantId: string): Promise<number> {
	return deleteEvents(ctx, [
		{ field: "tenantId", value: tenantId },
		{ field: "action", operator: "ne", value: "audit:erase" },
	]);
}

/** Deletes the oldest events that are past the retention, and says how many it found. */
export async function pruneBatch(ctx: Context, retentionDays: number): Promise<number> {
	const db = await getCurrentAdapter(ctx.adapter);
	const before = new Date(Date.now() - retentionDays * DAY_MS);
	const rows = await db.findMany<AuditEventRow>({
		model: MODEL,
		where: [{ field: "createdAt", operator: "lt", value: before }],
		sortBy: { field: "createdAt", direction: "asc" },
		limit: BATCH,
	});
	if (rows.length === 0) return 0;
	return deleteEvents(ctx, [{ field: "id", operator: "in", value: rows.map(({ id }) => id) }]);
}

const nextPrune = new WeakMap<TenantInstance, number>();

/**
 * Deletes some old events after the running transaction, if there is a retention. Usually it does
 * nothing, and at most it takes two statements: the writer of an event must not wait for a full log.
 */
export async function pruneWithNewEvent({
	context,
}: Pick<GenericEndpointContext, "context">): Promise<void> {
	const instance = requireInstance(context);
	const auditRetentionDays = instance.options.audit?.retentionDays;
	if (auditRetentionDays === undefined || (nextPrune.get(instance) ?? 0) > Date.now()) return;
	nextPrune.set(instance, Date.now() + PAUSE_MS);
	await queueAfterTransactionHook(async () => {
		try {
			const deleted = await pruneBatch(context, auditRetentionDays);
			if (deleted > 0) nextPrune.delete(instance);
		} catch (error) {
			// The change itself has succeeded.
			context.logger.error("Old audit events could not be deleted", error);
		}
	});
}
