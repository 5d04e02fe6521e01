import { type Kysely, sql } from "kysely";
import { expect } from "vitest";

type Count = { count: number };

const WAITING = {
	postgres: sql<Count>`
		select count(*)::int as count from pg_stat_activity
		where datname = current_database() and wait_event_type = 'Lock'`,
	mysql: sql<Count>`
		select count(*) as count from information_schema.innodb_trx t
		join information_schema.processlist p on p.id = t.trx_mysql_thread_id
		where t.trx_state = 'LOCK WAIT' and p.db = database()`,
};

/** Until so many transactions of the database wait for a lock. */
// biome-ignore lint/suspicious/noExplicitAny: the tables do not matter
export async function untilWaiting(db: Kysely<any>, type: string, transactions: number) {
	const query = WAITING[type as keyof typeof WAITING];
	const count = async () => Number((await query.execute(db)).rows[0]?.count);
	// InnoDB shows the same list to everybody until nobody has read it for 100 ms. Another suite may read it too.
	await expect.poll(count, { interval: 500 }).toBe(transactions);
}
