import type { AuthContext } from "@better-auth/core";
import { findState } from "../context/current-state";
import type { FoundSession } from "../context/presented-sessions";
import type { TenantInstance } from "../context/request-state";
import { PLATFORM_ID, tenantIdOf } from "../context/tenant";
import { compileJoin, type Found } from "../database/compiled-reads";
import { currentAdapter } from "../database/current-adapter";
import { type AnyAdapter, type Row, rawAdapterOf } from "./raw-adapter";

/**
 * Reads sessions of all tenants from the database, with their users, as core's `findSession` does.
 *
 * A session is read in every request, so it is read with one statement where that is possible.
 */
export function sessionReader(ctx: AuthContext, instance: TenantInstance) {
	const compiled = compileJoin(ctx, {
		model: "session",
		by: ["token"],
		join: { model: "user", field: "id", from: "userId" },
	});
	const hidden = { session: hiddenFields(ctx, "session"), user: hiddenFields(ctx, "user") };
	const viaAdapter =
		ctx.options.advanced?.database?.joins === true ? readJoined : readWithTenant(instance);
	return async (token: string): Promise<FoundSession | null> => {
		const read = compiled();
		const found = read
			? (await read(token))[0]
			: await viaAdapter(rawAdapterOf(currentAdapter(ctx.adapter)), token);
		const [session, user] = found ?? [];
		if (!session || !user) return null;
		for (const name of hidden.session) delete session[name];
		for (const name of hidden.user) delete user[name];
		return { session, user } as unknown as FoundSession;
	};
}

const query = (token: string) => ({ model: "session", where: [{ field: "token", value: token }] });

async function readJoined(raw: AnyAdapter, token: string): Promise<Found | null> {
	type Joined = Row & { user: Row | null };
	const found = await raw.findOne<Joined>({ ...query(token), join: { user: true } });
	if (!found) return null;
	const { user, ...session } = found;
	return [session, user];
}

/** The session's row tells the tenant. The tenant's row is read at the same time as the user's. */
const readWithTenant =
	(instance: TenantInstance) =>
	async (raw: AnyAdapter, token: string): Promise<Found | null> => {
		const session = await raw.findOne<Row>(query(token));
		if (!session) return null;
		const tenantId = tenantIdOf(session);
		if (tenantId !== PLATFORM_ID) findState(instance)?.prefetchTenant(instance, tenantId);
		const where = [{ field: "id", value: String(session.userId) }];
		return [session, await raw.findOne<Row>({ model: "user", where })];
	};

/** The names of the fields that Better Auth's `parseSessionOutput` and `parseUserOutput` leave out. */
function hiddenFields({ options, tables }: AuthContext, model: "session" | "user"): string[] {
	const ofPlugins = (options.plugins ?? []).map(({ schema }) => schema?.[model]?.fields);
	const all = [tables[model]?.fields, options[model]?.additionalFields, ...ofPlugins];
	return all.flatMap((fields) =>
		Object.entries(fields ?? {}).flatMap(([name, { returned }]) =>
			returned === false ? name : [],
		),
	);
}
