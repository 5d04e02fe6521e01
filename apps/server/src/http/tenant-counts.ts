import type { MiddlewareHandler } from "hono";
import { type RawBuilder, sql } from "kysely";
import type { Backend } from "../auth";
import type { AuthDatabase } from "../database/open-database";

/** A page of the console has 50. */
const MAX_TENANTS = 100;
/** So many users of a tenant are counted. */
const MAX_COUNTED = 1000;

type TenantCounts = {
	id: string;
	/** 1,000 at most. */
	users: number;
	/** Whether there are more users than that. */
	hasMoreUsers: boolean;
	/** When somebody last signed in, or failed to. `null` if the sign-in log has nothing. */
	lastActivityAt: Date | null;
};

/**
 * How many users some tenants have, and when somebody last signed in there. However large the tenants are, it
 * reads 1,001 entries of an index for each.
 */
export function tenantCounts({ database }: Pick<Backend, "database">): MiddlewareHandler {
	return async (c) => {
		const ids = [...new Set((c.req.query("ids") ?? "").split(","))].filter((id) => id !== "");
		const isPossible = (id: string) => id.length <= 255 && !id.includes("\0");
		if (ids.length === 0 || ids.length > MAX_TENANTS || !ids.every(isPossible)) {
			const message = `[query.ids] Send 1 to ${MAX_TENANTS} ids of tenants, with commas between them`;
			return c.json({ code: "VALIDATION_ERROR", message }, 400);
		}
		return c.json(await countTenants(database, ids));
	};
}

type Row = { id: string; users: number | string; last: Date | string | null };

/** One statement. Each part of it names its tenant: MariaDB knows no other way to limit each of them. */
async function countTenants({ db }: AuthDatabase, ids: string[]): Promise<TenantCounts[]> {
	const [tenant, user, signIns] = ["tenantId", "user", "tenantSignIn"].map((name) => sql.ref(name));
	const createdAt = sql.ref("createdAt");
	const parts = ids.map(
		(id): RawBuilder<unknown> => sql`
			select ${sql.ref("id")} as id,
				(select count(*) from (
					select 1 from ${user} where ${tenant} = ${id} limit ${sql.lit(MAX_COUNTED + 1)}
				) counted) as users,
				(select max(${createdAt}) from ${signIns} where ${tenant} = ${id}) as last
			from ${sql.ref("tenant")} where id = ${id}
		`,
	);
	const { rows } = await sql<Row>`${sql.join(parts, sql` union all `)}`.execute(db);
	return rows.map(({ id, users, last }) => ({
		id,
		users: Math.min(Number(users), MAX_COUNTED),
		hasMoreUsers: Number(users) > MAX_COUNTED,
		// SQLite stores a text.
		lastActivityAt: last === null ? null : new Date(last),
	}));
}
