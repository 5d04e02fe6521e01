import type { AuthContext } from "@better-auth/core";
import { deleteOldest } from "../../database/delete-oldest";
import { DELIVERY_MODEL } from "./outbox";

const DAY_MS = 24 * 60 * 60 * 1000;

/** Deletes deliveries that are finished, and too old to be replayed. */
export async function pruneDeliveries(
	ctx: AuthContext,
	retentionDays: number,
	signal: AbortSignal | undefined,
): Promise<number> {
	const before = new Date(Date.now() - retentionDays * DAY_MS);
	let deleted = 0;
	for (const state of ["delivered", "failed"]) {
		const more = [{ field: "state", value: state }];
		deleted += await deleteOldest(ctx, DELIVERY_MODEL, "nextAttemptAt", before, { more, signal });
	}
	return deleted;
}
