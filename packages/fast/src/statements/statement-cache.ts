import type { AuthContext } from "@better-auth/core";
import type { DBFieldAttribute } from "@better-auth/core/db";
import {
	type DBAdapter,
	initGetDefaultModelName,
	initGetIdField,
	type Where,
	withApplyDefault,
} from "@better-auth/core/db/adapter";
import {
	type Column,
	type Compiled,
	columnsOf,
	decodeRow,
	type Executor,
	type KnownDatabase,
	type Row,
} from "./kysely";
import { comparedValue, storedValue } from "./values";

type FindMany = Parameters<DBAdapter["findMany"]>[0];
type Create = Parameters<DBAdapter["create"]>[0];

/** More kinds of statements than any app has. They differ in fields, not in values. */
const MAX_STATEMENTS = 1000;

const OPERATORS: Record<string, string> = {
	eq: "=",
	lt: "<",
	lte: "<=",
	gt: ">",
	gte: ">=",
	in: "in",
};

/** The method of the adapter, as traces name it. */
type Operation = keyof DBAdapter;

interface Condition {
	column: string;
	operator: string;
	value: unknown;
}

/** A statement with its values, ready to run. */
interface Statement {
	rows(operation: Operation, executor: Executor): Promise<Row[]>;
	affected(operation: Operation, executor: Executor): Promise<number>;
}

/**
 * Compiled statements of an app, by their kind. Its methods return `null` for a query that is not a
 * plain one, and convert values as Better Auth's adapter does.
 */
export class StatementCache {
	readonly #options: AuthContext["options"];
	readonly #database: KnownDatabase;
	readonly #statements = new Map<string, Compiled>();
	readonly #tables = new Map<string, Table>();
	readonly #joins = new Map<string, Joined | null>();
	readonly #modelKey: (model: string) => string;
	readonly #idField: ReturnType<typeof initGetIdField>;

