import { type Kysely, sql } from "kysely";
import type { AuthDatabase } from "../database/open-database";

export type CountedThing = "sign-in" | "sign-in-failed" | "sign-up";

export type DailyCount = { day: string; what: CountedThing; count: number };

type Tables = { service_daily_count: { day: string; what: string; count: number } };

const tables = (db: Kysely<unknown>) => db as Kysely<Tables>;

/** The service's own table, beside Better Auth's. */
export function dailyCountsTable(db: Kysely<unknown>) {
	return db.schema
		.createTable("service_daily_count")
		.ifNotExists()
		.addColumn("day", "varchar(10)", (column) => column.notNull())
		.addColumn("what", "varchar(32)", (column) => column.notNull())
		.addColumn("count", "bigint", (column) => column.notNull())
		.addPrimaryKeyConstraint("service_daily_count_key", ["day", "what"]);
}

export const createDailyCounts = (db: Kysely<unknown>): Promise<void> =>
	dailyCountsTable(db).execute();

/** Adds to what stands there, in one statement each: several servers may do so at once. */
export async function addDailyCount({ db, type }: AuthDatabase, added: DailyCount): Promise<void> {
	const insert = tables(db).insertInto("service_daily_count").values(added);
	const sum = sql<number>`service_daily_count.count + ${added.count}`;
	if (type === "mysql") await insert.onDuplicateKeyUpdate({ count: sum }).execute();
	else {
		await insert
			.onConflict((conflict) => conflict.columns(["day", "what"]).doUpdateSet({ count: sum }))
			.execute();
	}
}

export async function listDailyCounts({ db }: AuthDatabase, since: string): Promise<DailyCount[]> {
	const rows = await tables(db)
		.selectFrom("service_daily_count")
		.selectAll()
		.where("day", ">=", since)
		.execute();
	// PostgreSQL gives a bigint as text.
	return rows.map(({ day, what, count }) => ({
		day,
		what: what as CountedThing,
		count: Number(count),
	}));
}
