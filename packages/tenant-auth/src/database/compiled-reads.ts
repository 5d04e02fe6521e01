import type { AuthContext } from "@better-auth/core";
import { currentAdapter } from "./current-adapter";
import { columnsOf, decodeRow, type Executor, executorOf, findKysely, type Row } from "./kysely";

export interface JoinedRead {
	/** The table, and the fields by whose values a row is found. The first must be equal to the letter. */
	model: string;
	by: readonly [string, ...string[]];
	/** Another table: where its field has the value of the row's. */
	join: { model: string; field: string; from: string };
}

/** A row that was found, and a joined one. There is one for each joined row. */
export type Found = readonly [row: Row, joined: Row | null];

type ReadRows = (...values: string[]) => Promise<Found[]>;

/**
 * Prepares to read rows of two tables with one statement, which is compiled once. Better Auth's adapter
 * reads joined rows with a second statement.
 *
 * The function that it returns answers with `null` where the caller must read in another way: if the
 * app's adapter, or that of the running transaction, is not known well enough.
 */
export function compileJoin(ctx: AuthContext, read: JoinedRead): () => ReadRows | null {
	const find = compile(ctx, read);
	return () => {
		const executor = find && executorOf(currentAdapter(ctx.adapter));
		return executor && ((...values) => find(executor, values));
	};
}

function compile(ctx: AuthContext, { model, by, join }: JoinedRead) {
	const database = findKysely(ctx);
	if (!database) return null;
	const { db, config, tableOf, columnOf, trace } = database;
	const own = columnsOf(database, model, "a.");
	const joined = columnsOf(database, join.model, "b.", own.length);
	const table = tableOf(model);
	let select = db
		.selectFrom(`${table} as a`)
		.leftJoin(
			`${tableOf(join.model)} as b`,
			`b.${columnOf(join.model, join.field)}`,
			`a.${columnOf(model, join.from)}`,
		)
		.select([...own, ...joined].map(({ selected }) => selected));
	for (const field of by) select = select.where(`a.${columnOf(model, field)}`, "=", "");
	const compiled = select.compile();
	return async (executor: Executor, values: string[]): Promise<Found[]> => {
		const query = { ...compiled, parameters: values };
		const { rows } = await trace("findOne", table, () => executor.executeQuery(query));
		const found = await Promise.all(
			rows.map(async (row): Promise<Found> => {
				const other = await decodeRow(row, joined, config);
				return [await decodeRow(row, own, config), (other.id ?? null) === null ? null : other];
			}),
		);
		// MySQL ignores case and trailing spaces.
		return found.filter(([row]) => row[by[0]] === values[0]);
	};
}
