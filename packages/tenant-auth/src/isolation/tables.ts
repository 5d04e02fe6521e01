import type { BetterAuthDBSchema, DBFieldAttribute } from "@better-auth/core/db";
import { BetterAuthError } from "@better-auth/core/error";
import { isGlobalField } from "../call/context/endpoint-rules";
import { SHARED_TABLES, SIGNING_KEYS } from "../call/foreign";
import type { Features } from "../call/port/features";

/**
 * How a table keeps tenants apart.
 *
 * - `column`: its rows have a `tenantId`.
 * - `owners`: a table of another plugin. The `tenantRow` table records which tenant owns each row.
 * - `shared`: it holds no tenant data, or each query of its plugin names the tenant itself.
 */
type IsolationStrategy = "column" | "owners" | "shared";

/** Core's tables, to which this plugin's schema adds the column. */
const WITH_COLUMN = ["user", "session", "account", "verification"];

/** The tables of this plugin. */
const OWN = ["tenant", "tenantOauthConfig", "tenantRow", "tenantFormerSlug", "tenantAuditEvent"];

export interface TenantTables {
	strategyOf: (model: string) => IsolationStrategy;
	/** The tables that all tenants share, other than this plugin's own. */
	shared: readonly string[];
	/**
	 * Columns whose values are stored with a tenant prefix: those that are unique per tenant, though
	 * their index covers all tenants, and foreign keys to them.
	 */
	prefixedFieldsOf: (model: string) => readonly string[];
	/** Whether any table has such columns. */
	hasPrefixes: boolean;
	/** Texts that identify a row: what an index makes unique, and the identifier of a verification. */
	identifyingFieldsOf: (model: string) => readonly string[];
	/** The columns of a join, if their values have a tenant prefix. */
	findPrefixedJoin: (base: string, joined: string) => JoinColumns | null;
}

/**
 * Decides which tables hold tenant data: every table does, unless its plugin or the app shares it. A table that we do not know must not be shared: it may hold credentials.
 */
export function classifyTables(
	tables: BetterAuthDBSchema,
	modelKey: (model: string) => string,
	{
		sharedTables,
		signingKeysPerTenant,
	}: { sharedTables: readonly string[]; signingKeysPerTenant: boolean },
	features: Pick<Features, "tables">,
): TenantTables {
	const core = sharedTables.find((model) => WITH_COLUMN.includes(modelKeyIn(tables)(model)));
	if (core) throw new BetterAuthError(`tenantAuth: sharedTables cannot contain ${core}`);
	const builtIn = SHARED_TABLES.filter((it) => !signingKeysPerTenant || it !== SIGNING_KEYS);
	const named = [...builtIn, ...sharedTables.map(modelKeyIn(tables))];
	const shared = Object.keys(tables).filter((model) => named.includes(model));
	const strategyOf = (model: string): IsolationStrategy => {
		if (OWN.includes(model) || shared.includes(model) || features.tables.has(model))
			return "shared";
		return WITH_COLUMN.includes(model) ? "column" : "owners";
	};
	const foreignKeys = findForeignKeys(tables);
	const prefixed = findPrefixedFields(tables, foreignKeys, strategyOf);
	const identifying = new Map<string, string[]>();
	for (const model of Object.keys(tables)) {
		if (strategyOf(model) === "shared") continue;
		const texts = [...findIdentifyingFields(model, tables), ...(prefixed.get(model) ?? [])];
		identifying.set(model, [...new Set(texts)]);
	}
	return {
		strategyOf: (model) => strategyOf(modelKey(model)),
		shared,
		hasPrefixes: [...prefixed.values()].some((fields) => fields.length > 0),
		prefixedFieldsOf: (model) => prefixed.get(modelKey(model)) ?? [],
		identifyingFieldsOf: (model) => identifying.get(modelKey(model)) ?? [],
		findPrefixedJoin: (base, joined) => {
			const join = findJoinColumns(foreignKeys, modelKey(base), modelKey(joined));
			return join && prefixed.get(modelKey(base))?.includes(join.from) ? join : null;
		},
	};
}

