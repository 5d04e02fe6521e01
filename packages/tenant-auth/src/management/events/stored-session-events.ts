import type { AuthContext } from "@better-auth/core";
import type { Session } from "@better-auth/core/db";
import { currentScope } from "../../call/context/current-scope";
import { findState } from "../../call/context/current-state";
import type { TenantInstance } from "../../call/context/request-state";
import { tenantIdIn } from "../../call/context/tenant";
import { currentAdapter } from "../../database/current-adapter";
import type { InternalAdapter, StageParts } from "../../database/internal-adapter";
import { emit, hasListeners } from "./emit";
import type { NewEvent } from "./event-types";
import { sessionCreated, sessionRevoked } from "./row-events";

/**
 * Makes events of sessions that only a secondary storage has. The database adapter does not see them,
 * so the events are written after the change and not with it.
 */
export function emitStoredSessions(
	sessions: InternalAdapter,
	ctx: AuthContext,
	instance: TenantInstance,
): StageParts {
	async function findListening() {
		const tenantId = tenantIdIn(await currentScope(instance));
		const tenant = tenantId && (await findState(instance)?.readTenant(tenantId));
		return tenant && hasListeners(instance, tenant) ? tenant : null;
	}

	async function report(events: (NewEvent | null)[]): Promise<void> {
		const tenant = await findListening();
		if (!tenant) return;
		const adapter = currentAdapter(ctx.adapter);
		for (const event of events) if (event) await emit(instance, adapter, tenant, event);
	}

	/** @param find the sessions that will end; it is asked only if somebody listens */
	async function ending(find: () => Promise<Session[]>, end: () => Promise<void>): Promise<void> {
		const ended = (await findListening().catch(() => null)) ? await find().catch(() => []) : [];
		await end();
		await report(ended.map((session) => sessionRevoked({ ...session })));
	}

	const findAll = async (tokens: string[]) =>
		(await sessions.findSessions(tokens, { onlyActiveSessions: true })).map((it) => it.session);

	return {
		afterSession: (session) => report([sessionCreated({ ...session })]),
		deleteSession: (token) =>
			ending(
				() => findAll([token]),
				() => sessions.deleteSession(token),
			),
		deleteSessions: (tokens) =>
			ending(
				() => findAll(tokens),
				() => sessions.deleteSessions(tokens),
			),
		deleteUserSessions: (userId) =>
			ending(
				() => sessions.listSessions(userId, { onlyActiveSessions: true }),
				() => sessions.deleteUserSessions(userId),
			),
	};
}
