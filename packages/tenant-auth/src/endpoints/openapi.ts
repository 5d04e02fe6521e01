import { BASE_ERROR_CODES } from "@better-auth/core/error";
import * as z from "zod";
import { TENANT_AUTH_ERROR_CODES } from "../error-codes";

type JsonSchema = Record<string, unknown>;
type OwnCode = keyof typeof TENANT_AUTH_ERROR_CODES;
type CoreCode = keyof typeof BASE_ERROR_CODES;
type ErrorCode = keyof typeof STATUS;

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

const userAnswer: JsonSchema = { type: "object", $ref: "#/components/schemas/User" };

export const usersAnswer: JsonSchema = { type: "array", items: userAnswer };

export const tenantSessionAnswer = object({
	id: string,
	userId: string,
	user: object({ id: string, name: string, email: string }),
	ipAddress: orNull(string),
	userAgent: orNull(string),
	createdAt: dateTime,
	updatedAt: dateTime,
	expiresAt: dateTime,
});

export const userDetailsAnswer = object({
	user: userAnswer,
	accounts: {
		type: "array",
		items: object({ id: string, providerId: string, accountId: string, createdAt: dateTime }),
	},
	sessions: { type: "array", items: tenantSessionAnswer },
});

export const effectiveProviderAnswer = object({
	providerId: string,
	source: { type: "string", enum: ["tenant", "global", "none"] },
	config: { type: "string", enum: ["own", "disabled", "unreadable", "absent"] },
	callbackURL: string,
	lastFailure: orNull(object({ at: dateTime, code: string })),
});

const flags = (...names: string[]) =>
	object(Object.fromEntries(names.map((name) => [name, { type: "boolean" }])));

export const loginOptionsAnswer = object({
	tenant: object({ id: string, name: string, slug: string }),
	branding: {
		type: "object",
		properties: { logoUrl: string, primaryColor: string, tagline: string, supportEmail: string },
	},
	email: flags("signIn", "signUp", "reset", "verification"),
	password: object({ minLength: { type: "integer" }, maxLength: { type: "integer" } }),
	providers: { type: "array", items: string },
});

export const auditEventAnswer = object({
	id: string,
	createdAt: dateTime,
	action: string,
	tenantId: string,
	actor: object({ kind: string, id: orNull(string) }),
	targetId: orNull(string),
	ipAddress: orNull(string),
	userAgent: orNull(string),
	detail: orNull({ type: "object", additionalProperties: true }),
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

const STATUS = {
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
	TENANT_SUSPENDED: 403,
	USER_NOT_DELETED: 409,
	SESSION_NOT_FOUND: 404,
	SESSIONS_NOT_LISTED: 400,
	USER_NOT_FOUND: 404,
	PASSWORD_QUEUE_FULL: 429,
	OAUTH_CREDENTIAL_DECRYPT_FAILED: 500,
	INVALID_EMAIL: 400,
	PASSWORD_TOO_SHORT: 400,
	PASSWORD_TOO_LONG: 400,
	INVALID_EMAIL_OR_PASSWORD: 401,
	EMAIL_NOT_VERIFIED: 403,
	USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL: 422,
} satisfies Record<OwnCode, number> & Partial<Record<CoreCode, number>>;

const MESSAGES: Record<string, { message: string }> = {
	...BASE_ERROR_CODES,
	...TENANT_AUTH_ERROR_CODES,
	VALIDATION_ERROR: { message: "The input does not parse" },
};

const json = (description: string, schema: JsonSchema) => ({
	description,
	content: { "application/json": { schema } },
});

const errorAnswer = (codes: string[]) =>
	object({ code: { type: "string", enum: codes }, message: string });

/**
 * The OpenAPI part of an endpoint: what it does, what it answers, and which errors it knows.
 *
 * The inputs come from the schemas. Better Auth shows the description of what `optional()` and
 * `default()` wrap, so `meta()` comes before these.
 */
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
			json(codes.map((code) => MESSAGES[code]?.message).join("; "), errorAnswer(codes)),
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