	constructor({ options, tables }: AuthContext, database: KnownDatabase) {
		const { config } = database;
		const names = { usePlural: config.usePlural ?? false, schema: tables };
		this.#options = options;
		this.#database = database;
		this.#modelKey = initGetDefaultModelName(names);
		this.#idField = initGetIdField({
			...names,
			options,
			...(config.disableIdGeneration ? { disableIdGeneration: true } : {}),
			...(config.customIdGenerator ? { customIdGenerator: config.customIdGenerator } : {}),
			...(config.supportsUUIDs ? { supportsUUIDs: true } : {}),
		});
	}

	find({ model, where, select, join }: Pick<FindMany, "model" | "where" | "select" | "join">) {
		return this.#select({ model, where, select, join });
	}

	/** A row with its rows in one other table. Or several rows, if each has one row there. */
	findJoined({
		model,
		where,
		select,
		join,
		limit: bases = 1,
	}: Omit<FindMany, "sortBy" | "offset">): Pick<Statement, "rows"> | null {
		const [[name, wanted] = ["", false], ...more] = Object.entries(join ?? {});
		// Versions of Better Auth differ in what they call rows of a table with another name.
		if (!wanted || more.length > 0 || select?.length || this.#modelKey(name) !== name) return null;
		const table = this.#table(model);
		const joined = this.#join(table, name);
		const conditions = this.#conditions(table, where);
		if (!joined || !conditions) return null;
		const { from, to, isOne, own, other, id } = joined;
		if (bases > 1 && !isOne) return null;
		const given = typeof wanted === "object" ? wanted.limit : undefined;
		const limit = isOne ? bases : (given ?? this.#defaultLimit);
		const { db } = this.#database;
		return this.#statement(
			"select",
			table,
			conditions,
			`join ${name}`,
			[bases, limit],
			() =>
				db
					.selectFrom(
						narrowed(db.selectFrom(table.name).selectAll(), conditions).limit(bases).as("a"),
					)
					.leftJoin(`${joined.name} as b`, `b.${to}`, `a.${from}`)
					.select([...own, ...other].map(({ selected }) => selected))
					.limit(limit),
			async (rows) => {
				const [row] = rows;
				if (!row) return [];
				const { config } = this.#database;
				const decodeOther = async (it: Row) =>
					(it[id] ?? null) === null ? null : decodeRow(it, other, config);
				const found = await Promise.all(rows.map(decodeOther));
				const withBase = async (it: Row, joined: unknown) => ({
					...(await decodeRow(it, own, config)),
					[name]: joined,
				});
				if (!isOne) return [await withBase(row, found.filter(Boolean))];
				return Promise.all(rows.map((it, index) => withBase(it, found[index])));
			},
		);
	}

	#join(table: Table, name: string): Joined | null {
		const key = `${table.model} ${name}`;
		const known = this.#joins.get(key);
		if (known !== undefined) return known;
		const joined = this.#findJoin(table, this.#table(name));
		this.#joins.set(key, joined);
		return joined;
	}

	/** How Better Auth joins two tables: by the only foreign key between them. */
	#findJoin(table: Table, joined: Table): Joined | null {
		const keysOf = (one: Table, other: Table) =>
			Object.entries(one.fields).filter(
				([, { references }]) => references && this.#modelKey(references.model) === other.model,
			);
		const back = keysOf(joined, table);
		const [[key, field] = ["", undefined], ...more] =
			back.length > 0 ? back : keysOf(table, joined);
		if (!field?.references || more.length > 0) return null;
		const isOwn = back.length === 0;
		const to = isOwn ? field.references.field : key;
		const other = columnsOf(this.#database, joined.model, "b.", table.columns.length);
		return {
			name: joined.name,
			from: table.columnOf(isOwn ? key : field.references.field),
			to: joined.columnOf(to),
			isOne: to === "id" || field.unique === true,
			own: columnsOf(this.#database, table.model, "a."),
			other,
			id: other.find((column) => column.name === "id")?.result ?? "",
		};
	}

	get #defaultLimit(): number {
		return this.#options.advanced?.database?.defaultFindManyLimit ?? 100;
	}

	findMany(query: FindMany): Pick<Statement, "rows"> | null {
		const { sortBy, offset, limit = this.#defaultLimit } = query;
		const plain = this.#select({ ...query, limit });
		// More than one: a row of `findOne` may have several rows in the other table.
		return plain ?? (sortBy || offset || limit < 2 ? null : this.findJoined({ ...query, limit }));
	}

	#select(query: FindMany): Statement | null {
		const { model, where, select, join, sortBy, limit, offset } = query;
		if (select?.length || (join && Object.keys(join).length > 0)) return null;
		const table = this.#table(model);
		const conditions = this.#conditions(table, where);
		if (!conditions || (sortBy && !table.fields[sortBy.field])) return null;
		const sort = sortBy ? `${sortBy.field} ${sortBy.direction}` : "";
		const kind = `${sort}${limit === undefined ? "" : " limit"}${offset === undefined ? "" : " offset"}`;
		const pages = [limit, offset].filter((it) => it !== undefined);
		return this.#statement("select", table, conditions, kind, pages, () => {
			let from = this.#database.db.selectFrom(table.name).select(table.selected);
			from = narrowed(from, conditions);
			if (sortBy) from = from.orderBy(table.columnOf(sortBy.field), sortBy.direction);
			if (limit !== undefined) from = from.limit(limit);
			if (offset !== undefined) from = from.offset(offset);
			return from;
		});
	}

	async create({ model, data, select, forceAllowId = false }: Create): Promise<Statement | null> {
		// Better Auth's adapter warns about an id that is not allowed.
		if (select?.length || ("id" in data && data.id !== undefined && !forceAllowId)) return null;
		const table = this.#table(model);
		const id = this.#idField({
			customModelName: table.model,
			forceAllowId: forceAllowId && "id" in data,
		});
		const values = await this.#values({ ...table.fields, id }, table, data, "create");
		const columns = Object.keys(values);
		if (columns.length === 0) return null;
		return this.#statement("insert", table, [], columns.join(), Object.values(values), () =>
			this.#database.db.insertInto(table.name).values(values).returning(table.selected),
		);
	}

	/** @param isReturned whether the rows are returned, and not their number */
	async update(
		{ model, where, update }: { model: string; where: Where[]; update: Row },
		isReturned: boolean,
	): Promise<Statement | null> {
		const table = this.#table(model);
		const conditions = where.length > 0 ? this.#conditions(table, where) : null;
		if (!conditions || "id" in update) return null;
		const { id: _, ...fields } = table.fields;
		const values = await this.#values(fields, table, update, "update");
		const columns = Object.keys(values);
		if (columns.length === 0) return null;
		const kind = `${isReturned} ${columns.join()}`;
		return this.#statement("update", table, conditions, kind, Object.values(values), () => {
			const update = this.#database.db.updateTable(table.name).set(values);
			const changed = narrowed(update, conditions);
			return isReturned ? changed.returning(table.selected) : changed;
		});
	}

	delete({ model, where }: { model: string; where: Where[] }): Statement | null {
		const table = this.#table(model);
		const conditions = where.length > 0 ? this.#conditions(table, where) : null;
		if (!conditions) return null;
		return this.#statement("delete", table, conditions, "", [], () =>
			narrowed(this.#database.db.deleteFrom(table.name), conditions),
		);
	}

	#table(name: string): Table {
		const known = this.#tables.get(name);
		if (known) return known;
		const model = this.#modelKey(name);
		const { tableOf, columnOf, fieldsOf } = this.#database;
		const columns = columnsOf(this.#database, model);
		const fields = fieldsOf(model);
		const names = new Map(Object.keys(fields).map((field) => [field, columnOf(model, field)]));
		const table: Table = {
			model,
			name: tableOf(model),
			fields,
			columns,
			selected: columns.map(({ selected }) => selected),
			columnOf: (field) => names.get(field) ?? columnOf(model, field),
		};
		this.#tables.set(name, table);
		return table;
	}

	/** `null` if there is one that is not plain. */
	#conditions(table: Table, where: Where[] = []): Condition[] | null {
		const conditions: Condition[] = [];
		for (const { field, value, operator = "eq", connector = "AND", mode } of where) {
			const attributes = table.fields[field];
			if (!attributes || connector !== "AND" || mode === "insensitive") return null;
			const column = table.columnOf(field);
			if (value === null && operator === "eq") {
				conditions.push({ column, operator: "is", value });
				continue;
			}
			const symbol = OPERATORS[operator];
			const values = operator === "in" ? value : [value];
			if (!symbol || !Array.isArray(values) || values.length === 0) return null;
			const converted = values.map((it) => comparedValue(it, field, attributes, this.#database));
			const hasObjects = operator === "in" && values.some((it) => typeof it === "object");
			if (hasObjects || converted.includes(undefined)) return null;
			const compared = operator === "in" ? converted : converted[0];
			conditions.push({ column, operator: symbol, value: compared });
		}
		return conditions;
	}

	/** The values that are written, by column. */
	async #values(
		fields: Record<string, DBFieldAttribute>,
		{ columnOf }: Table,
		data: Row,
		action: "create" | "update",
	): Promise<Row> {
		const values: Row = {};
		for (const [name, field] of Object.entries(fields)) {
			const given = data[name];
			if (given === undefined && !isFilledIn(field, action)) continue;
			const isDate = field.type === "date" && typeof given === "string";
			let value: unknown = withApplyDefault(isDate ? new Date(given) : given, field, action);
			if (field.transform?.input) {
				const transformed = field.transform.input(value as never) as unknown;
				value = transformed instanceof Promise ? await transformed : transformed;
			}
			value = storedValue(value, field, this.#database);
			if (value !== undefined) values[columnOf(name)] = value;
		}
		return values;
	}

	/** @param values those that the statement has beside the conditions */
	#statement(
		verb: "select" | "insert" | "update" | "delete",
		{ model, name, columns }: Table,
		conditions: Condition[],
		kind: string,
		values: unknown[],
		build: () => { compile(): Compiled },
		decode = (rows: Row[]) =>
			Promise.all(rows.map((row) => decodeRow(row, columns, this.#database.config))),
	): Statement {
		const where = conditions.map(
			({ column, operator, value }) =>
				`${column} ${operator}${Array.isArray(value) ? value.length : ""}`,
		);
		const key = [verb, model, ...where, kind].join("|");
		let compiled = this.#statements.get(key);
		if (!compiled) {
			compiled = build().compile();
			if (this.#statements.size < MAX_STATEMENTS) this.#statements.set(key, compiled);
		}
		// A comparison with null has no parameter, one with a list has several.
		const compared = conditions.flatMap(({ value }) => value ?? []);
		const parameters = verb === "select" ? [...compared, ...values] : [...values, ...compared];
		const query = { ...compiled, parameters };
		const { trace } = this.#database;
		return {
			async rows(operation, executor) {
				const { rows } = await trace(operation, name, () => executor.executeQuery(query));
				return decode(rows);
			},
			async affected(operation, executor) {
				const result = await trace(operation, name, () => executor.executeQuery(query));
				return Number(result.numAffectedRows ?? 0);
			},
		};
	}
}

interface Table {
	/** Its key in Better Auth's schema. */
	model: string;
	name: string;
	fields: Record<string, DBFieldAttribute>;
	columns: Column[];
	/** All columns, with their names in a result. */
	selected: string[];
	columnOf(field: string): string;
}

/** Two tables whose rows are read together. The rows of the first are `a`, those of the other `b`. */
interface Joined {
	/** The name of the other table, and the columns that are equal. */
	name: string;
	from: string;
	to: string;
	/** Whether a row has at most one in the other table. */
	isOne: boolean;
	own: Column[];
	other: Column[];
	/** The `id` of the other table in a result. */
	id: string;
}

interface Narrowable<Builder> {
	where(column: string, operator: string, value: unknown): Builder;
}

function narrowed<Builder extends Narrowable<Builder>>(all: Builder, conditions: Condition[]) {
	let own = all;
	for (const { column, operator, value } of conditions) own = own.where(column, operator, value);
	return own;
}

/** Whether a field that is not given gets a value. */
function isFilledIn(field: DBFieldAttribute, action: "create" | "update"): boolean {
	if (action === "update") return field.onUpdate !== undefined;
	return field.defaultValue !== undefined || field.transform?.input !== undefined;
}
