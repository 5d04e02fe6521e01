import { BASE_ERROR_CODES } from "@better-auth/core/error";
import { type OpenAPIParameter, statusCodes } from "better-call";
import * as z from "zod";
import { type ErrorTexts, TENANT_ERRORS, type TenantErrorCode } from "../../error-codes";
import { statusesOf } from "../../tenant-error";

/** Errors of Better Auth that our endpoints document, with the statuses that it throws. */
const CORE_STATUSES = {
	EMAIL_NOT_VERIFIED: 403,
	INVALID_EMAIL: 400,
	INVALID_EMAIL_OR_PASSWORD: 401,
	PASSWORD_TOO_LONG: 400,
	PASSWORD_TOO_SHORT: 400,
	USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL: 422,
	USER_NOT_FOUND: 404,
} satisfies Partial<Record<keyof typeof BASE_ERROR_CODES, number>>;

const VALIDATION_ERROR = { status: 400, code: "VALIDATION_ERROR", message: "Invalid input" };

/** Better Auth's error for an endpoint that needs a session. It is not in its list of codes. */
export const UNAUTHORIZED = { status: 401, code: "UNAUTHORIZED", message: "Unauthorized" };

export type DocumentedError = TenantErrorCode | keyof typeof CORE_STATUSES | "UNAUTHORIZED";

type JsonSchema = z.core.JSONSchema.BaseSchema;

interface JsonResponse {
	description: string;
	content: { "application/json": { schema: JsonSchema } };
}

/** A body by its media types. */
export type RequestBody = Readonly<Record<string, z.ZodType>>;

/** The OpenAPI part of an endpoint. Better Auth adds the request body from the schema itself. */
export interface Operation {
	operationId: string;
	description: string;
	parameters: OpenAPIParameter[];
	responses: Record<string, JsonResponse>;
	/** Only if the endpoint describes it. */
	requestBody?: { required: true; content: Record<string, { schema: JsonSchema }> };
}

export function describeOperation(
	operationId: string,
	declaration: {
		description: string;
		query?: z.ZodType;
		response: z.ZodType;
		errors: readonly string[];
		requestBody?: RequestBody | undefined;
	},
	ownErrors: ErrorTexts,
): Operation {
	const { description, query, response, errors, requestBody } = declaration;
	return {
		operationId,
		description,
		parameters: query ? parametersOf(query) : [],
		responses: {
			"200": json("Success", toJsonSchema(response)),
			...errorResponses(errors, ownErrors),
		},
		...(requestBody ? { requestBody: { required: true, content: contentOf(requestBody) } } : {}),
	};
}

const json = (description: string, schema: JsonSchema): JsonResponse => ({
	description,
	content: { "application/json": { schema } },
});

function contentOf(body: RequestBody): Record<string, { schema: JsonSchema }> {
	const schemas = Object.entries(body).map(([type, schema]) => [
		type,
		{ schema: z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }) },
	]);
	return Object.fromEntries(schemas);
}

/** As JSON, a date is a text. */
function toJsonSchema(response: z.ZodType): JsonSchema {
	const { $schema: _, ...schema } = z.toJSONSchema(response, {
		unrepresentable: "any",
		override: ({ zodSchema, jsonSchema }) => {
			if (zodSchema._zod.def.type === "date") {
				Object.assign(jsonSchema, { type: "string", format: "date-time" });
			}
			// A later version may add a property.
			if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
		},
	});
	return schema;
}

function errorResponses(
	errors: readonly string[],
	ownErrors: ErrorTexts,
): Record<string, JsonResponse> {
	const texts: ErrorTexts = { ...TENANT_ERRORS, ...ownErrors };
	const all = [VALIDATION_ERROR, ...errors.flatMap((code) => documentedErrors(code, texts))];
	const byStatus = new Map<number, typeof all>();
	for (const error of all) {
		byStatus.set(error.status, [...(byStatus.get(error.status) ?? []), error]);
	}
	return Object.fromEntries(
		[...byStatus].map(([status, found]) => [
			String(status),
			json(found.map(({ message }) => message).join("; "), {
				type: "object",
				properties: {
					code: { type: "string", enum: found.map(({ code }) => code) },
					message: { type: "string" },
				},
				required: ["code", "message"],
			}),
		]),
	);
}

function documentedErrors(code: string, texts: ErrorTexts): (typeof VALIDATION_ERROR)[] {
	const own = texts[code];
	if (own) {
		const { message } = own;
		return statusesOf(texts, code).map((name) => ({ status: statusCodes[name], code, message }));
	}
	if (!isCoreCode(code)) return [UNAUTHORIZED];
	return [{ status: CORE_STATUSES[code], code, message: BASE_ERROR_CODES[code].message }];
}

const isCoreCode = (code: string): code is keyof typeof CORE_STATUSES => code in CORE_STATUSES;

/** Better Auth reads the parameters of a plain object itself, but not those of other schemas. */
function parametersOf(query: z.ZodType): OpenAPIParameter[] {
	if (query instanceof z.ZodOptional) return parametersOf(query.unwrap() as z.ZodType);
	const schema = z.toJSONSchema(query, { io: "input", unrepresentable: "any" });
	const variants = schema.anyOf ?? [schema];
	const fields = variants.flatMap(({ properties = {} }) =>
		Object.entries(properties).filter(([, field]) => typeof field === "object" && field.type),
	);
	return fields.map(([name, field]) => ({
		name,
		in: "query",
		required: variants.every(({ required }) => required?.includes(name)),
		...(typeof field === "object" ? { description: field.description } : {}),
		schema: { type: typeof field === "object" && field.type === "integer" ? "integer" : "string" },
	}));
}
