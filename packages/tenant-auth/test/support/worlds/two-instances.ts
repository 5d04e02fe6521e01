import { connectPostgres, type OpenDatabase, openPostgres } from "../databases/databases";
import type { App } from "../http/browser";
import { type Instance, type InstanceOptions, makeInstance, ORIGIN } from "./instance";

/** Two connections to the same data: to one server, or to two nodes of a cluster. */
export type TwoConnections = [OpenDatabase, OpenDatabase];

/** A new PostgreSQL database, and connections of its own for each instance. */
export async function openPostgresTwice(address: string): Promise<TwoConnections> {
	const on = await openPostgres(address);
	return [on, connectPostgres(on.url)];
}

/** Two instances of one app. `settings` are made anew for each. */
export async function makeTwoInstances(
	connections: TwoConnections,
	settings: () => InstanceOptions = () => ({}),
) {
	const make = ({ db, type, pool }: OpenDatabase) =>
		makeInstance({
			user: { deleteUser: { enabled: true } },
			...settings(),
			on: { db, type, ...(pool ? { pool } : {}) },
			tenants: { allowPrivateProviderHosts: true },
		});
	const [on, otherOn] = connections;
	const [one, other] = [await make(on), await make(otherOn)];
	return {
		one,
		other,
		db: on.db,
		/** A load balancer: every request goes to the instance that did not get the last one. */
		balanced: balance([one, other]),
		async close() {
			await otherOn.close();
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
