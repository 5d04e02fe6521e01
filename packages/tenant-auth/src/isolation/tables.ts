import type { BetterAuthDBSchema, DBFieldAttribute } from "@better-auth/core/db";
import { BetterAuthError } from "@better-auth/core/error";

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

/** Tables of Better Auth that belong to no tenant: the signing keys of the app, and its rate limits. */
const SHARED = ["jwks", "rateLimit"];

export interface TenantTables {
	strategyOf: (model: string) => IsolationStrategy;
	/** The tables that all tenants share, other than this plugin's own. */
	shared: readonly string[];
	/** Columns whose values are unique per tenant, though their index covers all tenants. */
	uniqueFieldsOf: (model: string) => readonly string[];
	/** Texts that identify a row: what an index makes unique, and the identifier of a verification. */
	identifyingFieldsOf: (model: string) => readonly string[];
}

/**
 * Decides which tables hold tenant data: every table does, unless it is on the short list above or the
 * app shares it. A table that we do not know must not be shared: it may hold credentials.
 */
export function classifyTables(
	tables: BetterAuthDBSchema,
	modelKey: (model: string) => string,
	{ sharedTables }: { sharedTables: readonly string[] },
): TenantTables {
	const core = sharedTables.find((model) => WITH_COLUMN.includes(modelKeyIn(tables)(model)));
	if (core) throw new BetterAuthError(`tenantAuth: sharedTables cannot contain ${core}`);
	const named = [...SHARED, ...sharedTables.map(modelKeyIn(tables))];
	const shared = Object.keys(tables).filter((model) => named.includes(model));
	const strategyOf = (model: string): IsolationStrategy => {
		if (OWN.includes(model) || shared.includes(model)) return "shared";
		return WITH_COLUMN.includes(model) ? "column" : "owners";
	};
	const unique = new Map<string, string[]>();
	const identifying = new Map<string, string[]>();
	for (const model of Object.keys(tables)) {
		if (strategyOf(model) === "shared") continue;
		identifying.set(model, findIdentifyingFields(model, tables));
		unique.set(model, findUniqueFields(model, tables, strategyOf));
	}
	return {
		strategyOf: (model) => strategyOf(modelKey(model)),
		shared,
		uniqueFieldsOf: (model) => unique.get(modelKey(model)) ?? [],
		identifyingFieldsOf: (model) => identifying.get(modelKey(model)) ?? [],
	};
}

/** A foreign key or an option may use the app's name of a table, or the plural. */
const modelKeyIn = (tables: BetterAuthDBSchema) => (name: string) =>
	Object.keys(tables).find((model) =>
		[model, `${model}s`, tables[model]?.modelName, `${tables[model]?.modelName}s`].includes(name),
	) ?? name;

/**
 * The columns that get a tenant prefix: one for every unique index. An index that contains the tenant,
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
		return isGlobal(model, name);
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
		`tenantAuth: ${model}.${names.join(" and ")} would be unique across all tenants, because only texts can be made unique per tenant: drop the unique index, make it a text, or name the table in sharedTables if it holds no tenant data`,
	);
}

/** A session token is random, and is looked up before its tenant is known. */
export const isGlobal = (model: string, field: string) => model === "session" && field === "token";
