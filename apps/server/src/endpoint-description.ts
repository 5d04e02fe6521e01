import * as z from "zod";

const converted = new WeakMap<z.ZodType, object>();

/** Several endpoints have the same answer, and to convert its schema takes long. */
function jsonSchemaOf(answer: z.ZodType): object {
	const schema = converted.get(answer) ?? z.toJSONSchema(answer, { unrepresentable: "any" });
	converted.set(answer, schema);
	return schema;
}

/** What the OpenAPI document says about an endpoint. */
export function describe(description: string, answer: z.ZodType) {
	const content = { "application/json": { schema: jsonSchemaOf(answer) } };
	return { openapi: { description, responses: { "200": { description: "Success", content } } } };
}
