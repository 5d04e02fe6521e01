import type { AuthContext } from "@better-auth/core";
import { getCurrentAdapter, runWithTransaction } from "@better-auth/core/context";

/**
 * Inserts a row on one connection. MySQL returns none from an insert: for ids that the database
 * counts, the adapter asks for the last one, and another connection of the pool answers with the id
 * of another row.
 */
export async function insertRow<Row extends { id: string }>(
	{ adapter }: Pick<AuthContext, "adapter">,
	model: string,
	data: Omit<Row, "id">,
): Promise<Row> {
	return runWithTransaction(adapter, async () =>
		(await getCurrentAdapter(adapter)).create<Omit<Row, "id">, Row>({ model, data }),
	);
}
