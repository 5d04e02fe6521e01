import * as z from "zod";
import { TENANT_AUTH_ERROR_CODES } from "./error-codes";

type JsonSchema = Record<string, unknown>;
type ErrorCode = keyof typeof TENANT_AUTH_ERROR_CODES;

const string = { type: "string" };
const dateTime = { type: "string", format: "date-time" };
const orNull = (schema: JsonSchema) => ({ ...schema, type: [schema.type, "null"] });

const object = (properties: Record<string, JsonSchema>): JsonSchema => ({
	type: "object",
	properties,
	required: Object.keys(properties),
});

export const tenantAnswer = object({
	id: string,
	name: string,
	slug: string,
	metadata: orNull({ type: "object", additionalProperties: true }),
	createdAt: dateTime,
	updatedAt: dateTime,
});

export const oauthConfigAnswer = object({
	id: string,
	tenantId: string,
	providerId: string,
	clientId: string,
	scopes: { type: "array", items: string },
	redirectURI: orNull(string),
	options: orNull({ type: "object", additionalProperties: true }),
	enabled: { type: "boolean" },
	createdAt: dateTime,
	updatedAt: dateTime,
});

export const sessionAnswer = object({
	token: orNull(string),
	user: { type: "object", $ref: "#/components/schemas/User" },
	session: { anyOf: [{ $ref: "#/components/schemas/Session" }, { type: "null" }] },
});

export const socialAnswer: JsonSchema = {
	type: "object",
	properties: {
		...(sessionAnswer.properties as Record<string, JsonSchema>),
		url: string,
		redirect: { type: "boolean" },
	},
	required: ["redirect"],
};

export const successAnswer = object({ success: { type: "boolean", enum: [true] } });

export const arrayOf = (items: JsonSchema): JsonSchema => ({ type: "array", items });

const STATUS: Record<ErrorCode, number> = {
	TENANT_ID_REQUIRED: 400,
	TENANT_NOT_FOUND: 404,
	TENANT_ALREADY_EXISTS: 409,
	INVALID_SLUG: 400,
	SLUG_RESERVED: 400,
	TENANT_MANAGEMENT_NOT_ALLOWED: 403,
	PROVIDER_NOT_FOUND: 404,
	UNSUPPORTED_PROVIDER: 400,
	INVALID_PROVIDER_OPTIONS: 400,
	OAUTH_CONFIG_NOT_FOUND: 404,
	CROSS_TENANT_QUERY: 400,
	OAUTH_CLIENT_CHANGED: 409,
	OAUTH_CREDENTIAL_DECRYPT_FAILED: 500,
};

const json = (description: string, schema: JsonSchema) => ({
	description,
	content: { "application/json": { schema } },
});

const errorAnswer = (codes: string[]) =>
	object({ code: { type: "string", enum: codes }, message: string });

/** The OpenAPI part of an endpoint: what it does, what it answers, and which errors it knows. */
export function openapi(
	operationId: string,
	description: string,
	answer: JsonSchema,
	errors: ErrorCode[],
	query?: z.ZodObject,
) {
	const byStatus = new Map<number, string[]>([[400, ["VALIDATION_ERROR"]]]);
	for (const code of errors) {
		const status = STATUS[code];
		byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
		if (code === "TENANT_MANAGEMENT_NOT_ALLOWED") byStatus.set(401, [code]);
	}
	const responses = Object.fromEntries(
		[...byStatus].map(([status, codes]) => [
			String(status),
			json(codes.map(messageOf).join("; "), errorAnswer(codes)),
		]),
	);
	return {
		operationId,
		description,
		responses: { "200": json("Success", answer), ...responses },
		...(query ? { parameters: parametersOf(query) } : {}),
	};
}

/** Better Auth reads the parameters of a query itself, but not those of an optional one. */
function parametersOf(query: z.ZodObject) {
	return Object.entries(query.shape).map(([name, field]) => {
		const { type, description } = z.toJSONSchema(field as z.ZodType, { io: "input" });
		const schema = { type: type === "string" ? ("string" as const) : ("integer" as const) };
		return { name, in: "query" as const, required: false, description, schema };
	});
}

function messageOf(code: string): string {
	return Object.hasOwn(TENANT_AUTH_ERROR_CODES, code)
		? TENANT_AUTH_ERROR_CODES[code as ErrorCode].message
		: "The input does not parse";
}
