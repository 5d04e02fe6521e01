import type { AuthContext } from "@better-auth/core";
import { runWithAdapter } from "@better-auth/core/context";
import type { Where } from "@better-auth/core/db/adapter";
import { requireInstance, runInScope } from "../../call/context/current-state";
import { scopeOf, type TenantRow } from "../../call/context/tenant";
import { runsInWorkers } from "../../call/context/workers";
import { type BatchSize, createBatchSize } from "../../database/batch-size";
import { createThrottle } from "../../database/throttle";
import { retryConflicts } from "../../database/write-conflicts";
import { rawAdapterOf } from "../../isolation/raw-adapter";
import { purgeOwnedRows } from "../../isolation/row-owners";
import { keepsSessionsInDatabase, keepsVerificationsInDatabase } from "../../isolation/storage";
import { withoutRowEvents } from "../events/row-events";
import { type Pace, purgeRows, purgeUsers, type UserRow } from "./purge-users";
import { deleteTenantRow } from "./store";

const running = new WeakMap<AuthContext["adapter"], Map<string, Promise<void>>>();

/**
 * Deletes a tenant whose deletion has started, and everything in it. A caller who asks again meanwhile,
 * perhaps after a timeout of a proxy, waits for the same purge, and no hook runs twice. In Workers, such
 * a caller continues the purge instead.
 */
export function purgeTenant(ctx: AuthContext, tenant: TenantRow): Promise<void> {
	if (runsInWorkers()) return purgeInBatches(ctx, tenant);
	const ofDatabase = running.get(ctx.adapter) ?? new Map<string, Promise<void>>();
	running.set(ctx.adapter, ofDatabase);
	const purging =
		ofDatabase.get(tenant.id) ??
		purgeInBatches(ctx, tenant).finally(() => ofDatabase.delete(tenant.id));
	ofDatabase.set(tenant.id, purging);
	return purging;
}

/**
 * Rows are deleted in batches, each in its own transaction and with a pause after it. So memory stays
 * flat and other tenants are served meanwhile. The tenant's own row is deleted last: if the process
 * dies, the tenant still admits nobody, and deleting it again continues.
 */
async function purgeInBatches(ctx: AuthContext, tenant: TenantRow): Promise<void> {
	const pace: Pace = { throttle: createThrottle(), size: createBatchSize() };
	await runWithAdapter(ctx.adapter, async () => {
		const where = [{ field: "tenantId", value: tenant.id }];
		// Another server may delete the same tenant.
		await retryConflicts(() => ctx.adapter.deleteMany({ model: "tenantOauthConfig", where }));
		await withoutRowEvents(async () => {
			await purgeContents(ctx, tenant, pace);
			await retryConflicts(() => deleteTenantRow(ctx, tenant.id));
			// A sign-up that was running when the deletion started may have written since.
			await purgeContents(ctx, tenant, pace);
		});
	});
}

async function purgeContents(ctx: AuthContext, tenant: TenantRow, pace: Pace): Promise<void> {
	const raw = rawAdapterOf(ctx.adapter);
	await retryConflicts(() => purgeOwnedRows(raw, ctx.tables, tenant.id, pace.throttle));
	await runInScope(requireInstance(ctx), scopeOf(tenant), () => purgeCoreRows(ctx, pace));
	const where = [{ field: "tenantId", value: tenant.id }];
	const { tables } = requireInstance(ctx).features;
	const explicit = [...tables].flatMap(([model, kind]) => (kind === "shared" ? [] : model));
	for (const model of explicit) {
		await purgeRows(ctx.adapter, model, where, pace.throttle);
	}
}

/** Runs in the tenant's scope: all rows that it finds belong to the tenant. */
async function purgeCoreRows(ctx: AuthContext, pace: Pace): Promise<void> {
	const { throttle, size } = pace;
	for await (const users of usersInBatches(ctx, size)) {
		await throttle();
		await purgeUsers(ctx, users, pace);
	}
	if (keepsSessionsInDatabase(ctx)) await purgeRows(ctx.adapter, "session", [], throttle);
	await purgeRows(ctx.adapter, "account", [], throttle);
	if (keepsVerificationsInDatabase(ctx)) await purgeRows(ctx.adapter, "verification", [], throttle);
}

/**
 * All users until none is left. Each batch starts after the last one's email: deleted rows may stay in
 * an index for a while, and a scan from the start would read them again.
 */
async function* usersInBatches(
	{ adapter }: AuthContext,
	size: BatchSize,
): AsyncGenerator<UserRow[]> {
	let after: Where[] = [];
	for (;;) {
		const users = await adapter.findMany<UserRow & { email: string | null }>({
			model: "user",
			where: after,
			sortBy: { field: "email", direction: "asc" },
			limit: size.current,
		});
		if (users.length > 0) yield users;
		else if (after.length === 0) return;
		const last = users.at(-1)?.email;
		after = last ? [{ field: "email", operator: "gt", value: last }] : [];
	}
}
