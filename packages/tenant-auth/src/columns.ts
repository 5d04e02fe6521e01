import type { BetterAuthPluginDBSchema } from "@better-auth/core/db";
import { BetterAuthError } from "@better-auth/core/error";

/** Columns that several tables have. */

export const text = { type: "string", required: true } as const;
export const optionalText = { type: "string", required: false } as const;
export const timestamp = {
	type: "date",
	required: true,
	defaultValue: () => new Date(),
} as const;

export const ofTenant = {
	...text,
	references: { model: "tenant", field: "id", onDelete: "cascade" },
} as const;

/** Other names for the tables and columns of a schema in the database. */
export type SchemaNames<Schema extends BetterAuthPluginDBSchema> = {
	[Model in keyof Schema]?: {
		modelName?: string;
		fields?: { [Field in keyof Schema[Model]["fields"]]?: string };
	};
};

/** The same for any schema. */
type Names = Readonly<
	Record<string, { modelName?: string; fields?: Readonly<Record<string, string>> }>
>;

/**
 * Gives tables and columns of a new schema other names.
 *
 * Better Auth's `mergeSchema` does the same. But an app that is bundled would get 350 KB more with
 * `better-auth/db`: it contains all languages of zod.
 */
export function renamed<Schema extends BetterAuthPluginDBSchema>(
	plugin: string,
	schema: Schema,
	allNames: object = {},
): Schema {
	const models: BetterAuthPluginDBSchema = schema;
	for (const [model, { modelName, fields = {} }] of Object.entries(allNames as Names)) {
		const own = models[model];
		if (!own) throw new BetterAuthError(`${plugin}: schema names the unknown table ${model}`);
		if (modelName) own.modelName = modelName;
		for (const [name, field] of Object.entries(own.fields)) {
			const fieldName = fields[name];
			if (fieldName) field.fieldName = fieldName;
		}
	}
	return schema;
}
