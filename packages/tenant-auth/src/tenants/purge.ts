import type { AuthContext } from "@better-auth/core";
import { runWithAdapter } from "@better-auth/core/context";
import type { Where } from "@better-auth/core/db/adapter";
import { acrossTenants, runInScope, scopeOf } from "../context/scope";
import { type Breathe, makeBreather } from "../database/throttle";
import { eraseRegisteredRows } from "../isolation/row-owners";
import {
	eraseStoredSessions,
	keepsSessionsInDatabase,
	keepsVerificationsInDatabase,
} from "../isolation/stored-sessions";
import { markInStorage } from "../isolation/suspension-mark";
import { deleteConfigsOfTenant } from "../oauth-clients/store";
import { BATCH, eraseRows } from "./purge-rows";
import { eraseUsers, type UserRow } from "./purge-users";
import { deleteTenantRow } from "./store";
import type { TenantRow } from "./tenant";

const underWay = new WeakMap<AuthContext["adapter"], Map<string, Promise<void>>>();

/**
 * Deletes a tenant that is marked for it, and everything in it. A caller who asks again meanwhile,
 * perhaps because a proxy gave the first answer up, waits for the same end, and no hook runs twice.
 */
export function eraseTenant(ctx: AuthContext, tenant: TenantRow): Promise<void> {
	const ofDatabase = underWay.get(ctx.adapter) ?? new Map<string, Promise<void>>();
	underWay.set(ctx.adapter, ofDatabase);
	const running =
		ofDatabase.get(tenant.id) ??
		eraseInBatches(ctx, tenant).finally(() => ofDatabase.delete(tenant.id));
	ofDatabase.set(tenant.id, running);
	return running;
}

/**
 * Rows go in batches and in no transaction, with a rest after each, so that memory stays flat and
 * other tenants are served meanwhile. The tenant's own row goes last: a process that dies half-way
 * leaves a tenant that accepts nobody, and deleting it again goes on from there.
 */
async function eraseInBatches(ctx: AuthContext, tenant: TenantRow): Promise<void> {
	const breathe = makeBreather();
	await runWithAdapter(ctx.adapter, async () => {
		await deleteConfigsOfTenant(ctx, tenant.id);
		await eraseContents(ctx, tenant, breathe);
		await deleteTenantRow(ctx, tenant.id);
		// A sign-up that was under way when erasing began may have written since.
		await eraseContents(ctx, tenant, breathe);
		await markInStorage(ctx.options.secondaryStorage, tenant.id, false);
	});
}

async function eraseContents(ctx: AuthContext, tenant: TenantRow, breathe: Breathe): Promise<void> {
	await acrossTenants(() => eraseRegisteredRows(ctx.adapter, ctx.tables, tenant.id, breathe));
	await runInScope(scopeOf(tenant), () => eraseCoreRows(ctx, breathe));
}

/** Runs in the tenant's scope: "all rows" are the tenant's. */
async function eraseCoreRows(ctx: AuthContext, breathe: Breathe): Promise<void> {
	for await (const users of usersInBatches(ctx)) {
		await breathe();
		await Promise.all(users.map(({ id }) => eraseStoredSessions(ctx, id)));
		await eraseUsers(ctx, users, breathe);
	}
	if (keepsSessionsInDatabase(ctx)) await eraseRows(ctx.adapter, "session", [], breathe);
	await eraseRows(ctx.adapter, "account", [], breathe);
	if (keepsVerificationsInDatabase(ctx)) await eraseRows(ctx.adapter, "verification", [], breathe);
}

/**
 * Every user until there is none, each batch behind the last one's addresses: what was deleted may
 * stay in an index for a while, and would be walked over again from the start.
 */
async function* usersInBatches({ adapter }: AuthContext): AsyncGenerator<UserRow[]> {
	let after: Where[] = [];
	for (;;) {
		const users = await adapter.findMany<UserRow & { email: string | null }>({
			model: "user",
			where: after,
			sortBy: { field: "email", direction: "asc" },
			limit: BATCH,
		});
		if (users.length > 0) yield users;
		else if (after.length === 0) return;
		const last = users.at(-1)?.email;
		after = last ? [{ field: "email", operator: "gt", value: last }] : [];
	}
}
