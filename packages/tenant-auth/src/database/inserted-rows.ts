import type { AuthContext } from "@better-auth/core";
import type { DBAdapter } from "@better-auth/core/db/adapter";

/** Which row it is, and whose. All adapters return these as they were given. */
const IDENTITY = ["tenantId", "userId", "token"];

/**
 * Makes each insert return the row that it has inserted, with counted ids on MySQL.
 *
 * MySQL does not return an inserted row. So Better Auth's adapters ask for `LAST_INSERT_ID()`, which is the last
 * id of a connection. Outside of a transaction they may ask another connection of the pool, and get the row of
 * somebody else: two people who sign in at the same time get each other's sessions. In a transaction,
 * both statements run on one connection.
 *
 * An adapter without transactions still asks any connection. Then a wrong row is an error.
 */
export function returnInsertedRows({ adapter, options }: Pick<AuthContext, "adapter" | "options">) {
	const isCounted = options.advanced?.database?.generateId === "serial";
	const isOther = adapter.id === "kysely" && adapter.options?.type !== "mysql";
	if (!isCounted || isOther) return;
	const { create, transaction } = adapter;
	const createInTransaction: DBAdapter["create"] = (input) =>
		transaction((trx) => (trx === adapter ? create(input) : trx.create(input)));
	adapter.create = async (input) => {
		const row = await createInTransaction(input);
		requireSameRow(input.data, row as Record<string, unknown> | null);
		return row as never;
	};
}

function requireSameRow(given: Record<string, unknown>, row: Record<string, unknown> | null): void {
	const isSame = (field: string) =>
		given[field] === undefined || row?.[field] === undefined || isEqual(given[field], row[field]);
	if (IDENTITY.every(isSame)) return;
	throw new Error(
		'The database returned another row than the one that was inserted. With generateId: "serial" on MySQL, the adapter needs transactions: set its option transaction to true',
	);
}

/** A counted id may be a number or a text. The tenant id of the platform is stored as `""`, and read as `null`. */
const isEqual = (one: unknown, other: unknown): boolean =>
	String(one ?? "") === String(other ?? "");
