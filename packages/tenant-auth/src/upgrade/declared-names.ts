import type { BetterAuthOptions } from "@better-auth/core";
import type { BetterAuthPluginDBSchema } from "@better-auth/core/db";
import { BetterAuthError } from "@better-auth/core/error";
import { isOurPlugin } from "../context/our-plugins";
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
 * Stops if the app or another plugin declares a table, a field or a column of this plugin. Better Auth
 * would make one of the two, with the app's rules and our values.
 */
export function requireOwnNames(
	options: BetterAuthOptions,
	schema: BetterAuthPluginDBSchema,
): void {
	for (const [model, table] of Object.entries(schema)) {
		const others = otherFieldsOf(model, options);
		for (const [field, { fieldName: column = field }] of Object.entries(table.fields)) {
			if (!isOwnField(model, field)) continue;
			const same = others.find((other) => other.field === field || other.column === column);
			if (same) throw new BetterAuthError(`tenantAuth: ${describe(model, field, same)}`);
		}
		if (CORE_MODELS.includes(model)) continue;
		const owner = findOtherTable(model, table.modelName ?? model, options);
		if (owner) {
			throw new BetterAuthError(
				`tenantAuth: ${owner} has the table ${table.modelName ?? model}, and so has tenantAuth. ${tableAdvice(model)}`,
			);
		}
	}
}

function describe(model: string, field: string, { ofApp, ...other }: OtherField): string {
	const found = `${other.owner} has the field ${other.field} in ${model}`;
	if (other.field !== field) {
		return `${found} with the column ${other.column}, and tenantAuth has a column of that name. ${columnAdvice(model, field)}`;
	}
	const both = `${found}, and so has tenantAuth`;
	return ofApp
		? `${both}. ${columnAdvice(model, field)}`
		: `${both}. Two plugins cannot have one field: rename the other one in its plugin`;
}

function otherFieldsOf(model: string, options: BetterAuthOptions): OtherField[] {
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
	const ofPlugins = othersIn(options).flatMap(({ id, schema }) =>
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
): string | undefined {
	const core = CORE_MODELS.find((key) => (options[key as "user"]?.modelName ?? key) === table);
	if (core) return `${core}.modelName`;
	const plugin = othersIn(options).find(({ schema }) =>
		Object.entries(schema ?? {}).some(
			([key, { modelName }]) =>
				key !== model && !CORE_MODELS.includes(key) && (modelName ?? key) === table,
		),
	);
	return plugin && `The plugin ${plugin.id}`;
}

const othersIn = ({ plugins = [] }: BetterAuthOptions) =>
	plugins.filter((plugin) => !isOurPlugin(plugin));
