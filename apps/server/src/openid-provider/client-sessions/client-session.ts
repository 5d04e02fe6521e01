import { getCurrentAdapter } from "@better-auth/core/context";
import type { DBTransactionAdapter } from "@better-auth/core/db/adapter";
import type { AuthContext, BetterAuthPluginDBSchema } from "better-auth";
import { runAcrossTenants } from "better-auth-tenant";

export const CLIENT_SESSION = "applicationSession";

const text = { type: "string", required: true, input: false } as const;

/**
 * Which applications have an ID token of a session, and want to know when it ends. Their tokens do not say
 * it: they are deleted with the session, and JWTs are not stored.
 */
export const clientSessionSchema = {
	[CLIENT_SESSION]: {
		fields: {
			tenantId: { ...text, index: true },
			clientId: { ...text, index: true },
			/** It may have ended already, so it is not a foreign key. */
			sessionId: { ...text, index: true },
			userId: { ...text },
			createdAt: { type: "date", required: true, input: false },
			/** When the application is told next that the session has ended; `null` while it lasts. */
			dueAt: { type: "date", required: false, input: false, index: true },
			/** How often that has failed. */
			attempts: { type: "number", required: true, input: false },
		},
	},
} as const satisfies BetterAuthPluginDBSchema;

export type ClientSessionRow = {
	id: string;
	tenantId: string;
	clientId: string;
	sessionId: string;
	userId: string;
	createdAt: Date;
	dueAt?: Date | null;
	attempts: number;
};

type StoreContext = Pick<AuthContext, "adapter">;
type Named = Pick<ClientSessionRow, "tenantId" | "clientId" | "sessionId" | "userId">;

/** Notes that an application has an ID token of a session. */
export async function noteClientSession({ adapter }: StoreContext, named: Named): Promise<void> {
	const database = await getCurrentAdapter(adapter);
	const where = (["tenantId", "clientId", "sessionId"] as const).map((field) => ({
		...{ field, value: named[field] },
	}));
	if (await database.findOne({ model: CLIENT_SESSION, where })) return;
	await database.create<Omit<ClientSessionRow, "id">>({
		model: CLIENT_SESSION,
		data: { ...named, createdAt: new Date(), dueAt: null, attempts: 0 },
	});
	// It may have ended before its row was here.
	const query = { model: "session", where: [{ field: "id", value: named.sessionId }] };
	if (!(await database.findOne(query))) await endClientSessions(database, named.sessionId);
}

/** The applications that have an ID token of the session are told soon. */
export async function endClientSessions(
	database: Pick<DBTransactionAdapter, "updateMany">,
	sessionId: string,
): Promise<void> {
	await database.updateMany({
		model: CLIENT_SESSION,
		where: [
			{ field: "sessionId", value: sessionId },
			{ field: "dueAt", value: null },
		],
		update: { dueAt: new Date() },
	});
}

/** Nobody is told: the session has expired. */
export async function forgetClientSessions(
	database: Pick<DBTransactionAdapter, "deleteMany">,
	sessionId: string,
): Promise<void> {
	const where = [{ field: "sessionId", value: sessionId }];
	await database.deleteMany({ model: CLIENT_SESSION, where });
}

const BATCH = 250;

/** In milliseconds. Nobody sends what has waited for so long. */
const MAX_WAIT = 24 * 60 * 60 * 1000;

/**
 * Deletes the rows of sessions that have expired, in all tenants: nobody signs out of those. And what no
 * server has sent.
 */
export function forgetExpired(
	{ adapter }: StoreContext,
	signal: AbortSignal | undefined,
): Promise<number> {
	return runAcrossTenants(async () => {
		const value = new Date(Date.now() - MAX_WAIT);
		let total = await adapter.deleteMany({
			model: CLIENT_SESSION,
			where: [{ field: "dueAt", operator: "lt", value }],
		});
		let last = "";
		while (!signal?.aborted) {
			const rows = await adapter.findMany<ClientSessionRow>({
				model: CLIENT_SESSION,
				where: [
					{ field: "id", operator: "gt", value: last },
					{ field: "dueAt", value: null },
				],
				sortBy: { field: "id", direction: "asc" },
				limit: BATCH,
			});
			const end = rows.at(-1);
			if (!end) break;
			last = end.id;
			const sessionIds = [...new Set(rows.map(({ sessionId }) => sessionId))];
			const sessions = await adapter.findMany<{ id: string }>({
				model: "session",
				where: [{ field: "id", operator: "in", value: sessionIds }],
				limit: sessionIds.length,
			});
			const live = new Set(sessions.map(({ id }) => id));
			const value = rows.filter(({ sessionId }) => !live.has(sessionId)).map(({ id }) => id);
			if (value.length === 0) continue;
			const where = [
				{ field: "id", operator: "in" as const, value },
				{ field: "dueAt", value: null },
			];
			total += await adapter.deleteMany({ model: CLIENT_SESSION, where });
		}
		return total;
	});
}
