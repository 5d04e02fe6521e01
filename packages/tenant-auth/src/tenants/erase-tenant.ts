import type { AuthContext } from "@better-auth/core";
import { deleteConfigsOfTenant } from "../oauth-configs/config-store";
import { eraseRegisteredRows } from "../scope/row-register";
import { acrossTenants, runInScope, scopeOf } from "../scope/scope";
import type { TenantRow } from "./tenant";
import { deleteTenantRow, markErasing } from "./tenant-store";

const BATCH = 100;

/**
 * Deletes a tenant and everything in it.
 *
 * Users go in batches, each with its sessions and accounts, so that memory stays flat and no lock
 * is held long. The tenant's own row goes last: a process that dies half-way leaves a tenant that
 * accepts nobody, and deleting it again goes on from there.
 */
export async function eraseTenant(ctx: AuthContext, tenant: TenantRow): Promise<void> {
	await markErasing(ctx, tenant.id);
	await deleteConfigsOfTenant(ctx, tenant.id);
	await eraseContents(ctx, tenant);
	await deleteTenantRow(ctx, tenant.id);
	// A sign-up that was under way when erasing began may have written since.
	await eraseContents(ctx, tenant);
}

async function eraseContents(ctx: AuthContext, tenant: TenantRow): Promise<void> {
	await acrossTenants(() => eraseRegisteredRows(ctx.adapter, ctx.tables, tenant.id));
	await runInScope(scopeOf(tenant), () => eraseRows(ctx));
}

/** Runs in the tenant's scope: "all rows" are the tenant's. */
async function eraseRows(ctx: AuthContext): Promise<void> {
	for (;;) {
		const users = await ctx.adapter.findMany<{ id: string }>({ model: "user", limit: BATCH });
		if (users.length === 0) break;
		for (const { id } of users) await eraseUser(ctx, id);
	}
	if (ctx.tables.session && keepsSessionsInDatabase(ctx)) {
		await ctx.adapter.deleteMany({ model: "session", where: [] });
	}
	await ctx.adapter.deleteMany({ model: "account", where: [] });
	if (ctx.tables.verification && keepsVerificationsInDatabase(ctx)) {
		await ctx.adapter.deleteMany({ model: "verification", where: [] });
	}
}

async function eraseUser(ctx: AuthContext, id: string): Promise<void> {
	await eraseStoredSessions(ctx, id);
	// Core's own way: it runs the host's hooks.
	await ctx.internalAdapter.deleteUser(id);
	// A hook may veto the deletion of a user, but not that of the tenant.
	await ctx.adapter.deleteMany({ model: "user", where: [{ field: "id", value: id }] });
}

/**
 * Sessions in a secondary storage are found through their user only, by a list that core shortens
 * before it deletes the session. Here both go in the order that a crash can be resumed from.
 */
async function eraseStoredSessions(ctx: AuthContext, userId: string): Promise<void> {
	const storage = ctx.options.secondaryStorage;
	if (!storage) return;
	for (const { token } of await ctx.internalAdapter.listSessions(userId)) {
		await storage.delete(token);
	}
	await storage.delete(`active-sessions-${userId}`);
}

// With a secondary storage these tables exist only on request.
const keepsSessionsInDatabase = ({ options }: AuthContext) =>
	!options.secondaryStorage || options.session?.storeSessionInDatabase === true;
const keepsVerificationsInDatabase = ({ options }: AuthContext) =>
	!options.secondaryStorage || options.verification?.storeInDatabase === true;
