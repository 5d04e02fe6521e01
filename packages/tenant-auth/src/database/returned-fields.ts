import type { AuthContext } from "@better-auth/core";

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
