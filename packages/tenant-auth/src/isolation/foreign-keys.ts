import type { BetterAuthDBSchema, DBFieldAttribute } from "@better-auth/core/db";

export interface ForeignKey {
	model: string;
	name: string;
	field: DBFieldAttribute;
	target: { model: string; name: string };
}

/** A foreign key or an option may use the app's name of a table, or the plural. */
export const modelKeyIn = (tables: BetterAuthDBSchema) => (name: string) =>
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
export function findJoinColumns(
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
