import type { BetterAuthPlugin } from "@better-auth/core";
import type { BetterAuthDBSchema, DBFieldAttribute } from "@better-auth/core/db";
import { type OwnSchema, ownSchemasOf } from "../call/port/own-schemas";
import { columnAdvice, tableAdvice } from "../name-conflicts";
import { isOwnField } from "../schema";
import type { Catalog, Column } from "./catalog";

/** What a column of one of our fields may be declared as. On SQLite, a date may be a number. */
const TYPES: Readonly<Record<string, RegExp>> = {
	string: /char|text/,
	date: /date|time|int/,
	boolean: /bool|int/,
	number: /int|num|dec|real|float|double/,
};

type Columns = ReadonlyMap<string, Column[]>;

export interface Names {
	catalog: Catalog;
	columns: Columns;
	tables: BetterAuthDBSchema;
	own: OwnSchema;
}

/**
 * Finds tables and columns with names of `tenantAuth()` or of a plugin with a tenant part that are not
 * theirs, and says what to do. Better Auth's migration would take them for its own.
 *
 * Nothing in a database is ours before `user.tenantId` is: the migration adds it first.
 *
 * @param findForeignValues of an upgrade: it looks at the values too, which reads whole tables. Without it,
 *   nothing is found before `user.tenantId` is there: no migration has run, or the driver renames columns.
 */
export async function findForeignNames(
	catalog: Catalog,
	tables: BetterAuthDBSchema,
	plugins: readonly BetterAuthPlugin[] | undefined,
	findForeignValues?: (names: Names) => Promise<ReadonlyMap<string, string>>,
): Promise<string[]> {
	const schemas = ownSchemasOf(plugins);
	const modelsOf = ({ schema }: OwnSchema) => Object.keys(schema).filter((model) => tables[model]);
	const columns = await catalog.columnsOfAll([
		...new Set(schemas.flatMap(modelsOf).map((model) => tableOf(tables, model))),
	]);
	const [core] = schemas;
	if (!core) return [];
	const names = { catalog, columns, tables, own: core };
	if (!findForeignValues && !findColumn(names, "user", "tenantId")) return [];
	const tenantIds = (await findForeignValues?.(names)) ?? new Map<string, string>();
	const isInstalled =
		findColumn(names, "user", "tenantId") !== undefined &&
		!tenantIds.has("user") &&
		!shapeProblem(names, "user", "tenantId");
	return schemas.flatMap((own) =>
		modelsOf(own).flatMap((model) =>
			own.tables.includes(model)
				? foreignTable({ ...names, own }, model, isInstalled)
				: foreignColumns({ ...names, own }, model, isInstalled, tenantIds.get(model)),
		),
	);
}

function foreignColumns(
	names: Names,
	model: string,
	isInstalled: boolean,
	valueProblem: string | undefined,
): string[] {
	const { name, creator, needsTenants } = names.own;
	return fieldsOf(names, model).flatMap((field) => {
		const column = findColumn(names, model, field);
		if (!column) return [];
		const isTenantId = field === "tenantId";
		const problem = needsTenants
			? (shapeProblem(names, model, field) ??
				(isTenantId ? valueProblem : undefined) ??
				(isInstalled || (model === "user" && isTenantId) ? undefined : WAS_BEFORE))
			: typeProblem(column, fieldOf(names, model, field));
		const found = `The table ${tableOf(names.tables, model)} has a column ${column.name} that is not of ${name}`;
		const advice = columnAdvice(model, field, creator);
		const adopt = isTenantId && model === "user" ? `. ${ADOPT_ADVICE}` : "";
		return problem ? [`${found}: ${problem}. ${advice}${adopt}`] : [];
	});
}

const ADOPT_ADVICE =
	'To make tenants of its values after the upgrade: "npx better-auth-tenant adopt user.tenantId"';

const WAS_BEFORE = "it was there before the plugin";

function foreignTable(names: Names, model: string, isInstalled: boolean): string[] {
	const table = tableOf(names.tables, model);
	if (!names.columns.has(table)) return [];
	const { name, creator, needsTenants } = names.own;
	const problem =
		tableProblem(names, model) ?? (isInstalled || !needsTenants ? undefined : WAS_BEFORE);
	if (!problem) return [];
	return [`The table ${table} is not of ${name}: ${problem}. ${tableAdvice(model, creator)}`];
}

/** Columns of later versions may be missing. Those are optional, or have a default. */
export function tableProblem(names: Names, model: string): string | undefined {
	for (const field of fieldsOf(names, model)) {
		const { required, defaultValue } = fieldOf(names, model, field);
		const column = findColumn(names, model, field);
		if (!column && required && defaultValue === undefined) {
			return `it has no column ${columnName(names, model, field)}`;
		}
		const problem = column && typeProblem(column, fieldOf(names, model, field));
		if (problem) return `${problem} of ${column.name}`;
	}
	return undefined;
}

export function shapeProblem(names: Names, model: string, field: string): string | undefined {
	const column = findColumn(names, model, field);
	if (!column) return undefined;
	const attributes = fieldOf(names, model, field);
	const isRequired = attributes.required !== false;
	if (isRequired && column.nullable) return "it can be null";
	if (!isRequired && !column.nullable) return "it cannot be null";
	return typeProblem(column, attributes);
}

/** References have the type of the ids. */
function typeProblem({ type }: Column, field: DBFieldAttribute): string | undefined {
	const expected = field.references ? undefined : TYPES[String(field.type)];
	return expected && !expected.test(type) ? `${type || "nothing"} is the type` : undefined;
}

export const tableOf = (tables: BetterAuthDBSchema, model: string) =>
	tables[model]?.modelName ?? model;

const fieldsOf = ({ own }: Names, model: string) =>
	Object.keys(own.schema[model]?.fields ?? {}).filter((field) => isOwnField(model, field));

const fieldOf = ({ own }: Names, model: string, field: string): DBFieldAttribute =>
	own.schema[model]?.fields[field] ?? { type: "string" };

const columnName = (names: Names, model: string, field: string) =>
	fieldOf(names, model, field).fieldName ?? field;

/** Only PostgreSQL distinguishes upper and lower case in names. */
export function findColumn(names: Names, model: string, field: string): Column | undefined {
	const wanted = columnName(names, model, field);
	const all = names.columns.get(tableOf(names.tables, model)) ?? [];
	const isSame =
		names.catalog.type === "postgres"
			? (name: string) => name === wanted
			: (name: string) => name.toLowerCase() === wanted.toLowerCase();
	return all.find(({ name }) => isSame(name));
}