/** The columns of each table that get a tenant prefix. */
function findPrefixedFields(
	tables: BetterAuthDBSchema,
	foreignKeys: readonly ForeignKey[],
	strategyOf: (model: string) => IsolationStrategy,
): ReadonlyMap<string, readonly string[]> {
	const prefixed = new Map<string, string[]>();
	for (const model of Object.keys(tables)) {
		const isShared = strategyOf(model) === "shared";
		prefixed.set(model, isShared ? [] : findUniqueFields(model, tables, strategyOf));
	}
	// A foreign key may reference a column that is itself one. So repeat until nothing is new.
	for (let isDone = false; !isDone; ) {
		isDone = true;
		for (const { model, name, target } of foreignKeys) {
			const fields = prefixed.get(model) ?? [];
			if (!prefixed.get(target.model)?.includes(target.name) || fields.includes(name)) continue;
			if (strategyOf(model) === "shared") {
				throw new BetterAuthError(
					`tenantAuth: ${model} cannot be shared, because ${model}.${name} references ${target.model}.${target.name}, which is tenant data`,
				);
			}
			fields.push(name);
			isDone = false;
		}
	}
	return prefixed;
}

/**
 * The columns that make a unique index one per tenant: one for every unique index. An index that contains the tenant,
 * or the id of another row of the tenant, needs none.
 */
function findUniqueFields(
	model: string,
	tables: BetterAuthDBSchema,
	strategyOf: (model: string) => IsolationStrategy,
): string[] {
	const { fields = {}, indexes = [] } = tables[model] ?? {};
	const isOfOneTenant = (name: string) => {
		const target = fields[name]?.references?.model;
		if (target && strategyOf(modelKeyIn(tables)(target)) !== "shared") return true;
		// In a table of another plugin, a column of this name has a meaning of its own.
		if (name === "tenantId") return strategyOf(model) === "column";
		return isGlobalField(model, name);
	};
	const unique = [
		...Object.keys(fields).flatMap((name) => (fields[name]?.unique ? [[name]] : [])),
		...indexes.flatMap((index) => (index.unique ? [index.fields] : [])),
	].filter((names) => !names.some(isOfOneTenant));
	return [...new Set(unique.map((names) => requireText(model, names, fields)))];
}

function findIdentifyingFields(model: string, tables: BetterAuthDBSchema): string[] {
	const { fields = {}, indexes = [] } = tables[model] ?? {};
	const names = [
		...Object.keys(fields).filter((name) => fields[name]?.unique),
		...indexes.flatMap((index) => (index.unique ? index.fields : [])),
		...(model === "verification" ? ["identifier"] : []),
	];
	// Ids and references to ids are unique across tenants anyway.
	return names.filter((name) => name !== "tenantId" && fields[name]?.references?.field !== "id");
}

function requireText(
	model: string,
	names: readonly string[],
	fields: Record<string, DBFieldAttribute>,
): string {
	const text = names.find((name) => fields[name]?.type === "string");
	if (text) return text;
	throw new BetterAuthError(
		`tenantAuth: ${model}.${names.join(" and ")} would be unique across all tenants, because only texts can be made unique per tenant: drop the unique index, make it a text, or name the table in sharedTables if it holds no tenant data`,
	);
}

interface ForeignKey {
	model: string;
	name: string;
	field: DBFieldAttribute;
	target: { model: string; name: string };
}

/** A foreign key or an option may use the app's name of a table, or the plural. */
const modelKeyIn = (tables: BetterAuthDBSchema) => (name: string) =>
	Object.keys(tables).find((model) =>
		[model, `${model}s`, tables[model]?.modelName, `${tables[model]?.modelName}s`].includes(name),
	) ?? name;

export function findForeignKeys(tables: BetterAuthDBSchema): ForeignKey[] {
	return Object.entries(tables).flatMap(([model, { fields }]) =>
		Object.entries(fields).flatMap(([name, field]) => {
			if (!field.references) return [];
			const target = modelKeyIn(tables)(field.references.model);
			const column = field.references.field;
			const columns = Object.entries(tables[target]?.fields ?? {});
			const key = columns.find(([key, { fieldName }]) => [key, fieldName].includes(column))?.[0];
			return [{ model, name, field, target: { model: target, name: key ?? column } }];
		}),
	);
}

export interface JoinColumns {
	/** The column of the base table. */
	from: string;
	/** The column of the joined table. */
	to: string;
	isOneToOne: boolean;
}

/** The columns by which Better Auth's adapter joins two tables. */
function findJoinColumns(
	foreignKeys: readonly ForeignKey[],
	base: string,
	joined: string,
): JoinColumns | null {
	const forward = foreignKeys.find((key) => key.model === joined && key.target.model === base);
	if (forward) {
		const { name, field, target } = forward;
		return { from: target.name, to: name, isOneToOne: field.unique === true };
	}
	const back = foreignKeys.find((key) => key.model === base && key.target.model === joined);
	if (!back) return null;
	const { name, field, target } = back;
	return { from: name, to: target.name, isOneToOne: target.name === "id" || field.unique === true };
}
