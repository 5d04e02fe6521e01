import type { BetterAuthDBSchema, DBFieldAttribute } from "@better-auth/core/db";
import { BetterAuthError } from "@better-auth/core/error";
import { isGlobalField } from "../context/endpoint-policies";

/**
 * How a table keeps tenants apart.
 *
 * - `column`: its rows have a `tenantId`.
 * - `owners`: a table of another plugin. The `tenantRow` table records which tenant owns each row.
 * - `shared`: it holds no tenant data.
 */
type IsolationStrategy = "column" | "owners" | "shared";

/** Core's tables, to which this plugin's schema adds the column. */
const WITH_COLUMN = ["user", "session", "account", "verification"];

/** The tables of this plugin. */
const OWN = ["tenant", "tenantOauthConfig", "tenantRow", "tenantAuditEvent"];

export interface TenantTables {
	strategyOf: (model: string) => IsolationStrategy;
	/** Columns whose values are unique per tenant, though their index covers all tenants. */
	uniqueFieldsOf: (model: string) => readonly string[];
	/** Texts that identify a row: what an index makes unique, and the identifier of a verification. */
	identifyingFieldsOf: (model: string) => readonly string[];
}

/**
 * Decides which tables hold tenant data. A table does if foreign keys connect it to the user, in any
 * direction and through any number of tables. Plugins do not declare all foreign keys: a field that is
 * named after a table (`userId`) counts as one, and so does `referenceId`.
 */
export function classifyTables(
	tables: BetterAuthDBSchema,
	modelKey: (model: string) => string,
	options: { tenantTables: readonly string[]; sharedTables: readonly string[] },
): TenantTables {
	const connected = findConnected(tables, [...WITH_COLUMN, ...options.tenantTables]);
	const strategies = new Map<string, IsolationStrategy>();
	for (const model of Object.keys(tables)) {
		if (OWN.includes(model) || options.sharedTables.includes(model)) continue;
		if (WITH_COLUMN.includes(model)) strategies.set(model, "column");
		else if (connected.has(model)) strategies.set(model, "owners");
	}
	const unique = new Map<string, string[]>();
	const identifying = new Map<string, string[]>();
	for (const model of strategies.keys()) {
		identifying.set(model, findIdentifyingFields(model, tables));
		unique.set(
			model,
			findUniqueFields(model, tables, (other) => strategies.has(other)),
		);
	}
	return {
		strategyOf: (model) => strategies.get(modelKey(model)) ?? "shared",
		uniqueFieldsOf: (model) => unique.get(modelKey(model)) ?? [],
		identifyingFieldsOf: (model) => identifying.get(modelKey(model)) ?? [],
	};
}

/** A foreign key may use the app's name of a table, or the plural. The table may be missing. */
const modelKeyIn = (tables: BetterAuthDBSchema) => (name: string) =>
	Object.keys(tables).find((model) =>
		[model, `${model}s`, tables[model]?.modelName, `${tables[model]?.modelName}s`].includes(name),
	) ?? name;

function findConnected(tables: BetterAuthDBSchema, seeds: string[]): Set<string> {
	const modelKey = modelKeyIn(tables);
	const connections = Object.entries(tables).flatMap(([model, { fields }]) =>
		Object.entries(fields).flatMap(([name, field]) =>
			referencesOf(name, field)
				.map(modelKey)
				.filter((target) => tables[target])
				.map((target) => [model, target] as const),
		),
	);
	const connected = new Set(seeds.map(modelKey));
	for (let size = 0; size !== connected.size; ) {
		size = connected.size;
		for (const [from, to] of connections) {
			if (OWN.includes(from) || OWN.includes(to)) continue;
			if (connected.has(from) || connected.has(to)) connected.add(from).add(to);
		}
	}
	return connected;
}

function referencesOf(name: string, field: DBFieldAttribute): string[] {
	if (field.references) return [field.references.model];
	if (name === "referenceId") return ["user"];
	return name.endsWith("Id") ? [name.slice(0, -"Id".length)] : [];
}

/**
 * The columns that get a tenant prefix: one for every unique index. An index that contains the tenant,
 * or the id of another row of the tenant, needs none.
 */
function findUniqueFields(
	model: string,
	tables: BetterAuthDBSchema,
	holdsTenantData: (model: string) => boolean,
): string[] {
	const { fields = {}, indexes = [] } = tables[model] ?? {};
	const isOfOneTenant = (name: string) => {
		const target = fields[name]?.references?.model;
		if (target && holdsTenantData(modelKeyIn(tables)(target))) return true;
		return name === "tenantId" || isGlobalField(model, name);
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
	return names.filter((name) => name !== "tenantId" && !fields[name]?.references);
}

function requireText(
	model: string,
	names: readonly string[],
	fields: Record<string, DBFieldAttribute>,
): string {
	const text = names.find((name) => fields[name]?.type === "string");
	if (text) return text;
	throw new BetterAuthError(
		`tenantAuth: ${model}.${names.join(" and ")} would be unique across all tenants, because only texts can be made unique per tenant: drop the unique index, or make it a text`,
	);
}
