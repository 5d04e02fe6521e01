import type { BetterAuthOptions, BetterAuthPlugin } from "@better-auth/core";
import { BetterAuthError } from "@better-auth/core/error";
import { isOurPlugin } from "../call/context/endpoint-rules";
import { type OwnSchema, ownSchemasOf } from "../call/port/own-schemas";
import { columnAdvice, tableAdvice } from "../name-conflicts";
import { CORE_MODELS, isOwnField } from "../schema";

/** A field of the app or of another plugin in one of our tables. */
interface OtherField {
	field: string;
	column: string;
	owner: string;
	/** Whether the app itself declares it, and so can rename it. */
	ofApp: boolean;
}

/**
 * Stops if the app or another plugin declares a table, a field or a column of `tenantAuth()` or of a plugin
 * with a tenant part. Better Auth would make one of the two, with the app's rules and our values.
 */
export function requireOwnNames(options: BetterAuthOptions): void {
	const { plugins = [] } = options;
	for (const own of ownSchemasOf(plugins)) {
		const others = plugins.filter((plugin) => plugin.id !== own.id && !isOurPlugin(plugin));
		for (const model of Object.keys(own.schema)) requireOwnModel(own, model, options, others);
	}
}

function requireOwnModel(
	{ name, creator, schema, tables }: OwnSchema,
	model: string,
	options: BetterAuthOptions,
	others: readonly BetterAuthPlugin[],
): void {
	const { modelName = model, fields = {} } = schema[model] ?? {};
	const otherFields = otherFieldsOf(model, options, others);
	for (const [field, { fieldName: column = field }] of Object.entries(fields)) {
		if (!isOwnField(model, field)) continue;
		const same = otherFields.find((other) => other.field === field || other.column === column);
		if (!same) continue;
		const advice = columnAdvice(model, field, creator);
		throw new BetterAuthError(`tenantAuth: ${describe(model, field, same, name, advice)}`);
	}
	if (!tables.includes(model)) return;
	const owner = findOtherTable(model, modelName, options, others);
	if (owner) {
		throw new BetterAuthError(
			`tenantAuth: ${owner} has the table ${modelName}, and so has ${name}. ${tableAdvice(model, creator)}`,
		);
	}
}

function describe(
	model: string,
	field: string,
	{ ofApp, ...other }: OtherField,
	name: string,
	advice: string,
): string {
	const found = `${other.owner} has the field ${other.field} in ${model}`;
	if (other.field !== field) {
		return `${found} with the column ${other.column}, and ${name} has a column of that name. ${advice}`;
	}
	const both = `${found}, and so has ${name}`;
	return ofApp
		? `${both}. ${advice}`
		: `${both}. Two plugins cannot have one field: rename the other one in its plugin`;
}

function otherFieldsOf(
	model: string,
	options: BetterAuthOptions,
	others: readonly BetterAuthPlugin[],
): OtherField[] {
	const host = options[model as "user"];
	const own = Object.entries(host?.additionalFields ?? {}).map(([field, { fieldName }]) => ({
		field,
		column: fieldName ?? field,
		owner: `${model}.additionalFields`,
		ofApp: true,
	}));
	const renamed = Object.entries(host?.fields ?? {}).map(([field, column]) => ({
		field,
		column: String(column),
		owner: `${model}.fields`,
		ofApp: true,
	}));
	const ofPlugins = others.flatMap(({ id, schema }) =>
		Object.entries(schema?.[model]?.fields ?? {}).map(([field, { fieldName }]) => ({
			field,
			column: fieldName ?? field,
			owner: `The plugin ${id}`,
			ofApp: false,
		})),
	);
	return [...own, ...renamed, ...ofPlugins];
}

/** Another plugin may add fields to a table of ours, under the same key. */
function findOtherTable(
	model: string,
	table: string,
	options: BetterAuthOptions,
	others: readonly BetterAuthPlugin[],
): string | undefined {
	const core = CORE_MODELS.find((key) => (options[key as "user"]?.modelName ?? key) === table);
	if (core) return `${core}.modelName`;
	const plugin = others.find(({ schema }) =>
		Object.entries(schema ?? {}).some(
			([key, { modelName }]) =>
				key !== model && !CORE_MODELS.includes(key) && (modelName ?? key) === table,
		),
	);
	return plugin && `The plugin ${plugin.id}`;
}
