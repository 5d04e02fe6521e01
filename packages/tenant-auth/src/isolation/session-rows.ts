import type { AuthContext } from "@better-auth/core";
import { currentAdapter } from "../context/current-adapter";
import { findState } from "../context/current-state";
import type { FoundSession } from "../context/presented-sessions";
import type { TenantInstance } from "../context/request-state";
import { PLATFORM_ID, tenantIdOf } from "../context/tenant";
import { type AnyAdapter, type Row, rawAdapterOf } from "./raw-adapter";

/**
 * Reads sessions of all tenants from the database, with their users.
 *
 * It does the same as core's `findSession`, with the same statements. But the session's row tells the
 * tenant, so the tenant's row is read at the same time as the user's.
 */
export function sessionReader(ctx: AuthContext, instance: TenantInstance) {
	const read =
		ctx.options.advanced?.database?.joins === true ? readJoined : readWithTenant(instance);
	return async (token: string): Promise<FoundSession | null> => {
		const found = await read(rawAdapterOf(currentAdapter(ctx.adapter)), token);
		if (!found?.user) return null;
		const { user, ...session } = found;
		return { session: visible(ctx, "session", session), user: visible(ctx, "user", user) };
	};
}

type SessionWithUser = Row & { user: Row | null };

const query = (token: string) => ({ model: "session", where: [{ field: "token", value: token }] });

function readJoined(raw: AnyAdapter, token: string): Promise<SessionWithUser | null> {
	return raw.findOne<SessionWithUser>({ ...query(token), join: { user: true } });
}

const readWithTenant =
	(instance: TenantInstance) =>
	async (raw: AnyAdapter, token: string): Promise<SessionWithUser | null> => {
		const session = await raw.findOne<Row>(query(token));
		if (!session) return null;
		const tenantId = tenantIdOf(session);
		if (tenantId !== PLATFORM_ID) findState(instance)?.prefetchTenant(instance, tenantId);
		const where = [{ field: "id", value: String(session.userId) }];
		const user = await raw.findOne<Row>({ model: "user", where });
		return { ...session, user };
	};

/** The names of the fields that Better Auth never returns, by the options that declare them. */
const hiddenFields = new WeakMap<object, Map<string, string[]>>();

/** A row without these fields, as Better Auth's `parseSessionOutput` and `parseUserOutput` return it. */
function visible<Model extends "session" | "user">(
	{ options, tables }: AuthContext,
	model: Model,
	row: Row,
): FoundSession[Model] {
	const known = hiddenFields.get(options) ?? new Map<string, string[]>();
	hiddenFields.set(options, known);
	let hidden = known.get(model);
	if (!hidden) {
		const ofPlugins = (options.plugins ?? []).map(({ schema }) => schema?.[model]?.fields);
		const all = [tables[model]?.fields, options[model]?.additionalFields, ...ofPlugins];
		hidden = all.flatMap((fields) =>
			Object.entries(fields ?? {}).flatMap(([name, { returned }]) =>
				returned === false ? name : [],
			),
		);
		known.set(model, hidden);
	}
	for (const name of hidden) delete row[name];
	return row as FoundSession[Model];
}
