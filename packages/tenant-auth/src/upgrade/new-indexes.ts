import type { BetterAuthOptions } from "@better-auth/core";
import type { BetterAuthDBSchema } from "@better-auth/core/db";
import { getSchema } from "better-auth/db";
import { ownSchemasOf } from "../call/port/own-schemas";
import type { Column } from "./catalog";
import type { Connection } from "./host-database";
import type { Statement } from "./statements";
import type { UpgradeCatalog } from "./upgrade-catalog";

/** Three columns of this length stay below MySQL's limit of 3,072 bytes for a key. */
const MAX_LENGTH = 255;

interface MissingIndex {
	/** The model's key in Better Auth's schema. */
	model: string;
	table: string;
	name: string;
	columns: string[];
	unique: boolean;
	/** The columns that the table already has. */
	existing: Column[];
}

interface NewIndexes {
	/** Run before Better Auth's migration. */
	columnChanges: Statement[];
	/** Run after Better Auth's migration, which adds the `tenantId` columns. */
	statements: Statement[];
	/** Models whose indexes are in `statements`. Better Auth creates the other ones. */
	models: string[];
	blockers: string[];
}

/** Plans the plugins' indexes that Better Auth's own migration does not create. */
export async function planNewIndexes(
	catalog: UpgradeCatalog,
	connection: Connection,
	options: BetterAuthOptions,
	tables: BetterAuthDBSchema,
): Promise<NewIndexes> {
	const missing = await findMissingIndexes(catalog, options, tables);
	const unbounded = missing.filter(({ existing }) => existing.some((it) => it.isUnbounded));
	const models = [...new Set(unbounded.map(({ model }) => model))];
	const own = missing.filter(({ model }) => models.includes(model));
	const planned: NewIndexes = {
		columnChanges: [],
		statements: [
			...own.map((index) => createIndex(catalog, index)),
			...(await planFieldIndexes(catalog, tables, options)),
		],
		models,
		blockers: [],
	};
	for (const index of unbounded) await boundColumns(catalog, connection, index, planned);
	for (const index of missing) {
		planned.blockers.push(...(await findDuplicates(catalog, connection, index)));
	}
	return planned;
}

/** Finds the plugins' indexes over several columns that an existing table does not have. */
async function findMissingIndexes(
	catalog: UpgradeCatalog,
	options: BetterAuthOptions,
	tables: BetterAuthDBSchema,
): Promise<MissingIndex[]> {
	const schema = getSchema(options);
	const missing: MissingIndex[] = [];
	for (const [model, { modelName: table, fields }] of Object.entries(tables)) {
		const tenantId = fields.tenantId?.fieldName ?? "tenantId";
		const ofTenant = (schema[table]?.indexes ?? []).filter(
			({ columns }) => columns[0] === tenantId,
		);
		const columns = ofTenant.length > 0 ? await catalog.columnsOf(table) : [];
		if (columns.length === 0) continue;
		const names = new Set((await catalog.indexesOf(table)).map(({ name }) => name));
		for (const index of ofTenant.filter(({ name }) => !names.has(name))) {
			missing.push({
				model,
				table,
				name: index.name,
				columns: [...index.columns],
				unique: index.unique ?? false,
				existing: columns.filter(({ name }) => index.columns.includes(name)),
			});
		}
	}
	return missing;
}

/**
 * On MySQL, Better Auth's provider ids and account ids are `text`. An index cannot cover a whole
 * `text`, so Better Auth creates none on existing tables. These columns become `varchar` first, if all
 * values fit.
 */
async function boundColumns(
	catalog: UpgradeCatalog,
	{ query }: Connection,
	{ table, columns, existing }: MissingIndex,
	planned: NewIndexes,
): Promise<void> {
	for (const { name, attributes } of existing.filter(({ isUnbounded }) => isUnbounded)) {
		const column = catalog.quote(name);
		const [counted] = await query(
			`select count(*) as n from ${catalog.table(table)} where char_length(${column}) > ${MAX_LENGTH}`,
		);
		const count = Number(counted?.n ?? 0);
		if (count > 0) {
			planned.blockers.push(
				`${table}.${name} must fit into varchar(${MAX_LENGTH}) for an index, but ${count} of its values ${count === 1 ? "is" : "are"} longer`,
			);
		}
		const defaultValue = name === columns[0] ? " default ''" : "";
		planned.columnChanges.push({
			sql: `alter table ${catalog.table(table)} modify column ${column} varchar(${MAX_LENGTH}) ${attributes}${defaultValue}`,
			reason: `${table}.${name} is text, and an index cannot cover a whole text`,
		});
	}
}

/** Finds rows that a unique index would reject. */
async function findDuplicates(
	catalog: UpgradeCatalog,
	{ query }: Connection,
	{ table, name, unique, existing }: MissingIndex,
): Promise<string[]> {
	if (!unique) return [];
	const columns = existing.map((column) => catalog.quote(column.name));
	const groups = `from ${catalog.table(table)} where ${columns
		.map((column) => `${column} is not null`)
		.join(" and ")} group by ${columns.join(", ")} having count(*) > 1`;
	const [counted] = await query(`select count(*) as n from (select 1 as one ${groups}) repeated`);
	const count = Number(counted?.n ?? 0);
	if (count === 0) return [];
	return [
		`The unique index ${name} cannot be created: ${count} ${count === 1 ? "value is" : "values are"} in several rows of ${table}. Keep one row for each value. This query finds them: select ${columns.join(", ")}, count(*) ${groups}`,
	];
}

function createIndex(
	catalog: UpgradeCatalog,
	{ table, name, columns, unique }: MissingIndex,
): Statement {
	const list = columns.map(catalog.quote).join(", ");
	return {
		sql: `create ${unique ? "unique index" : "index"} ${catalog.quote(name)} on ${catalog.table(table)} (${list})`,
		reason: unique
			? `${columns.slice(1).join(" and ")} must be unique per tenant`
			: `rows of ${table} are looked up by tenant`,
	};
}

/**
 * Better Auth's migration creates an index over one column together with the column. If a migration
 * stopped between the two, Better Auth does not create the index later.
 */
async function planFieldIndexes(
	catalog: UpgradeCatalog,
	tables: BetterAuthDBSchema,
	{ plugins }: BetterAuthOptions,
): Promise<Statement[]> {
	const statements: Statement[] = [];
	const declared = ownSchemasOf(plugins).flatMap(({ schema }) => Object.entries(schema));
	for (const [model, { fields }] of declared) {
		const table = tables[model]?.modelName;
		if (!table) continue;
		const present = new Set((await catalog.columnsOf(table)).map(({ name }) => name));
		const leading = new Set((await catalog.indexesOf(table)).map(({ columns }) => columns[0]));
		for (const [field, { index }] of Object.entries(fields)) {
			const column = tables[model]?.fields[field]?.fieldName ?? field;
			if (!index || !present.has(column) || leading.has(column)) continue;
			const name = catalog.quote(`${table}_${column}_idx`.slice(-63));
			statements.push({
				sql: `create index ${name} on ${catalog.table(table)} (${catalog.quote(column)})`,
				reason: `${table}.${column} has no index, because an earlier migration did not finish`,
			});
		}
	}
	return statements;
}
