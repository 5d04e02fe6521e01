import { createHash } from "node:crypto";
import type { Kysely } from "kysely";
import { memoryCounters } from "../database/counters";
import { isOperatorKey } from "../operators/key-store";

type Tables = { operatorKey: { digest: string; expiresAt: Date | string | null } };
type Found = { isValid: boolean; checkAgainAt: number; expiresAt: number };

/** A revoked key has no limit for so long. It may do nothing as soon as it is revoked. */
const VALID_MS = 1000;
/** Keys are random, so a wrong key does not become a right one. */
const WRONG_MS = 60_000;
const MAX_KEPT = 1000;

/** How many unknown keys of one IP address are looked up. The others are treated as wrong. */
const MAX_LOOKUPS = 20;
const LOOKUP_WINDOW_SECONDS = 10;

/**
 * Tells whether a text is a valid key with scopes, which has no limit of requests. Attempts to sign in are
 * limited all the same: such a key may be able to do very little. The check remembers its results, and it
 * looks up few unknown keys of an address: to present wrong keys must not cost the database more than to
 * present none.
 */
export function scopedKeyCheck(db: Kysely<unknown>) {
	/** A promise only until it is settled: in Node.js before 24, it keeps the request that made it. */
	const kept = new Map<string, Promise<Found> | Found>();
	const lookups = memoryCounters();

	async function lookUp(digest: string): Promise<Found> {
		const row = await (db as Kysely<Tables>)
			.selectFrom("operatorKey")
			.select("expiresAt")
			.where("digest", "=", digest)
			.executeTakeFirst();
		const expiresAt = row?.expiresAt ? new Date(row.expiresAt).getTime() : Number.POSITIVE_INFINITY;
		const isValid = row !== undefined && expiresAt > Date.now();
		return { isValid, expiresAt, checkAgainAt: Date.now() + (isValid ? VALID_MS : WRONG_MS) };
	}

	/** Requests at the same time share one lookup. A failed one is not kept. */
	function keep(digest: string): Promise<Found> {
		const finding = lookUp(digest);
		kept.delete(digest);
		const [oldest] = kept.keys();
		if (kept.size >= MAX_KEPT && oldest !== undefined) kept.delete(oldest);
		kept.set(digest, finding);
		finding.then(
			(found) => kept.get(digest) === finding && kept.set(digest, found),
			() => kept.get(digest) === finding && kept.delete(digest),
		);
		return finding;
	}

	return async (key: string, address: string | null): Promise<boolean> => {
		if (!isOperatorKey(key)) return false;
		const digest = createHash("sha256").update(key).digest("hex");
		try {
			let found = await kept.get(digest);
			// A key that was valid is looked up in any case: nobody else has it.
			if (!found?.isValid && (!found || found.checkAgainAt <= Date.now())) {
				const count = await lookups.increment(address ?? "", LOOKUP_WINDOW_SECONDS);
				if (count > MAX_LOOKUPS) return false;
			}
			if (!found || found.checkAgainAt <= Date.now()) found = await keep(digest);
			return found.isValid && found.expiresAt > Date.now();
		} catch {
			// The request has the usual limit, and its own lookup reports the outage.
			return false;
		}
	};
}
