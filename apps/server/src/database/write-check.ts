import type { Kysely } from "kysely";
import { type AuthDatabase, lastOutage } from "./open-database";

type Tables = { service_job: { name: string; due_at: number; locked_until: number } };

const NAME = "readiness";

/** Rejects if the database does not write: its disk is full, or it is a replica. */
async function writeOnce({ db }: AuthDatabase): Promise<void> {
	const tables = db as Kysely<Tables>;
	const now = Date.now();
	const { numUpdatedRows } = await tables
		.updateTable("service_job")
		.set({ due_at: now })
		.where("name", "=", NAME)
		.executeTakeFirst();
	if (numUpdatedRows > 0n) return;
	await tables
		.insertInto("service_job")
		.values({ name: NAME, due_at: now, locked_until: 0 })
		.execute();
}

const EVERY_MS = 10_000;

/**
 * Tells whether the database writes, with one write in ten seconds at most. After a request has failed,
 * and while writes fail, each call tries again: the server is unready at once, and ready as soon as they
 * work.
 *
 * @param onError called when a write fails
 */
export function writeCheck(database: AuthDatabase, onError: (error: unknown) => void) {
	let triedAt = Number.NEGATIVE_INFINITY;
	let isFailing = false;
	let running: Promise<void> | null = null;

	return async (): Promise<boolean> => {
		const isDue = performance.now() - triedAt >= EVERY_MS || lastOutage(database) > triedAt;
		if (isFailing || isDue) {
			running ??= writeOnce(database)
				.then(
					() => {
						isFailing = false;
					},
					(error: unknown) => {
						isFailing = true;
						onError(error);
					},
				)
				.finally(() => {
					triedAt = performance.now();
					running = null;
				});
			await running;
		}
		return !isFailing;
	};
}
