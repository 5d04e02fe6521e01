import type { AuthContext } from "@better-auth/core";
import { currentScope } from "./current-scope";
import { ACROSS, PLATFORM_ID } from "./scope";

type SecondaryStorage = NonNullable<AuthContext["secondaryStorage"]>;

/**
 * The secondary storage as other plugins have it from the context: in a tenant, each key ends in the
 * tenant's id. Core itself takes it from the options, for sessions, verifications and rate limits.
 */
export function scopeStorage(storage: SecondaryStorage): SecondaryStorage {
	return {
		get: async (key) => storage.get(await ownKey(key)),
		getAndDelete: async (key) => storage.getAndDelete(await ownKey(key)),
		increment: async (key, ttl) => storage.increment(await ownKey(key), ttl),
		set: async (key, value, ttl) => storage.set(await ownKey(key), value, ttl),
		delete: async (key) => storage.delete(await ownKey(key)),
	};
}

async function ownKey(key: string): Promise<string> {
	const scope = await currentScope();
	if (scope === ACROSS || scope.tenantId === PLATFORM_ID) return key;
	return `${key}@${scope.tenantId}`;
}
