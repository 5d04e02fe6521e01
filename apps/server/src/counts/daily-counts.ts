import type { AuthDatabase } from "../database/open-database";
import type { Log } from "../logs/log";
import type { FinishedRequest } from "../logs/request-log";
import {
	addDailyCount,
	type CountedThing,
	type DailyCount,
	listDailyCounts,
} from "./daily-counts-table";

export type DailyCounts = {
	note: (request: Pick<FinishedRequest, "signIn" | "signedUp">) => void;
	/** Those of the last days, of all servers; this one's up to now. */
	list: (days: number) => Promise<DailyCount[]>;
	/** Writes what is left and stops. */
	close: () => Promise<void>;
};

const everyMs = 5000;
const dayMs = 24 * 60 * 60 * 1000;

const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10);

/** The days, in UTC, that end with today. */
export function lastDays(days: number, now = Date.now()): string[] {
	return Array.from({ length: days }, (_, index) => dayOf(now - (days - 1 - index) * dayMs));
}

/** Counts in memory, and adds to the database every few seconds: a sign-in costs no write. */
export function dailyCounts(database: AuthDatabase, log: Log): DailyCounts {
	const pending = new Map<string, DailyCount>();
	let flushing: Promise<void> = Promise.resolve();

	const add = (day: string, what: CountedThing, count: number) => {
		const key = `${day} ${what}`;
		pending.set(key, { day, what, count: count + (pending.get(key)?.count ?? 0) });
	};

	const flushOnce = async () => {
		for (const [key, counted] of [...pending]) {
			pending.delete(key);
			try {
				await addDailyCount(database, counted);
			} catch (error) {
				// It may have been counted, but was most likely not: it is tried again.
				add(counted.day, counted.what, counted.count);
				log.warn({ err: error }, "sign-ins could not be counted yet");
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
	}, everyMs).unref();

	return {
		note: ({ signIn, signedUp }) => {
			const today = dayOf(Date.now());
			if (signIn) add(today, signIn === "ok" ? "sign-in" : "sign-in-failed", 1);
			if (signedUp) add(today, "sign-up", 1);
		},
		list: async (days) => {
			await flush();
			return listDailyCounts(database, lastDays(days)[0] ?? "");
		},
		close: async () => {
			clearInterval(timer);
			await flush();
		},
	};
}
