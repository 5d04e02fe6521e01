import type { AuthContext, GenericEndpointContext } from "@better-auth/core";
import { getCurrentAdapter } from "@better-auth/core/context";
import type { DBTransactionAdapter } from "@better-auth/core/db/adapter";
import { getIP } from "@better-auth/core/utils/ip";
import { findState, requireInstance } from "../../call/context/current-state";
import { headersOf } from "../../call/context/presented-sessions";
import type { TenantRecord } from "../../call/port/tenant-plugin";
import { findCountedPage, inLog, type LogPart } from "../../database/counted-page";
import type { SearchedPage } from "../../database/searched-list";
import { runRetried } from "../../database/write-conflicts";
import { emit } from "../events/emit";
import {
	type Actor,
	type AuditEvent,
	type AuditEventRow,
	requireActor,
	toAuditEvent,
} from "./audit-event";
import { EVENT_OF_ACTION } from "./audited-events";
import { pruneWithNewEvent } from "./retention";

const MODEL = "tenantAuditEvent";
const MAX_USER_AGENT = 255;

export interface AuditEntry {
	action: AuditEvent["action"];
	tenantId: string;
	targetId?: string;
	detail?: Record<string, unknown>;
	/** Leaves out who the caller is and where it came from. */
	isAnonymous?: true;
	/** The tenant's row, if the running call has not read it. */
	tenant?: TenantRecord;
}

/** Where an event comes from: a call, or server code outside of one. */
type Source = Pick<GenericEndpointContext, "context"> &
	Partial<Pick<GenericEndpointContext, "request" | "headers">>;

/** Runs `work` and records it: both or neither. If it loses against another writer, it runs again. */
export async function audited<T>(
	ctx: GenericEndpointContext,
	work: () => Promise<T>,
	describe: (result: T) => AuditEntry,
): Promise<T> {
	return runRetried(ctx.context.adapter, async () => {
		const result = await work();
		await recordAuditEvent(ctx, describe(result));
		return result;
	});
}

/**
 * Writes an event in the current transaction, and reports it to the listeners of events.
 *
 * @param by who did it; by default the actor that the call was authorized for
 * @param trx a transaction that Better Auth does not know of
 */
export async function recordAuditEvent(
	ctx: Source,
	entry: AuditEntry,
	by?: Actor,
	trx?: DBTransactionAdapter,
): Promise<void> {
	const { action, tenantId, targetId, detail, isAnonymous } = entry;
	const actor = by ?? requireActor();
	const headers = isAnonymous ? undefined : headersOf(ctx);
	const origin = isAnonymous ? undefined : (ctx.request ?? headers);
	const database = trx ?? (await getCurrentAdapter(ctx.context.adapter));
	const { id, createdAt } = await database.create<Omit<AuditEventRow, "id">, AuditEventRow>({
		model: MODEL,
		data: {
			createdAt: new Date(),
			action,
			tenantId,
			actorKind: actor.kind,
			// The digest of a key is not about a person.
			actorId: isAnonymous && actor.kind !== "key" ? null : actor.id,
			actorName: isAnonymous ? null : (actor.name ?? null),
			targetId: targetId ?? null,
			ipAddress: origin ? getIP(origin, ctx.context.options) : null,
			userAgent: headers?.get("user-agent")?.slice(0, MAX_USER_AGENT) ?? null,
			detail: detail ? JSON.stringify(detail) : null,
		},
	});
	const { logged } = requireInstance(ctx.context).features;
	for (const hear of logged) await hear(database, { table: MODEL, id, createdAt });
	await emitChange(ctx, database, entry);
	// It would wait for a transaction of another connection.
	if (!trx) await pruneWithNewEvent(ctx);
}

async function emitChange(
	{ context }: Source,
	database: Pick<DBTransactionAdapter, "create">,
	{ action, tenantId, targetId = "", detail = {}, tenant }: AuditEntry,
): Promise<void> {
	const instance = requireInstance(context);
	const make = EVENT_OF_ACTION[action] ?? instance.features.actions.get(action)?.event;
	if (!make) return;
	const known = tenant ?? (await findState(instance)?.findKnownTenant(tenantId));
	// Only server code that runs in no call has not read it.
	const read = known || action === "tenant:create" ? known : await instance.readTenant(tenantId);
	await emit(instance, database, read ?? { id: tenantId }, make({ targetId, detail }));
}

export interface AuditPart extends LogPart {
	tenantId?: string | undefined;
	action?: string | undefined;
	actorKind?: Actor["kind"] | undefined;
	actorId?: string | undefined;
	targetId?: string | undefined;
}

export async function listEvents(
	ctx: Pick<AuthContext, "adapter">,
	part: AuditPart,
): Promise<SearchedPage<AuditEvent>> {
	const { tenantId, action, actorKind, actorId, targetId } = part;
	const where = inLog({ tenantId, action, actorKind, actorId, targetId }, part);
	const page = await findCountedPage<AuditEventRow>({ ctx, model: MODEL, where }, part);
	return { ...page, rows: page.rows.map(toAuditEvent) };
}
