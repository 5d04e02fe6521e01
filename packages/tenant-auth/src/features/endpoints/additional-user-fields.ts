import type { AuthContext } from "@better-auth/core";
import type { DBFieldAttribute } from "@better-auth/core/db";
import { APIError, BASE_ERROR_CODES } from "@better-auth/core/error";
import { addedFields } from "../../database/row-fields";

/**
 * Checks, converts and completes the user fields of the app and of other plugins for a new user, as
 * Better Auth does at sign-up.
 *
 * Its `parseUserInput` does the same. But an app that is bundled would get 350 KB more with
 * `better-auth/db`: it contains all languages of zod.
 */
export function parseAdditionalFields(
	{ options }: Pick<AuthContext, "options">,
	given: Record<string, unknown>,
): Record<string, unknown> {
	const parsed = Object.entries(addedFields(options, "user")).map(([name, field]) => [
		name,
		given[name] === undefined ? defaultOf(name, field) : parse(name, field, given[name]),
	]);
	return Object.fromEntries(parsed.filter(([, value]) => value !== undefined));
}

function defaultOf(name: string, { defaultValue, required }: DBFieldAttribute): unknown {
	if (defaultValue === undefined && required) {
		throw invalid("MISSING_FIELD", `${name} is required`);
	}
	return typeof defaultValue === "function" ? defaultValue() : defaultValue;
}

function parse(name: string, field: DBFieldAttribute, value: unknown): unknown {
	if (field.input === false) {
		if (value && field.defaultValue === undefined) {
			throw invalid("FIELD_NOT_ALLOWED", `${name} is not allowed to be set`);
		}
		return defaultOf(name, { ...field, required: false });
	}
	const { validator, transform } = field;
	if (validator?.input) return validate(validator.input, value);
	return transform?.input ? transform.input(value as never) : value;
}

type Validator = NonNullable<NonNullable<DBFieldAttribute["validator"]>["input"]>;

function validate(validator: Validator, value: unknown): unknown {
	const result = validator["~standard"].validate(value);
	if (result instanceof Promise) {
		const { ASYNC_VALIDATION_NOT_SUPPORTED } = BASE_ERROR_CODES;
		throw APIError.from("INTERNAL_SERVER_ERROR", ASYNC_VALIDATION_NOT_SUPPORTED);
	}
	if (!result.issues) return result.value;
	throw invalid("VALIDATION_ERROR", result.issues[0]?.message || "Validation Error");
}

const invalid = (
	code: "MISSING_FIELD" | "FIELD_NOT_ALLOWED" | "VALIDATION_ERROR",
	message: string,
) => APIError.from("BAD_REQUEST", { ...BASE_ERROR_CODES[code], message });
