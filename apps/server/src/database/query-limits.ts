import type { Duplex } from "node:stream";
import type { PoolConnection } from "mysql2";
import type { PoolClient } from "pg";
import { waitForStore } from "./wait-for-store";

/*
 * Both end the connection on which a query takes longer than its request may wait. The drivers' own
 * timeouts would return it to the pool, where the next query waits behind this one. The server rolls back
 * what was open on it.
 */

export function limitPostgresQueries(client: PoolClient): void {
	const query: (...input: unknown[]) => unknown = client.query.bind(client);
	let hasEnded = false;
	const giveUp = () => {
		if (!hasEnded) void client.end().catch(() => {});
		hasEnded = true;
	};
	const limited = (...input: unknown[]) => waitForStore(async () => query(...input), { giveUp });
	Object.assign(client, { query: limited });
}

/** Kysely calls `query` with a callback as the last argument. */
export function limitMysqlQueries(connection: PoolConnection): void {
	const query = connection.query.bind(connection) as (...input: unknown[]) => unknown;
	const { stream } = connection as unknown as { stream: Duplex };
	const giveUp = () => {
		// It leaves the pool at once, but its socket would stay open until the server responds.
		connection.destroy();
		stream.destroy();
	};
	const limited = (...input: unknown[]) => {
		const callback = input.at(-1);
		if (typeof callback !== "function") return query(...input);
		const ask = () =>
			new Promise<unknown[]>((resolve, reject) => {
				const finished = (error: unknown, ...results: unknown[]) =>
					error ? reject(error) : resolve(results);
				query(...input.slice(0, -1), finished);
			});
		waitForStore(ask, { giveUp }).then(
			(results) => callback(null, ...results),
			(error) => callback(error),
		);
	};
	Object.assign(connection, { query: limited });
}
