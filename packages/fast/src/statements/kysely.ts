import type { AuthContext } from "@better-auth/core";
import type { DBFieldAttribute } from "@better-auth/core/db";
import { initGetFieldName, initGetModelName } from "@better-auth/core/db/adapter";
import {
	ATTR_DB_COLLECTION_NAME,
	ATTR_DB_OPERATION_NAME,
	withSpan,
} from "@better-auth/core/instrumentation";
import { type AdapterConfig, decodeValue } from "./values";

export type Row = Record<string, unknown>;

/** The part of Kysely that is used. The instance is the app's own. */
interface KyselyLike extends Executor {
	selectFrom(table: string | object): SelectLike;
	insertInto(table: string): { values(values: Row): ReturningLike };
	updateTable(table: string): { set(values: Row): WriteLike };
	deleteFrom(table: string): WriteLike;
	withSchema(name: string): KyselyLike;
	transaction(): { execute<T>(work: (trx: Executor) => Promise<T>): Promise<T> };
}

/** A connection pool, or one connection in a transaction. */
export interface Executor {
	executeQuery(query: Compiled): Promise<{ rows: Row[]; numAffectedRows?: bigint }>;
}

export interface Compiled {
	parameters: readonly unknown[];
}

interface Compilable {
	compile(): Compiled;
}

interface ReturningLike extends Compilable {
	returning(columns: string[]): Compilable;
}

interface WriteLike extends ReturningLike {
	where(column: string, operator: string, value: unknown): WriteLike;
}

interface SelectLike extends Compilable {
	leftJoin(table: string, left: string, right: string): SelectLike;
	select(columns: string[]): SelectLike;
	selectAll(): SelectLike;
	where(column: string, operator: string, value: unknown): SelectLike;
	orderBy(column: string, direction: "asc" | "desc"): SelectLike;
	limit(rows: number): SelectLike;
	offset(rows: number): SelectLike;
	/** As a table of another statement. */
	as(name: string): object;
}

/** The app's Kysely instance with the names of its tables and columns, as Better Auth's adapter uses it. */
export interface KnownDatabase {
	/** Without the schema that statements name. */
	base: KyselyLike;
	db: KyselyLike;
	type: unknown;
	config: AdapterConfig;
	/** Whether the database counts the ids. */
	countsIds: boolean;
	tableOf(model: string): string;
	columnOf(model: string, field: string): string;
	/** The fields of a table with its `id`. */
	fieldsOf(model: string): Record<string, DBFieldAttribute>;
	/** Runs a statement in a span of OpenTelemetry, as Better Auth's adapter does. */
	trace<T>(operation: string, table: string, run: () => Promise<T>): Promise<T>;
}

/** Databases whose statements are known. SQL Server limits rows in another way. */
const KNOWN = new Set<unknown>(["sqlite", "postgres", "mysql"]);

const isPlain = (config: AdapterConfig) =>
	!config.customTransformInput &&
	!config.customTransformOutput &&
	!config.mapKeysTransformInput &&
	!config.mapKeysTransformOutput &&
	!config.disableTransformInput &&
	!config.disableTransformOutput &&
	!config.debugLogs;

/** `null` if the app's adapter is not known well enough. */
export function findKysely({ adapter, options, tables }: AuthContext): KnownDatabase | null {
	const { database } = options;
	const config = adapter.options?.adapterConfig;
	if (adapter.id !== "kysely" || typeof database !== "object" || !("db" in database)) return null;
	const { db, type, schemaName }: { db: unknown; type: unknown; schemaName?: string } = database;
	if (!config || !isPlain(config) || !KNOWN.has(type)) return null;
	const base = db as KyselyLike;
	const names = { usePlural: config.usePlural ?? false, schema: tables };
	const columnOf = initGetFieldName(names);
	const countsIds = options.advanced?.database?.generateId === "serial";
	const id = { type: countsIds ? "number" : "string" };
	return {
		base,
		db: schemaName ? base.withSchema(schemaName) : base,
		type,
		config,
		countsIds,
		tableOf: initGetModelName(names),
		columnOf: (model, field) => (field === "id" ? field : columnOf({ model, field })),
		fieldsOf: (model) => ({ ...tables[model]?.fields, id }) as Record<string, DBFieldAttribute>,
		trace: options.experimental?.instrumentation?.enabled === false ? (_, __, run) => run() : trace,
	};
}

function trace<T>(operation: string, table: string, run: () => Promise<T>): Promise<T> {
	const attributes = {
		[ATTR_DB_OPERATION_NAME]: operation,
		[ATTR_DB_COLLECTION_NAME]: table,
	};
	return withSpan(`db ${operation} ${table}`, attributes, run);
}

/** A column of a result. Its name there has no meaning: a plugin of Kysely may change others. */
export interface Column {
	name: string;
	field: DBFieldAttribute;
	/** With the name in the result. */
	selected: string;
	result: string;
}

/** All columns of a table. `first` is the number of the first one in the result. */
export function columnsOf(
	{ columnOf, fieldsOf }: KnownDatabase,
	model: string,
	table = "",
	first = 0,
): Column[] {
	return Object.entries(fieldsOf(model)).map(([name, field], index) => {
		const result = `c${first + index}`;
		return { name, field, result, selected: `${table}${columnOf(model, name)} as ${result}` };
	});
}

/** Turns values of the database into those of Better Auth, as its adapter does. */
export function decodeRow(
	values: Row,
	columns: Column[],
	config: AdapterConfig,
): Row | Promise<Row> {
	const row: Row = {};
	const waiting: Promise<void>[] = [];
	for (const { name, field, result } of columns) {
		const output = field.transform?.output;
		const value: unknown = output ? output(values[result] as never) : values[result];
		row[name] = decodeValue(value, name, field, config);
		if (!(value instanceof Promise)) continue;
		const set = (later: unknown) => {
			row[name] = decodeValue(later, name, field, config);
		};
		waiting.push(value.then(set));
	}
	return waiting.length > 0 ? Promise.all(waiting).then(() => row) : row;
}
