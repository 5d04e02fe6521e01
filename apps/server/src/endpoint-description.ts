import * as z from "zod";

/** The tenant of a call. */
export const tenantId = z
	.string()
	.optional()
	.meta({ description: "The tenant; not needed if the host or the header names it" });

const converted = new WeakMap<z.ZodType, object>();

/** Several endpoints have the same response, and the conversion of its schema is slow. */
function jsonSchemaOf(response: z.ZodType): object {
	const schema = converted.get(response) ?? z.toJSONSchema(response, { unrepresentable: "any" });
	converted.set(response, schema);
	return schema;
}

/** What the OpenAPI document says about an endpoint. */
export function describe(description: string, response: z.ZodType) {
	const content = { "application/json": { schema: jsonSchemaOf(response) } };
	return { openapi: { description, responses: { "200": { description: "Success", content } } } };
}
