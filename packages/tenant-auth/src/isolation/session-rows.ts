import type { AuthContext } from "@better-auth/core";
import { findState } from "../call/context/current-state";
import type { TenantInstance } from "../call/context/request-state";
import { PLATFORM_ID, tenantIdOf } from "../call/context/tenant";
import { currentAdapter } from "../database/current-adapter";
import type { FoundSession } from "../database/internal-adapter";
import { joinsAtOnce } from "../database/joins";
import { hiddenFields } from "../database/row-fields";
import { type AnyAdapter, type Row, rawAdapterOf } from "./raw-adapter";
import { tenantIn } from "./tenant-in-token";

/**
 * Reads sessions of all tenants from the database, with their users, as core's `findSession` does.
 *
 * A session is read in every request, so it is read with one statement where that is possible.
 */
export function sessionReader(ctx: AuthContext, instance: TenantInstance) {
	const hidden = { session: hiddenFields(ctx, "session"), user: hiddenFields(ctx, "user") };
	// A join would look for the user in all partitions.
	const joins = joinsAtOnce(ctx) && !instance.options.tenantInSessionTokens;
	const read = joins ? readJoined : readWithTenant(instance);
	return async (token: string): Promise<FoundSession | null> => {
		const [session, user] = (await read(rawAdapterOf(currentAdapter(ctx.adapter)), token)) ?? [];
		// MySQL ignores case and trailing spaces.
		if (session?.token !== token || !user) return null;
		for (const name of hidden.session) delete session[name];
		for (const name of hidden.user) delete user[name];
		return { session, user } as unknown as FoundSession;
	};
}

type Found = readonly [session: Row, user: Row | null];

async function readJoined(raw: AnyAdapter, token: string): Promise<Found | null> {
	type Joined = Row & { user: Row | null };
	const where = [{ field: "token", value: token }];
	const found = await raw.findOne<Joined>({ model: "session", where, join: { user: true } });
	if (!found) return null;
	const { user, ...session } = found;
	return [session, user];
}

/** The session's row has the tenant. The tenant's row is read at the same time as the user's. */
const readWithTenant =
	(instance: TenantInstance) =>
	async (raw: AnyAdapter, token: string): Promise<Found | null> => {
		const named = instance.options.tenantInSessionTokens ? tenantIn(token) : null;
		const session = await raw.findOne<Row>({
			model: "session",
			where: [
				{ field: "token", value: token },
				...(named === null ? [] : [{ field: "tenantId", value: named }]),
			],
		});
		if (!session) return null;
		const tenantId = tenantIdOf(session);
		if (tenantId !== PLATFORM_ID) findState(instance)?.readTenant(tenantId, instance);
		const where = [
			{ field: "id", value: String(session.userId) },
			{ field: "tenantId", value: tenantId },
		];
		return [session, await raw.findOne<Row>({ model: "user", where })];
	};
