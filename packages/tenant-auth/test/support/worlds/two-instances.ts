import { Pool } from "pg";
import { openPostgres } from "../databases/databases";
import type { App } from "../http/browser";
import { type Instance, type InstanceOptions, makeInstance, ORIGIN } from "./instance";

/**
 * Two instances of one host on one PostgreSQL database. Each has connections of its own, and `settings`
 * are made anew for each.
 */
export async function makeTwoInstances(
	address: string,
	settings: () => InstanceOptions = () => ({}),
) {
	const on = await openPostgres(address);
	const { connectionString } = (on.pool as Pool).options;
	const otherPool = new Pool({ ...(connectionString ? { connectionString } : {}), max: 4 });
	const make = (pool: typeof on.pool) =>
		makeInstance({
			user: { deleteUser: { enabled: true } },
			...settings(),
			on: { db: on.db, type: on.type, ...(pool ? { pool } : {}) },
			tenants: { allowPrivateProviderHosts: true },
		});
	const [one, other] = [await make(on.pool), await make(otherPool)];
	return {
		one,
		other,
		db: on.db,
		/** A load balancer: every request goes to the instance that did not get the last one. */
		balanced: balance([one, other]),
		async close() {
			await otherPool.end();
			await on.close();
		},
	};
}

export type TwoInstances = Awaited<ReturnType<typeof makeTwoInstances>>;

function balance(instances: Instance[]): App {
	let requests = 0;
	return {
		baseURL: `${ORIGIN}/api/auth`,
		handler: (request) => {
			requests += 1;
			const instance = instances[requests % instances.length] as Instance;
			return instance.auth.handler(request);
		},
	};
}
