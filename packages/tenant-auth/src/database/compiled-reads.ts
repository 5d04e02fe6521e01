import type { AuthContext } from "@better-auth/core";
import type { DBFieldAttribute } from "@better-auth/core/db";
import { initGetFieldName, initGetModelName } from "@better-auth/core/db/adapter";
import { safeJSONParse } from "@better-auth/core/utils/json";
import { currentAdapter } from "./current-adapter";

type Row = Record<string, unknown>;

/** The part of Kysely that is used. The instance is the app's own. */
interface KyselyLike {
	selectFrom(table: string): SelectLike;
	withSchema(name: string): KyselyLike;
	executeQuery(query: CompiledLike): Promise<{ rows: Row[] }>;
}

interface SelectLike {
	leftJoin(table: string, left: string, right: string): SelectLike;
	select(columns: string[]): SelectLike;
	where(column: string, operator: "=", value: string): SelectLike;
	compile(): CompiledLike;
}

interface CompiledLike {
	parameters: readonly unknown[];
}

export interface Read {
	/** The table, and the fields by whose values a row is found. The first must be equal to the letter. */
	model: string;
	by: readonly [string, ...string[]];
	/** Another table: where its field has the value of the row's. */
	join?: { model: string; field: string; from: string };
}

/** A row that was found, and a joined one. There is one for each joined row. */
export type Found = readonly [row: Row, joined: Row | null];

type ReadRows = (...values: string[]) => Promise<Found[]>;

/**
 * Prepares to read rows with a statement that is compiled once. The function that it returns answers
 * with `null` where the caller must read in another way: in a transaction, which has a connection of its
 * own, and if the app's adapter is not known well enough.
 *
 * Better Auth's adapter builds and compiles a statement for each read, formats log lines that nobody
 * wants, and reads joined rows with a second statement. For the reads of every request that is most of
 * the cost. `compiled-reads.test.ts` compares the results with those of Better Auth's adapter.
 */
export function compileRead(ctx: AuthContext, read: Read): () => ReadRows | null {
	const rows = compile(ctx, read);
	return () => (currentAdapter(ctx.adapter) === ctx.adapter ? rows : null);
}

function compile(ctx: AuthContext, { model, by, join }: Read): ReadRows | null {
	const db = findKysely(ctx);
	const [exact] = by;
	const config = ctx.adapter.options?.adapterConfig;
	if (!db || !config || config.customTransformOutput || config.mapKeysTransformOutput) return null;
	const names = { usePlural: config.usePlural ?? false, schema: ctx.tables };
	const tableOf = initGetModelName(names);
	const columnOf = initGetFieldName(names);
	const columns = [
		...columnsOf(ctx, "a", model, columnOf),
		...(join ? columnsOf(ctx, "b", join.model, columnOf) : []),
	];
	let select = db.selectFrom(`${tableOf(model)} as a`);
	if (join) {
		const joined = `b.${columnOf({ model: join.model, field: join.field })}`;
		const own = `a.${columnOf({ model, field: join.from })}`;
		select = select.leftJoin(`${tableOf(join.model)} as b`, joined, own);
	}
	// Names without a meaning: a plugin of Kysely may change others.
	select = select.select(columns.map(({ column }, index) => `${column} as c${index}`));
	for (const field of by) select = select.where(`a.${columnOf({ model, field })}`, "=", "");
	const compiled = select.compile();
	const decode = decoder(columns, config);
	return async (...values) => {
		const { rows } = await db.executeQuery({ ...compiled, parameters: values });
		const found = await Promise.all(rows.map(decode));
		// MySQL ignores case and trailing spaces.
		return found.filter(([row]) => row[exact] === values[0]);
	};
}

interface Column {
	table: "a" | "b";
	/** With its table. */
	column: string;
	name: string;
	field: DBFieldAttribute;
}

function columnsOf(
	{ tables, options }: AuthContext,
	table: "a" | "b",
	model: string,
	columnOf: (field: { model: string; field: string }) => string,
): Column[] {
	const id = { type: options.advanced?.database?.generateId === "serial" ? "number" : "string" };
	const fields = Object.entries({ ...tables[model]?.fields, id } as Record<
		string,
		DBFieldAttribute
	>);
	return fields.map(([name, field]) => ({
		table,
		column: `${table}.${name === "id" ? name : columnOf({ model, field: name })}`,
		name,
		field,
	}));
}

type Config = NonNullable<AuthContext["adapter"]["options"]>["adapterConfig"];

/** Turns values of the database into those of Better Auth, as its adapter does. */
function decoder(columns: Column[], config: Config): (values: Row) => Promise<Found> {
	return async (values) => {
		const a: Row = {};
		const b: Row = {};
		for (const [index, { table, name, field }] of columns.entries()) {
			let value = values[`c${index}`];
			if (field.transform?.output) value = await field.transform.output(value as never);
			(table === "a" ? a : b)[name] = decodeValue(value, name, field, config);
		}
		return [a, b.id === null || b.id === undefined ? null : b];
	};
}

function decodeValue(
	value: unknown,
	name: string,
	{ type, references }: DBFieldAttribute,
	{ supportsJSON, supportsArrays, supportsDates, supportsBooleans }: Config,
): unknown {
	if (name === "id" || references?.field === "id") {
		return value === null || value === undefined ? value : String(value);
	}
	if (typeof value === "string") {
		if (supportsJSON === false && type === "json") return safeJSONParse(value);
		const isList = type === "string[]" || type === "number[]";
		if (supportsArrays === false && isList) return safeJSONParse(value);
		if (supportsDates === false && type === "date") return new Date(value);
	}
	if (supportsBooleans === false && typeof value === "number" && type === "boolean")
		return value === 1;
	return value;
}

/** The app's Kysely instance, if Better Auth's adapter uses it. */
function findKysely({ adapter, options: { database } }: AuthContext): KyselyLike | null {
	if (adapter.id !== "kysely" || typeof database !== "object" || !("db" in database)) return null;
	const { db, schemaName }: { db: unknown; schemaName?: string } = database;
	const kysely = db as KyselyLike;
	return schemaName ? kysely.withSchema(schemaName) : kysely;
}
