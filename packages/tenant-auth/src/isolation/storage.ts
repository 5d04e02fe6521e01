import type { AuthContext, BetterAuthOptions } from "@better-auth/core";
import { currentScope } from "../context/current-scope";
import type { TenantInstance } from "../context/request-state";
import { ALL_TENANTS, type TenantScope, tenantIdIn } from "../context/tenant";

type SecondaryStorage = NonNullable<AuthContext["secondaryStorage"]>;
type Hooks = NonNullable<BetterAuthOptions["databaseHooks"]>;

/**
 * The secondary storage that other plugins get from the context: each key ends with the tenant's id.
 * Core takes the storage from the options, for sessions, verifications and rate limits.
 */
export function isolateStorage(
	storage: SecondaryStorage,
	instance: TenantInstance,
): SecondaryStorage {
	const currentKey = async (key: string) => {
		const scope = await currentScope(instance);
		return scope === ALL_TENANTS ? key : ownKey(key, scope);
	};
	return {
		get: async (key) => storage.get(await currentKey(key)),
		getAndDelete: async (key) => storage.getAndDelete(await currentKey(key)),
		increment: async (key, ttl) => storage.increment(await currentKey(key), ttl),
		set: async (key, value, ttl) => storage.set(await currentKey(key), value, ttl),
		delete: async (key) => storage.delete(await currentKey(key)),
	};
}

/**
 * Keys of the platform get a suffix too. A key contains what clients send, and one that looks like a
 * tenant's must not become one.
 */
export function ownKey(key: string, { tenantId }: TenantScope): string {
	return `${key}@${encodeURIComponent(tenantId)}`;
}

/**
 * Writes the tenant into new sessions and verifications. In the database the isolated adapter does so;
 * with a secondary storage these two may go there only.
 */
export function stampTenant(instance: TenantInstance): Hooks {
	const stamp = async () => {
		const scope = await currentScope(instance);
		if (scope !== ALL_TENANTS) return { data: { tenantId: tenantIdIn(scope) } };
	};
	return {
		session: { create: { before: stamp } },
		verification: { create: { before: stamp } },
	};
}

// With a secondary storage these tables exist only on request.
export const keepsSessionsInDatabase = ({ options, tables }: AuthContext) =>
	Boolean(tables.session) &&
	(!options.secondaryStorage || options.session?.storeSessionInDatabase === true);
export const keepsVerificationsInDatabase = ({ options, tables }: AuthContext) =>
	Boolean(tables.verification) &&
	(!options.secondaryStorage || options.verification?.storeInDatabase === true);
