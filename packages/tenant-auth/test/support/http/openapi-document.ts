import { openAPI } from "better-auth/plugins";
import type * as z from "zod";
import { cheapPasswords } from "../worlds/cheap-passwords";
import { type InstanceOptions, makeInstance } from "../worlds/instance";
import { ROUTES, type RouteName } from "./all-routes";

export type Schema = z.core.JSONSchema.JSONSchema;

interface Content {
	content?: { "application/json"?: { schema: Schema } };
}

interface Operation {
	operationId: string;
	description: string;
	parameters: {
		name: string;
		in: string;
		required?: boolean;
		description?: string;
		schema: Schema;
	}[];
	requestBody?: Content & { required: boolean };
	responses: Record<string, Content & { description: string }>;
}

interface OpenApiDocument {
	paths: Record<string, Record<string, Operation>>;
	components: { schemas: Record<string, Schema> };
}

/** An app in which a valid call of every endpoint succeeds. */
export const usualApp: InstanceOptions = {
	plugins: [openAPI()],
	signInLog: true,
	socialProviders: { google: { clientId: "client-id", clientSecret: "client-secret" } },
	emailAndPassword: { ...cheapPasswords, enabled: true, sendResetPassword: async () => {} },
};

const { body } = await (await makeInstance(usualApp)).call("/open-api/generate-schema");

export const openApiDocument: OpenApiDocument = body;

export const jsonOf = (content: Content | undefined) =>
	content?.content?.["application/json"]?.schema;

export function operationOf(name: RouteName): Operation {
	const { method, path } = ROUTES[name];
	const operation = openApiDocument.paths[path]?.[method.toLowerCase()];
	if (!operation) throw new Error(`${name} is not in the document`);
	return operation;
}

/** The documented parameters and body fields. */
export function inputsOf(name: RouteName) {
	const { parameters, requestBody } = operationOf(name);
	const { properties = {}, required = [] } = jsonOf(requestBody) ?? {};
	return [
		...parameters.map(({ name: field, required = false, schema, description }) => ({
			name: field,
			isRequired: required,
			type: schema.type,
			description,
		})),
		...Object.entries(properties).map(([field, schema]) => ({
			name: field,
			isRequired: required.includes(field),
			...(typeof schema === "object" && {
				type: schema.type ?? typesOf(schema.anyOf),
				description: schema.description,
			}),
		})),
	];
}

const typesOf = (schemas: Schema["anyOf"]) =>
	schemas?.map((schema) => (typeof schema === "object" ? schema.type : undefined)).join(" or ");

/** Each status and code that is documented for an endpoint. */
export function errorsOf(name: RouteName) {
	return Object.entries(operationOf(name).responses).flatMap(([status, response]) => {
		const code = jsonOf(response)?.properties?.code;
		const codes = typeof code === "object" ? (code.enum ?? []) : [];
		return codes.map((code) => ({ name, status: Number(status), code: String(code) }));
	});
}
