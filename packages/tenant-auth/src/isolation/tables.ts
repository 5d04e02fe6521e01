import type { BetterAuthDBSchema, DBFieldAttribute } from "@better-auth/core/db";
import { BetterAuthError } from "@better-auth/core/error";

/**
 * How a table keeps tenants apart.
 *
 * - `column`: its rows bear a `tenantId`.
 * - `register`: a table of another plugin; whose its rows are stands in the `tenantRow` table.
 * - `shared`: it holds nothing of a tenant.
 */
type Keeping = "column" | "register" | "shared";

/** Core's own, to which this plugin's schema adds the column. */
const WITH_COLUMN = ["user", "session", "account", "verification"];

/** What the tenants themselves are kept in. */
const OWN = ["tenant", "tenantOauthConfig", "tenantRow", "tenantAuditEvent"];

export interface TenantTables {
	keepingOf: (model: string) => Keeping;
	/** Columns whose values must be unique per tenant, though their index spans all of them. */
	uniqueFieldsOf: (model: string) => readonly string[];
	/** Texts by which a row is told from others: what an index makes unique, and a verification's. */
	identifyingFieldsOf: (model: string) => readonly string[];
}

/**
 * Tells which tables hold tenant data, by a rule: a table does if foreign keys tie it to the user,
 * in whichever direction and over however many tables. Plugins leave some out: a field that is named
 * after a table (`userId`) counts as one, and so does `referenceId`, for which there may be several.
 */
export function classifyTables(
	tables: BetterAuthDBSchema,
	modelKey: (model: string) => string,
	options: { tenantTables: readonly string[]; sharedTables: readonly string[] },
): TenantTables {
	const tied = findTied(tables, [...WITH_COLUMN, ...options.tenantTables]);
	const keeping = new Map<string, Keeping>();
	for (const model of Object.keys(tables)) {
		if (OWN.includes(model) || options.sharedTables.includes(model)) continue;
		if (WITH_COLUMN.includes(model)) keeping.set(model, "column");
		else if (tied.has(model)) keeping.set(model, "register");
	}
	const unique = new Map<string, string[]>();
	const identifying = new Map<string, string[]>();
	for (const model of keeping.keys()) {
		identifying.set(model, findIdentifyingFields(model, tables));
		unique.set(
			model,
			findUniqueFields(model, tables, (other) => keeping.has(other)),
		);
	}
	return {
		keepingOf: (model) => keeping.get(modelKey(model)) ?? "shared",
		uniqueFieldsOf: (model) => unique.get(modelKey(model)) ?? [],
		identifyingFieldsOf: (model) => identifying.get(modelKey(model)) ?? [],
	};
}

/**
 * A foreign key may name the table as the host does, or in the plural. Not every table of core's must
 * be there.
 */
const modelKeyIn = (tables: BetterAuthDBSchema) => (name: string) =>
	Object.keys(tables).find((model) =>
		[model, `${model}s`, tables[model]?.modelName, `${tables[model]?.modelName}s`].includes(name),
	) ?? name;

function findTied(tables: BetterAuthDBSchema, seeds: string[]): Set<string> {
	const modelKey = modelKeyIn(tables);
	const ties = Object.entries(tables).flatMap(([model, { fields }]) =>
		Object.entries(fields).flatMap(([name, field]) =>
			referencesOf(name, field)
				.map(modelKey)
				.filter((target) => tables[target])
				.map((target) => [model, target] as const),
		),
	);
	const tied = new Set(seeds.map(modelKey));
	for (let size = 0; size !== tied.size; ) {
		size = tied.size;
		for (const [from, to] of ties) {
			if (OWN.includes(from) || OWN.includes(to)) continue;
			if (tied.has(from) || tied.has(to)) tied.add(from).add(to);
		}
	}
	return tied;
}

function referencesOf(name: string, field: DBFieldAttribute): string[] {
	if (field.references) return [field.references.model];
	if (name === "referenceId") return ["user"];
	return name.endsWith("Id") ? [name.slice(0, -"Id".length)] : [];
}

/**
 * The columns that make what must be unique so in each tenant: one for every unique index. None for
 * an index that has the tenant in it, or the id of another row of the tenant.
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
		return name === "tenantId" || isGlobal(model, name);
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
	// An id is as unique to the database as to us, and so is what refers to it.
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
		`tenantAuth: ${model}.${names.join(" and ")} would be unique across all tenants, for only texts can be made unique per tenant: drop the unique index, or make it a text`,
	);
}

/** A session's token is random, and looked up before its tenant is known. */
export const isGlobal = (model: string, field: string) => model === "session" && field === "token";
