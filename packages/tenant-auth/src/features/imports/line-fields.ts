import type { BetterAuthOptions } from "@better-auth/core";
import type { DBFieldAttribute } from "@better-auth/core/db";
import { requiredFields } from "../../database/row-fields";
import { LineError } from "./import-result";

/** The app's additional fields of users, which a line may have. */
export type ImportableFields = Readonly<Record<string, DBFieldAttribute>>;

type Values = Readonly<Record<string, unknown>>;

export const importableFields = ({ user }: BetterAuthOptions): ImportableFields =>
	user?.additionalFields ?? {};

const invalid = (name: string, problem: string) =>
	new LineError("VALIDATION_ERROR", `[fields.${name}] ${problem}`);

/** @throws LineError */
export function parseFields(given: Values, fields: ImportableFields): Record<string, unknown> {
	const parsed = Object.entries(given).map(([name, value]) => {
		const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
		const shown = name.slice(0, 64);
		if (!field) throw invalid(shown, "user.additionalFields has no such field");
		// The app may trust it: no client can write it either.
		if (field.input === false) throw invalid(name, "has input: false, so no import sets it");
		return [name, parseValue(name, field, value)] as const;
	});
	return Object.fromEntries(parsed);
}

/** @throws LineError */
export function requireFields(given: Values = {}, fields: ImportableFields): void {
	const missing = requiredFields(fields).find((name) => (given[name] ?? null) === null);
	if (missing !== undefined) throw invalid(missing, "is required for a new user");
}

/** Better Auth checks the type of no field, and a database may fail or convert. */
function parseValue(name: string, field: DBFieldAttribute, value: unknown): unknown {
	if (value === null && field.required === false) return null;
	const typed = typedValue(field.type, value);
	if (typed === undefined) throw invalid(name, `is not of the type ${String(field.type)}`);
	const { validator, transform } = field;
	if (!validator?.input) return transform?.input ? transform.input(typed as never) : typed;
	const result = validator.input["~standard"].validate(typed);
	if (result instanceof Promise) throw invalid(name, "has a validator that is asynchronous");
	if (result.issues) throw invalid(name, result.issues[0]?.message ?? "is not valid");
	return result.value;
}

/** The values of a CSV file and of the command line are texts. `undefined` if the type is another one. */
function typedValue(type: DBFieldAttribute["type"], value: unknown): unknown {
	if (Array.isArray(type)) return type.includes(value as never) ? value : undefined;
	switch (type) {
		case "string":
			return typeof value === "string" && !value.includes("\0") ? value : undefined;
		case "number": {
			const isText = typeof value === "string" && value.trim() !== "";
			const number = isText ? Number(value) : value;
			return typeof number === "number" && Number.isFinite(number) ? number : undefined;
		}
		case "boolean":
			if (typeof value === "boolean") return value;
			return value === "true" ? true : value === "false" ? false : undefined;
		case "date": {
			const date = typeof value === "string" || value instanceof Date ? new Date(value) : undefined;
			return date && !Number.isNaN(date.getTime()) ? date : undefined;
		}
		case "json":
			return value;
		default: {
			const item = type === "string[]" ? "string" : "number";
			const isList = Array.isArray(value) && value.every((it) => typeof it === item);
			return isList ? value : undefined;
		}
	}
}
