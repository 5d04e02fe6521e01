import type { DBAdapter, DBTransactionAdapter } from "@better-auth/core/db/adapter";
import type { BetterAuthPluginDBSchema } from "better-auth";
import { defineTenantPlugin } from "better-auth-tenant";
import type { EventStream } from "../settings/event-stream";
import { type AuditRow, type SignInRow, type StreamEvent, toAudit, toSignIn } from "./event";

const MODEL = "eventStreamEntry";
const AUDIT = "tenantAuditEvent";
const SIGN_INS = "tenantSignIn";

/**
 * What waits for the log collector. An entry only names a row of a log, and is written in the transaction of
 * that row. So no event is lost, whenever its transaction ends and whatever the clock of its server says: a
 * position in the logs themselves would pass over rows that are committed late. And what is erased from a
 * log is not kept here.
 */
const schema = {
	eventStreamEntry: {
		fields: {
			/** The table of the row. */
			source: { type: "string", required: true, input: false },
			rowId: { type: "string", required: true, input: false },
			/** When the event happened. */
			createdAt: { type: "date", required: true, input: false, index: true },
		},
	},
} as const satisfies BetterAuthPluginDBSchema;

type Entry = { id: string; source: string; rowId: string; createdAt: Date };

/** Notes each new event of the audit log and the sign-in logs for {@link streamEvents}. */
export const eventStream = () =>
	defineTenantPlugin({
		id: "event-stream",
		schema,
		tenant: {
			requires: ["tenant-auth", "tenant-auth-sign-ins"],
			tables: { eventStreamEntry: "shared" },
			logged: async (adapter, { table, id, createdAt }) => {
				if (table !== AUDIT && table !== SIGN_INS) return;
				await adapter.create<Omit<Entry, "id">>({
					model: MODEL,
					data: { source: table, rowId: id, createdAt },
				});
			},
		},
	});

type Removing = Pick<DBTransactionAdapter, "delete">;

export type StreamContext = {
	adapter: Pick<DBAdapter, "findMany" | "count"> & {
		transaction: (work: (trx: Removing) => Promise<void>) => Promise<void>;
	};
};

export type WaitingEvent = { entryId: string; event: StreamEvent };

const oldestFirst = { field: "createdAt", direction: "asc" } as const;

/** The oldest events that wait, in their order. Entries whose rows were deleted meanwhile are dropped. */
export async function takeOldest(
	{ adapter }: StreamContext,
	limit: number,
): Promise<{ waiting: WaitingEvent[]; isEmpty: boolean }> {
	const entries = await adapter.findMany<Entry>({ model: MODEL, sortBy: oldestFirst, limit });
	const idsIn = (source: string) =>
		entries.filter((entry) => entry.source === source).map(({ rowId }) => rowId);
	const events = new Map<string, StreamEvent>();
	for (const row of await findRows<AuditRow>(adapter, AUDIT, idsIn(AUDIT))) {
		events.set(row.id, toAudit(row));
	}
	for (const row of await findRows<SignInRow>(adapter, SIGN_INS, idsIn(SIGN_INS))) {
		events.set(row.id, toSignIn(row));
	}
	const gone = entries.filter(({ rowId }) => !events.has(rowId));
	await remove(
		{ adapter },
		gone.map(({ id }) => id),
	);
	const waiting = entries.flatMap(({ id, rowId }) => {
		const event = events.get(rowId);
		return event ? [{ entryId: id, event }] : [];
	});
	waiting.sort(({ event: one }, { event: other }) => compare(one, other));
	return { waiting, isEmpty: entries.length === 0 };
}

/** Events of one millisecond have the same order each time that they are sent. */
const compare = (one: StreamEvent, other: StreamEvent) =>
	one.timestamp.localeCompare(other.timestamp) || one.id.localeCompare(other.id);

async function findRows<Row>(
	adapter: StreamContext["adapter"],
	model: string,
	ids: string[],
): Promise<Row[]> {
	if (ids.length === 0) return [];
	const where = [{ field: "id", operator: "in" as const, value: ids }];
	return adapter.findMany<Row>({ model, where, limit: ids.length });
}

/**
 * They were sent. Each is deleted by its key: for a list of keys, MariaDB may read the whole table, and wait
 * for the entries of transactions that are still running.
 */
export async function remove({ adapter }: StreamContext, entryIds: string[]): Promise<void> {
	if (entryIds.length === 0) return;
	await adapter.transaction(async (trx) => {
		for (const value of entryIds) {
			await trx.delete({ model: MODEL, where: [{ field: "id", value }] });
		}
	});
}

/** When the oldest event happened that waits; `null` if none does. */
export async function findOldest({ adapter }: StreamContext): Promise<Date | null> {
	const [oldest] = await adapter.findMany<Entry>({ model: MODEL, sortBy: oldestFirst, limit: 1 });
	return oldest?.createdAt ?? null;
}

/** For the console. Paths and queries of a URL may have secrets, so it shows the origin. */
export async function streamState(context: StreamContext, { url, format }: EventStream) {
	const oldest = await findOldest(context);
	const waiting = oldest ? await context.adapter.count({ model: MODEL }) : 0;
	return {
		origin: new URL(url).origin,
		format,
		waiting,
		oldest,
		lagSeconds: Math.round(lagOf(oldest)),
	};
}

/** In seconds. The clock of the server that wrote the event may be ahead. */
export const lagOf = (oldest: Date | null): number =>
	oldest ? Math.max(0, (Date.now() - oldest.getTime()) / 1000) : 0;
