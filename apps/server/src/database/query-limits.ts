import type { Duplex } from "node:stream";
import type { PoolConnection } from "mysql2";
import type { PoolClient } from "pg";
import { currentRequest } from "../monitoring/request-record";

/** A request does not wait longer for a database that accepts queries and does not respond. */
const QUERY_TIMEOUT_MS = 10_000;

/** After a store did not respond to a request, the request fails anyway. */
const LATER_TIMEOUT_MS = 1000;

/** How long the running request waits, so that it does not wait for each statement in turn. */
export const timeLimit = (milliseconds: number): number =>
	currentRequest()?.hasOutage ? Math.min(LATER_TIMEOUT_MS, milliseconds) : milliseconds;

/*
 * Both end the connection on which a query of a request takes too long. The drivers' own timeouts would
 * return it to the pool, where the next query waits behind this one. Work without a request, such as a
 * migration, may take as long as it needs.
 */

export function limitPostgresQueries(client: PoolClient): void {
	const query: (...input: unknown[]) => unknown = client.query.bind(client);
	const limited = (...input: unknown[]) => {
		const result = query(...input);
		if (!(result instanceof Promise) || !currentRequest()) return result;
		const timer = setTimeout(() => void client.end().catch(() => {}), timeLimit(QUERY_TIMEOUT_MS));
		return result.finally(() => clearTimeout(timer));
	};
	Object.assign(client, { query: limited });
}

/** Kysely calls `query` with a callback as the last argument. */
export function limitMysqlQueries(connection: PoolConnection): void {
	const query = connection.query.bind(connection) as (...input: unknown[]) => unknown;
	const { stream } = connection as unknown as { stream: Duplex };
	const limited = (...input: unknown[]) => {
		const callback = input.at(-1);
		if (typeof callback !== "function" || !currentRequest()) return query(...input);
		const error = Object.assign(new Error("The database does not respond"), { code: "ETIMEDOUT" });
		const timer = setTimeout(() => stream.destroy(error), timeLimit(QUERY_TIMEOUT_MS));
		const finished = (...results: unknown[]) => {
			clearTimeout(timer);
			callback(...results);
		};
		return query(...input.slice(0, -1), finished);
	};
	Object.assign(connection, { query: limited });
}
