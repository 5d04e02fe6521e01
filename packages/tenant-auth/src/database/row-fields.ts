import type { AuthContext, BetterAuthOptions } from "@better-auth/core";
import type { DBFieldAttribute } from "@better-auth/core/db";

// Better Auth's `parseUserOutput` and `parseSessionOutput` do the same. But an app that is bundled
// would get 350 KB more with `better-auth/db`: it contains all languages of zod.

type Fields = Pick<AuthContext, "options" | "tables">;
type Model = "session" | "user";

/** The names of the fields that no response contains. */
export function hiddenFields({ options, tables }: Fields, model: Model): string[] {
	const ofPlugins = (options.plugins ?? []).map(({ schema }) => schema?.[model]?.fields);
	const all = [tables[model]?.fields, options[model]?.additionalFields, ...ofPlugins];
	return all.flatMap((fields) =>
		Object.entries(fields ?? {}).flatMap(([name, { returned }]) =>
			returned === false ? name : [],
		),
	);
}

/** The row without its hidden fields. */
export function toReturned<T extends object>(ctx: Fields, model: Model, row: T): T {
	const hidden = new Set(hiddenFields(ctx, model));
	const returned = Object.entries(row).filter(([name]) => !hidden.has(name));
	return Object.fromEntries(returned) as T;
}

type AddedFields = Readonly<Record<string, DBFieldAttribute>>;

/** What the app and its plugins have added to a table. As in Better Auth, a plugin wins over the app. */
export function addedFields(
	{ plugins = [], ...options }: BetterAuthOptions,
	model: Model,
): AddedFields {
	const ofPlugins = plugins.map(({ schema }) => schema?.[model]?.fields);
	return Object.assign({}, options[model]?.additionalFields, ...ofPlugins);
}

/** The fields that a new row must have. The database would refuse it without them. */
export const requiredFields = (fields: AddedFields = {}): string[] =>
	Object.entries(fields).flatMap(([name, { required, defaultValue }]) =>
		required !== false && defaultValue === undefined ? name : [],
	);
