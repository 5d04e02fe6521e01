import { type RawBuilder, sql } from "kysely";
import type { AuthDatabase } from "./open-database";
import type { RedisStore } from "./redis";

/** Clocks may differ by this much: docs/high-availability.md#clocks. */
export const MAX_CLOCK_OFFSET_MS = 1000;

/** The time of a store, in milliseconds. */
type ReadClock = () => Promise<number>;

/**
 * How far the clock of a store is ahead of ours, in milliseconds; below zero if it is behind. A store reads
 * its clock at any time between request and response, so this is the smallest difference that is possible.
 */
export async function clockOffset(readClock: ReadClock): Promise<number> {
	const sent = Date.now();
	const theirs = await readClock();
	const received = Date.now();
	return Math.max(theirs - received, 0) + Math.min(theirs - sent, 0);
}

const NOW: Record<AuthDatabase["type"], RawBuilder<unknown> | null> = {
	postgres: sql`extract(epoch from clock_timestamp()) * 1000`,
	mysql: sql`unix_timestamp(sysdate(6)) * 1000`,
	// It has the clock of this machine.
	sqlite: null,
};

/** The stores that have a clock of their own. */
export function storeClocks({
	database,
	redis,
}: {
	database?: AuthDatabase;
	redis?: Pick<RedisStore, "readClock"> | null;
}): Record<string, ReadClock> {
	const now = database && NOW[database.type];
	const readDatabase: ReadClock = async () => {
		if (!now) return Date.now();
		const row = await database.db.selectNoFrom(now.as("now")).executeTakeFirstOrThrow();
		return Number(row.now);
	};
	return { ...(now && { database: readDatabase }), ...(redis && { redis: redis.readClock }) };
}
