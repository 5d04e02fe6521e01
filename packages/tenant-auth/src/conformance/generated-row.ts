import type { BetterAuthDBSchema, DBFieldAttribute } from "@better-auth/core/db";

type Row = Record<string, unknown>;

const HOUR = 3_600_000;

/** What the fields of a row may refer to. */
interface Known {
	email: string;
	idOf: (model: string) => unknown;
}

/**
 * Generates a row that a table accepts in most cases. Every text in it begins with `canary`, so that it
 * is recognized wherever it appears.
 */
export function generateRow(
	model: string,
	tables: BetterAuthDBSchema,
	canary: string,
	known: Known,
): Row {
	return Object.fromEntries(
		Object.entries(tables[model]?.fields ?? {})
			.filter(([name, field]) => name !== "tenantId" && isNeeded(name, field))
			.map(([name, field]) => {
				const target = targetOf(name, field, tables);
				if (target) return [name, known.idOf(target)];
				return [name, valueFor(name, field, `${canary}_${model}_${name}`, known.email)];
			}),
	);
}

/** Lists the models that need a row before this model can have one. */
export function neededModels(model: string, tables: BetterAuthDBSchema): string[] {
	return Object.entries(tables[model]?.fields ?? {})
		.filter(([name, field]) => isNeeded(name, field))
		.flatMap(([name, field]) => targetOf(name, field, tables) ?? [])
		.filter((target) => target !== model);
}

/** Returns the key of the model that a field refers to. A foreign key may use the app's table name. */
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

function valueFor(name: string, field: DBFieldAttribute, text: string, email: string): unknown {
	if (name === "role") return "owner";
	if (name === "status") return "pending";
	if (name === "email") return email;
	switch (field.type) {
		case "string":
			return text.toLowerCase();
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
