import type { AuthContext } from "@better-auth/core";
import type { Where } from "@better-auth/core/db/adapter";
import { requireInstance } from "../context/current-state";
import { createThrottle } from "../database/throttle";
import { idOf, withIds } from "../isolation/row-owners";
import { eventSettingsOf } from "./settings";
import { SIGN_IN_MODEL } from "./sign-in-log";

const DAY_MS = 24 * 60 * 60 * 1000;
const BATCH = 250;

/** How long a delivery is kept after it was created. It can be replayed until then. */
const DELIVERY_DAYS = 30;

/** Deletes sign-ins that are past the retention. Without a sign-in log, it deletes none. */
export async function pruneSignIns(ctx: AuthContext): Promise<number> {
	const { signInLog } = eventSettingsOf(requireInstance(ctx));
	if (!signInLog) return 0;
	return deleteInBatches(ctx, SIGN_IN_MODEL, [before(signInLog.retentionDays)]);
}

/** Deletes deliveries that are finished, and too old to be replayed. */
export async function pruneDeliveries(ctx: AuthContext): Promise<number> {
	let deleted = 0;
	for (const state of ["delivered", "failed"]) {
		const where: Where[] = [
			{ field: "state", value: state },
			before(DELIVERY_DAYS, "nextAttemptAt"),
		];
		deleted += await deleteInBatches(ctx, "tenantWebhookDelivery", where, "nextAttemptAt");
	}
	return deleted;
}

const before = (days: number, field = "createdAt"): Where => ({
	field,
	operator: "lt",
	value: new Date(Date.now() - days * DAY_MS),
});

/** The oldest first: an index has them in this order. */
async function deleteInBatches(
	{ adapter }: AuthContext,
	model: string,
	where: Where[],
	field = "createdAt",
): Promise<number> {
	const throttle = createThrottle();
	const sortBy = { field, direction: "asc" } as const;
	let total = 0;
	for (;;) {
		const rows = await adapter.findMany({ model, where, sortBy, limit: BATCH });
		if (rows.length === 0) return total;
		await throttle();
		total += await adapter.deleteMany({ model, where: [withIds(rows.map(idOf))] });
		await throttle();
		if (rows.length < BATCH) return total;
	}
}
