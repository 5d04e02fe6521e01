import type { BetterAuthDBSchema, DBFieldAttribute } from "@better-auth/core/db";

type Row = Record<string, unknown>;

const HOUR = 3_600_000;

/**
 * A row that a table accepts, most likely. Every text in it begins with `mark`, so that it is known
 * again wherever it turns up.
 */
export function makeUpRow(
	model: string,
	tables: BetterAuthDBSchema,
	mark: string,
	known: { email: string; idOf: (model: string) => unknown },
): Row {
	const fields = Object.entries(tables[model]?.fields ?? {});
	return Object.fromEntries(
		fields
			.filter(([name, field]) => name !== "tenantId" && isNeeded(name, field))
			.map(([name, field]) => [
				name,
				valueFor(model, name, field, targetOf(name, field, tables), mark, known),
			]),
	);
}

/** Models whose rows must be there before one of this model can be. */
export function neededModels(model: string, tables: BetterAuthDBSchema): string[] {
	return Object.entries(tables[model]?.fields ?? {})
		.filter(([name, field]) => isNeeded(name, field))
		.flatMap(([name, field]) => targetOf(name, field, tables) ?? [])
		.filter((target) => target !== model);
}

/** The key of the model that a field refers to. A foreign key may name the table as the host does. */
function targetOf(
	name: string,
	{ references }: DBFieldAttribute,
	tables: BetterAuthDBSchema,
): string | undefined {
	const target = references?.model ?? (name === "userId" ? "user" : undefined);
	return Object.keys(tables).find((key) => key === target || tables[key]?.modelName === target);
}

function isNeeded(name: string, field: DBFieldAttribute): boolean {
	if (name === "userId" || field.unique) return true;
	return field.required !== false && field.defaultValue === undefined;
}

function valueFor(
	model: string,
	name: string,
	field: DBFieldAttribute,
	target: string | undefined,
	mark: string,
	known: { email: string; idOf: (model: string) => unknown },
): unknown {
	if (target) return known.idOf(target);
	if (name === "role") return "owner";
	if (name === "status") return "pending";
	if (name === "email") return known.email;
	switch (field.type) {
		case "string":
			return `${mark}_${model}_${name}`.toLowerCase();
		case "number":
			return 1;
		case "boolean":
			return false;
		case "date":
			return new Date(Date.now() + (/expire/i.test(name) ? HOUR : 0));
		case "json":
			return {};
		default:
			return Array.isArray(field.type) ? field.type[0] : [];
	}
}
