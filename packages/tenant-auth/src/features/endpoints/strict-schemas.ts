import type { GenericEndpointContext } from "@better-auth/core";
import { APIError } from "@better-auth/core/error";
import * as z from "zod";

/**
 * Fields of other plugins. The client of Better Auth's OAuth provider adds this one to every body, and its
 * hooks read it from there.
 */
const OTHER_PLUGINS_FIELDS = ["oauth_query"];

/** The schema of a query, made {@link strict}. Every request may name its tenant there. */
export function strictQuery(query: z.ZodType): z.ZodType {
	if (hasField(query, "tenantId")) return strict(query);
	return z.preprocess((given) => without(given, ["tenantId"]), strict(query));
}

function hasField(schema: z.ZodType, field: string): boolean {
	if (schema instanceof z.ZodObject) return Object.hasOwn(schema.shape, field);
	const parts = Object.values(schema.def).flat();
	return parts.some((part) => part instanceof z.ZodType && hasField(part, field));
}

/** The schema of a body, made {@link strict}. */
export const strictBody = (body: z.ZodType): z.ZodType =>
	z.preprocess((given) => without(given, OTHER_PLUGINS_FIELDS), strict(body));

function without(given: unknown, fields: readonly string[]): unknown {
	if (!isPlainObject(given)) return given;
	if (!fields.some((field) => Object.hasOwn(given, field))) return given;
	return Object.fromEntries(Object.entries(given).filter(([field]) => !fields.includes(field)));
}

/** Not a stream of lines. */
const isPlainObject = (value: unknown): value is object =>
	Object.prototype.toString.call(value) === "[object Object]";

/**
 * The same schema, but a field that it does not have is an error, in objects inside of it too. Otherwise
 * somebody with a typo would believe that the field was set. An object that says itself what it does with
 * other fields, such as `.loose()`, stays as it is.
 */
function strict(schema: z.ZodType): z.ZodType {
	const def = { ...schema.def, ...mapValues(schema.def, strictPart) };
	if (schema instanceof z.ZodObject) {
		const { shape, catchall = z.never() } = schema.def;
		Object.assign(def, { shape: mapValues(shape, strictPart), catchall });
	}
	// As a child of the original, it keeps its description.
	return schema.clone(def, { parent: true });
}

const mapValues = (values: object, change: (value: unknown) => unknown) =>
	Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]));

/** A part of the definition of a schema: another schema, or several, as in a union. */
function strictPart(part: unknown): unknown {
	if (part instanceof z.ZodType) return strict(part);
	return Array.isArray(part) ? part.map(strictPart) : part;
}

/**
 * For a body that may also have the user fields of the app and of other plugins. They are known only at
 * run time.
 */
export function requireKnownUserFields(
	{ body, context }: GenericEndpointContext,
	{ shape }: z.ZodObject,
): void {
	const known = { ...context.tables.user?.fields, ...shape };
	const unknown = Object.keys(body).filter((field) => !Object.hasOwn(known, field));
	if (unknown.length === 0) return;
	const names = unknown.map((field) => JSON.stringify(field)).join(", ");
	const message = `[body] Unrecognized key${unknown.length > 1 ? "s" : ""}: ${names}`;
	throw new APIError("BAD_REQUEST", { code: "VALIDATION_ERROR", message });
}
