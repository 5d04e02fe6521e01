import type { AuthContext } from "@better-auth/core";
import { currentScope } from "../context/current-scope";
import { ACROSS, type TenantScope } from "../context/scope";

type SecondaryStorage = NonNullable<AuthContext["secondaryStorage"]>;

/**
 * The secondary storage as other plugins have it from the context: in a tenant, each key ends in the
 * tenant's id. Core itself takes it from the options, for sessions, verifications and rate limits.
 */
export function scopeStorage(storage: SecondaryStorage): SecondaryStorage {
	return {
		get: async (key) => storage.get(await currentKey(key)),
		getAndDelete: async (key) => storage.getAndDelete(await currentKey(key)),
		increment: async (key, ttl) => storage.increment(await currentKey(key), ttl),
		set: async (key, value, ttl) => storage.set(await currentKey(key), value, ttl),
		delete: async (key) => storage.delete(await currentKey(key)),
	};
}

async function currentKey(key: string): Promise<string> {
	const scope = await currentScope();
	return scope === ACROSS ? key : ownKey(key, scope);
}

/**
 * The platform's keys end in a mark of their own too: a key holds what clients send, and one that
 * looks like a tenant's must not become one.
 */
export function ownKey(key: string, { tenantId }: TenantScope): string {
	return `${key}@${encodeURIComponent(tenantId)}`;
}
