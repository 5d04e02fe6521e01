import type { InputSchema } from "./endpoint-map";

/** What is sent for a text field of this name, in the given round. */
export type ValueOf = (field: string, round: number) => string;

/** Where a schema says nothing: names that an endpoint may read. */
const USUAL_FIELDS = ["id", "userId", "token", "email", "tenantId"];

/** Input that a schema accepts, most likely. */
export function makeUpInput(
	schema: InputSchema | null,
	valueFor: ValueOf,
	round: number,
): Record<string, unknown> {
	const made = schema ? makeUp(schema, "", valueFor, round, 0) : null;
	const isFree = !schema || isOpenObject(schema);
	return {
		...(isFree
			? Object.fromEntries(USUAL_FIELDS.map((field) => [field, valueFor(field, round)]))
			: {}),
		...(isFree ? { name: valueFor("name", round) } : {}),
		...(made !== null && typeof made === "object" ? made : {}),
	};
}

function isOpenObject({ properties, anyOf, oneOf, allOf }: InputSchema): boolean {
	return !properties && !anyOf && !oneOf && !allOf;
}

function makeUp(
	schema: InputSchema,
	name: string,
	valueFor: ValueOf,
	round: number,
	depth: number,
): unknown {
	if (schema.const !== undefined) return schema.const;
	if (schema.enum) return schema.enum[round % schema.enum.length];
	const choices = schema.anyOf ?? schema.oneOf;
	if (choices?.length) {
		return makeUp(choices[round % choices.length] ?? {}, name, valueFor, round, depth);
	}
	if (schema.allOf) {
		const parts = schema.allOf.map((part) => makeUp(part, name, valueFor, round, depth));
		return Object.assign({}, ...parts.filter((part) => part !== null && typeof part === "object"));
	}
	switch ([schema.type].flat()[0]) {
		case "object":
			return makeUpObject(schema, valueFor, round, depth);
		case "array":
			return schema.items ? [makeUp(schema.items, name, valueFor, round, depth + 1)] : [];
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

function makeUpObject(
	{ properties = {}, required = [] }: InputSchema,
	valueFor: ValueOf,
	round: number,
	depth: number,
): Record<string, unknown> {
	// An object that nobody demands, such as an id token, would change what the call is about.
	const optional = Object.keys(properties).filter(
		(name) => !required.includes(name) && !isObject(properties[name] ?? {}),
	);
	// First with everything, then with one at a time: some fields exclude one another.
	const wanted = round === 0 ? optional : optional.slice((round - 1) % optional.length).slice(0, 1);
	const entries = Object.entries(properties)
		.filter(([name]) => depth < 4 && (required.includes(name) || wanted.includes(name)))
		.map(([name, field]) => [name, makeUp(field, name, valueFor, round, depth + 1)]);
	return Object.fromEntries(entries);
}

const isObject = ({ type, properties }: InputSchema) => type === "object" || properties;
