import type { AuthContext } from "@better-auth/core";
import { BetterAuthError } from "@better-auth/core/error";
import { type AnyAuth, requireInstance } from "../../call/context/current-state";
import { createThrottle } from "../../database/throttle";
import { pruneBatch } from "./retention";

/**
 * Deletes all audit events that are older than the option `audit.retentionDays`, in batches. Each new
 * event also deletes some old ones. Run this once a day, so that old events also go when nobody changes
 * anything.
 *
 * @returns the number of deleted events
 * @throws BetterAuthError if `audit.retentionDays` is not set
 * @example
 * ```ts
 * await pruneAuditEvents(auth);
 * ```
 */
export async function pruneAuditEvents(
	auth: AnyAuth,
	{ signal }: { signal?: AbortSignal | undefined } = {},
): Promise<number> {
	const ctx = (await auth.$context) as AuthContext;
	const auditRetentionDays = requireInstance(ctx).options.audit?.retentionDays;
	if (auditRetentionDays === undefined) {
		throw new BetterAuthError("pruneAuditEvents: the option audit.retentionDays is not set");
	}
	const throttle = createThrottle();
	let total = 0;
	for (let deleted = 1; deleted > 0 && !signal?.aborted; total += deleted) {
		deleted = await pruneBatch(ctx, auditRetentionDays);
		await throttle();
	}
	return total;
}
