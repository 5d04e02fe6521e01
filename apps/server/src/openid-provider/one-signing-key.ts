import type { GenericEndpointContext } from "@better-auth/core";
import { getCurrentAdapter, runWithTransaction } from "@better-auth/core/context";
import { createAuthMiddleware } from "better-auth/api";
import { createJwk, type Jwk, type JwtOptions } from "better-auth/plugins";
import { getCurrentTenant } from "better-auth-tenant";
import { noTenant } from "./tenant-issuer";

const MODEL = "jwks";
const KEY_SET = "/jwks";

const isLive = ({ expiresAt }: Jwk) => !expiresAt || expiresAt > new Date();

/**
 * Makes one signing key for a tenant, when its first token is signed and after each rotation. The jwt plugin
 * would make one for each request that finds none, and also for readers of the key set, who need no account.
 * An RSA key takes longer than anything else that the service does.
 */
export function withOneSigningKey(options: JwtOptions): JwtOptions {
	/** What this process makes now, by tenant. */
	const making = new Map<string, Promise<Jwk>>();

	function makeOnce(ctx: GenericEndpointContext, tenantId: string): Promise<Jwk> {
		const running = making.get(tenantId);
		if (running) return running;
		const key = createJwk(ctx, { ...options, adapter: { createJwk: storeFirst } });
		making.set(tenantId, key);
		const forget = () => making.delete(tenantId);
		key.then(forget, forget);
		return key;
	}

	return {
		...options,
		adapter: {
			getJwks: async (ctx) => {
				const keys = await readKeys(ctx);
				if (keys.some(isLive) || ctx.path === KEY_SET) return keys;
				return [...keys, await makeOnce(ctx, (await requireTenant()).id)];
			},
		},
	};
}

/**
 * Stores a key, unless another server was first: then it returns that one. The lock of the tenant's row comes
 * before the read, because MySQL reads as of the first read. The row changes, because a cluster such as
 * Galera locks rows on one node only: two transactions on two nodes collide if both change a row.
 */
async function storeFirst(key: Omit<Jwk, "id">, ctx: GenericEndpointContext): Promise<Jwk> {
	const stored = runWithTransaction(ctx.context.adapter, async () => {
		const { id } = await requireTenant();
		const database = await getCurrentAdapter(ctx.context.adapter);
		const where = [{ field: "id", value: id }];
		await database.updateMany({ model: "tenant", where, update: { updatedAt: new Date() } });
		const first = (await readKeys(ctx)).find(isLive);
		return first ?? (await database.create<Omit<Jwk, "id">, Jwk>({ model: MODEL, data: key }));
	});
	return stored.catch(async (error: unknown) => {
		const first = (await readKeys(ctx)).find(isLive);
		if (first) return first;
		throw error;
	});
}

async function readKeys({ context }: GenericEndpointContext): Promise<Jwk[]> {
	return (await getCurrentAdapter(context.adapter)).findMany<Jwk>({ model: MODEL });
}

async function requireTenant() {
	const tenant = await getCurrentTenant();
	if (!tenant) throw noTenant();
	return tenant;
}

/** Returns an empty key set before the first token is signed. The jwt plugin would make a key. */
export const emptyKeySet = {
	matcher: ({ path }: { path?: string }) => path === KEY_SET,
	handler: createAuthMiddleware(async (ctx) => {
		if ((await readKeys(ctx)).length === 0) return ctx.json({ keys: [] });
	}),
};
