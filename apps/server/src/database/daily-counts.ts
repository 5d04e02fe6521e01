import { type Kysely, sql } from "kysely";
import type { Log } from "../monitoring/log";
import type { RequestRecord } from "../monitoring/request-record";
import type { AuthDatabase } from "./open-database";

export type CountedEvent = "sign-in" | "sign-in-failed" | "sign-up";

export type DailyCount = { day: string; what: CountedEvent; count: number };

type Tables = { service_daily_count: { day: string; what: string; count: number } };

const tables = (db: Kysely<unknown>) => db as Kysely<Tables>;

/** Creates the server's own table, next to those of Better Auth. */
export function dailyCountsTable(db: Kysely<unknown>) {
	return db.schema
		.createTable("service_daily_count")
		.ifNotExists()
		.addColumn("day", "varchar(10)", (column) => column.notNull())
		.addColumn("what", "varchar(32)", (column) => column.notNull())
		.addColumn("count", "bigint", (column) => column.notNull())
		.addPrimaryKeyConstraint("service_daily_count_key", ["day", "what"]);
}

export type DailyCounts = {
	record: (request: Pick<RequestRecord, "signIn" | "signedUp">) => void;
	/** The counts of the last days, of all servers. The other servers' newest counts may be missing. */
	list: (days: number) => Promise<DailyCount[]>;
	/** Writes the remaining counts and stops. */
	close: () => Promise<void>;
};

const FLUSH_INTERVAL_MS = 5000;
const DAY_MS = 24 * 60 * 60 * 1000;

const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10);

/** The last days in UTC, oldest first. Today is the last one. */
export function lastDays(days: number, now = Date.now()): string[] {
	return Array.from({ length: days }, (_, index) => dayOf(now - (days - 1 - index) * DAY_MS));
}

/** Counts in memory and adds to the database every few seconds, so that a sign-in needs no extra write. */
export function createDailyCounts(database: AuthDatabase, log: Log): DailyCounts {
	const pending = new Map<string, DailyCount>();
	let flushing: Promise<void> = Promise.resolve();

	const add = (day: string, what: CountedEvent, count: number) => {
		const key = `${day} ${what}`;
		pending.set(key, { day, what, count: count + (pending.get(key)?.count ?? 0) });
	};

	const flushOnce = async () => {
		for (const [key, counted] of [...pending]) {
			pending.delete(key);
			try {
				await increaseCount(database, counted);
			} catch (error) {
				// The database may have counted it before the error, but most likely did not.
				add(counted.day, counted.what, counted.count);
				log.warn({ err: error }, "daily counts could not be written, retrying later");
				return;
			}
		}
	};

	const flush = () => {
		flushing = flushing.then(flushOnce);
		return flushing;
	};

	const timer = setInterval(() => {
		if (pending.size > 0) void flush();
	}, FLUSH_INTERVAL_MS).unref();

	return {
		record: ({ signIn, signedUp }) => {
			const today = dayOf(Date.now());
			if (signIn) add(today, signIn === "ok" ? "sign-in" : "sign-in-failed", 1);
			if (signedUp) add(today, "sign-up", 1);
		},
		list: async (days) => {
			await flush();
			return selectCounts(database, lastDays(days)[0] ?? "");
		},
		close: async () => {
			clearInterval(timer);
			await flush();
		},
	};
}

/** One statement, so that several servers can add at the same time. */
async function increaseCount({ db, type }: AuthDatabase, added: DailyCount): Promise<void> {
	const insert = tables(db).insertInto("service_daily_count").values(added);
	const sum = sql<number>`service_daily_count.count + ${added.count}`;
	if (type === "mysql") await insert.onDuplicateKeyUpdate({ count: sum }).execute();
	else {
		await insert
			.onConflict((conflict) => conflict.columns(["day", "what"]).doUpdateSet({ count: sum }))
			.execute();
	}
}

async function selectCounts({ db }: AuthDatabase, since: string): Promise<DailyCount[]> {
	const rows = await tables(db)
		.selectFrom("service_daily_count")
		.selectAll()
		.where("day", ">=", since)
		.execute();
	// PostgreSQL returns a bigint as text.
	return rows.map(({ day, what, count }) => ({
		day,
		what: what as CountedEvent,
		count: Number(count),
	}));
}
