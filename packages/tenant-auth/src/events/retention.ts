import type { AuthContext } from "@better-auth/core";
import type { Where } from "@better-auth/core/db/adapter";
import { requireInstance } from "../context/current-state";
import { createThrottle } from "../database/throttle";
import { idOf, withIds } from "../isolation/row-owners";
import { SIGN_IN_MODEL } from "./sign-in-log";

const DAY_MS = 24 * 60 * 60 * 1000;
const BATCH = 250;

/** Deletes sign-ins that are past the retention. */
export const pruneSignIns = (ctx: AuthContext, signal?: AbortSignal): Promise<number> =>
	deleteInBatches(ctx, SIGN_IN_MODEL, "expiresAt", new Date(), { signal });

/** Deletes deliveries that are finished, and too old to be replayed. */
export async function pruneDeliveries(ctx: AuthContext, signal?: AbortSignal): Promise<number> {
	const { retentionDays } = requireInstance(ctx).options.webhooks;
	const before = new Date(Date.now() - retentionDays * DAY_MS);
	let deleted = 0;
	for (const state of ["delivered", "failed"]) {
		const more = [{ field: "state", value: state }];
		const model = "tenantWebhookDelivery";
		deleted += await deleteInBatches(ctx, model, "nextAttemptAt", before, { more, signal });
	}
	return deleted;
}

/** The oldest first: an index has them in this order. */
async function deleteInBatches(
	{ adapter }: AuthContext,
	model: string,
	field: string,
	before: Date,
	{ more = [], signal }: { more?: Where[]; signal?: AbortSignal | undefined },
): Promise<number> {
	const throttle = createThrottle();
	const where: Where[] = [...more, { field, operator: "lt", value: before }];
	const sortBy = { field, direction: "asc" } as const;
	let total = 0;
	while (!signal?.aborted) {
		const rows = await adapter.findMany({ model, where, sortBy, limit: BATCH });
		if (rows.length === 0) return total;
		await throttle();
		total += await adapter.deleteMany({ model, where: [withIds(rows.map(idOf))] });
		await throttle();
		if (rows.length < BATCH) return total;
	}
	return total;
}
