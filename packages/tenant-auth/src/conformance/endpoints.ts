import * as z from "zod";

type JsonSchema = z.core.JSONSchema.JSONSchema;

interface Endpoint {
	/** Always called with `asResponse: true`. */
	(input: object): Promise<Response>;
	path?: string;
	options: {
		method?: string | string[];
		body?: unknown;
		query?: unknown;
		metadata?: { SERVER_ONLY?: boolean };
	};
}

export interface MappedEndpoint {
	name: string;
	/** `null` if it has no route. */
	path: string | null;
	methods: string[];
	body: JsonSchema | null;
	query: JsonSchema | null;
	call: (input: object) => Promise<Response>;
}

/** Lists the endpoints of an instance. */
export function mapEndpoints(api: object): MappedEndpoint[] {
	return Object.entries(api).flatMap(([name, endpoint]: [string, unknown]) => {
		if (!isEndpoint(endpoint)) return [];
		const { method = "GET", body, query, metadata } = endpoint.options;
		return {
			name,
			path: metadata?.SERVER_ONLY ? null : (endpoint.path ?? null),
			methods: [method].flat(),
			body: toJsonSchema(body),
			query: toJsonSchema(query),
			call: endpoint,
		};
	});
}

function isEndpoint(value: unknown): value is Endpoint {
	return typeof value === "function" && "options" in value && Boolean(value.options);
}

/** Returns `null` for the schema of another library. Input for it is generated without a schema. */
function toJsonSchema(schema: unknown): JsonSchema | null {
	if (!(schema instanceof z.core.$ZodType)) return null;
	try {
		return z.toJSONSchema(schema, { unrepresentable: "any", io: "input" });
	} catch {
		return null;
	}
}

/** Returns the value of a text field in a round of calls. */
export type ValueFor = (field: string, round: number) => string;

/** Sent if an endpoint has no schema: fields that it may read. */
const USUAL_FIELDS = ["id", "userId", "token", "email", "tenantId", "name"];

/** Generates input that a schema accepts in most cases. */
export function generateInput(
	schema: JsonSchema | null,
	valueFor: ValueFor,
	round: number,
): Record<string, unknown> {
	const generated = schema ? generate(schema, "", valueFor, round, 0) : null;
	const usual = !schema || isOpenObject(schema) ? USUAL_FIELDS : [];
	return {
		...Object.fromEntries(usual.map((field) => [field, valueFor(field, round)])),
		...(generated !== null && typeof generated === "object" ? generated : {}),
	};
}

function isOpenObject({ properties, anyOf, oneOf, allOf }: JsonSchema): boolean {
	return !properties && !anyOf && !oneOf && !allOf;
}

function generate(
	schema: JsonSchema | boolean,
	name: string,
	valueFor: ValueFor,
	round: number,
	depth: number,
): unknown {
	if (typeof schema === "boolean") return valueFor(name, round);
	if (schema.const !== undefined) return schema.const;
	if (schema.enum) return schema.enum[round % schema.enum.length];
	const choices = schema.anyOf ?? schema.oneOf;
	if (choices?.length) {
		return generate(choices[round % choices.length] ?? {}, name, valueFor, round, depth);
	}
	if (schema.allOf) {
		const parts = schema.allOf.map((part) => generate(part, name, valueFor, round, depth));
		const objects = parts.filter((part) => part !== null && typeof part === "object");
		return objects.length > 0 ? Object.assign({}, ...objects) : parts[0];
	}
	switch ([schema.type].flat()[0]) {
		case "object":
			return generateObject(schema, valueFor, round, depth);
		case "array":
			return [schema.items ?? []]
				.flat()
				.slice(0, 1)
				.map((item) => generate(item, name, valueFor, round, depth + 1));
		case "number":
		case "integer":
			return 1;
		case "boolean":
			return true;
		case "null":
			return null;
		default:
			return valueFor(name, round);
	}
}

function generateObject(
	{ properties = {}, required = [] }: JsonSchema,
	valueFor: ValueFor,
	round: number,
	depth: number,
): Record<string, unknown> {
	// An optional object, such as an id token, would change what the call does.
	const optional = Object.keys(properties).filter(
		(name) => !required.includes(name) && !isObject(properties[name] ?? {}),
	);
	// All optional fields first, then one at a time, because some exclude each other.
	const wanted = round === 0 ? optional : optional.slice((round - 1) % optional.length).slice(0, 1);
	const entries = Object.entries(properties)
		.filter(([name]) => depth < 4 && (required.includes(name) || wanted.includes(name)))
		.map(([name, field]) => [name, generate(field, name, valueFor, round, depth + 1)]);
	return Object.fromEntries(entries);
}

const isObject = (schema: JsonSchema | boolean) =>
	typeof schema !== "boolean" && (schema.type === "object" || schema.properties !== undefined);
