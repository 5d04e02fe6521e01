import type { AuthContext, BetterAuthOptions } from "@better-auth/core";
import { currentScope } from "../call/context/current-scope";
import { findState } from "../call/context/current-state";
import { enterTenantOfToken } from "../call/context/gate";
import type { RequestState, TenantInstance } from "../call/context/request-state";
import {
	ALL_TENANTS,
	PLATFORM,
	PLATFORM_ID,
	type TenantScope,
	tenantIdIn,
} from "../call/context/tenant";
import { STORED_TOKENS } from "../call/foreign";
import { policyIn } from "../call/policy/tenant-policy";
import { latestEnd } from "./session-policy";

const { isTokenKey } = STORED_TOKENS;

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
		get: async (key) => {
			const state = isTokenKey(key) ? findState(instance) : null;
			if (state?.sessionMayDecide && !(await resolveByTokenKey(state, key))) return null;
			return storage.get(await currentKey(key));
		},
		getAndDelete: async (key) => storage.getAndDelete(await currentKey(key)),
		increment: async (key, ttl) => storage.increment(await currentKey(key), ttl),
		set: async (key, value, ttl) => {
			const scope = await currentScope(instance);
			const tenantId = isTokenKey(key) ? tenantIdIn(scope) : null;
			if (tenantId) await storage.set(tenantKeyOf(key), storedTenant(tenantId), ttl);
			await storage.set(await currentKey(key), value, ttl);
		},
		delete: async (key) => {
			await storage.delete(await currentKey(key));
			if (isTokenKey(key) && tenantIdIn(await currentScope(instance))) {
				await storage.delete(tenantKeyOf(key));
			}
		},
	};

	/**
	 * Enters the tenant of a token in a call that has named none. Returns `false` for an unknown token:
	 * then the session does not decide yet, because the database may still know the token.
	 */
	async function resolveByTokenKey(state: RequestState, key: string): Promise<boolean> {
		const tenantId = findStoredTenant(await storage.get(tenantKeyOf(key)));
		if (tenantId !== null) {
			// The entry may be left over from a deleted tenant.
			if (!(await state.readTenant(tenantId))) return false;
			await enterTenantOfToken(state, tenantId);
			return true;
		}
		if (!(await storage.get(ownKey(key, PLATFORM)))) return false;
		await enterTenantOfToken(state, PLATFORM_ID);
		return true;
	}
}

/** Where the tenant of a token is stored. No key of a plugin ends like this: see {@link ownKey}. */
const tenantKeyOf = (key: string) => `${key}:tenant-of`;

/**
 * Keys of the platform get a suffix too. A key contains what clients send, and one that looks like a
 * tenant's must not become one.
 */
export function ownKey(key: string, { tenantId }: TenantScope): string {
	return `${key}@${encodeURIComponent(tenantId)}`;
}

/**
 * Writes the tenant into new sessions and verifications, and limits how long a session lasts. In the
 * database the isolated adapter writes it; with a secondary storage these two may go there only.
 */
export function stampTenant(instance: TenantInstance): Hooks {
	return {
		session: {
			create: {
				before: async ({ expiresAt }) => {
					const scope = await currentScope(instance);
					if (scope === ALL_TENANTS) return;
					const tenant = scope.tenantId ? findState(instance)?.tenant : null;
					return {
						data: {
							tenantId: tenantIdIn(scope),
							...(tenant?.policy ? { expiresAt: latestEnd(policyIn(tenant), expiresAt) } : {}),
						},
					};
				},
			},
		},
		verification: {
			create: {
				before: async () => {
					const scope = await currentScope(instance);
					if (scope !== ALL_TENANTS) return { data: { tenantId: tenantIdIn(scope) } };
				},
			},
		},
	};
}

// With a secondary storage these tables exist only on request.
export const keepsSessionsInDatabase = ({ options, tables }: AuthContext) =>
	Boolean(tables.session) &&
	(!options.secondaryStorage || options.session?.storeSessionInDatabase === true);
export const keepsVerificationsInDatabase = ({ options, tables }: AuthContext) =>
	Boolean(tables.verification) &&
	(!options.secondaryStorage || options.verification?.storeInDatabase === true);

/**
 * How an entry of a secondary storage names a tenant. It is JSON, as everything that core stores: a storage
 * may parse what it gets or gives. It is an object, so that an id of digits stays a text.
 */
export const storedTenant = (tenantId: string): string => JSON.stringify({ tenantId });

/** The tenant that an entry names, `""` for the platform; `null` if there is no such entry. */
export function findStoredTenant(entry: unknown): string | null {
	const value = typeof entry === "string" && entry.startsWith("{") ? parse(entry) : entry;
	if (typeof value === "object" && value !== null) {
		const tenantId: unknown = Reflect.get(value, "tenantId");
		return typeof tenantId === "string" ? tenantId : null;
	}
	// Earlier versions stored the bare id. Such an entry lives as long as the token that it is about.
	if (value === "platform") return PLATFORM_ID;
	return typeof value === "string" || typeof value === "number" ? String(value) : null;
}

function parse(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return null;
	}
}
