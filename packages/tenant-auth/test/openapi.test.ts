import { openAPI } from "better-auth/plugins";
import { TENANT_AUTH_ERROR_CODES, tenantAuth } from "better-auth-tenant";
import { beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { ROUTES, type RouteName } from "../src/routes";
import { cheapPasswords } from "./support/cheap-passwords";
import {
	type EndpointCall,
	makeTarget,
	PASSWORD,
	routeNames,
	type Target,
	validCall,
} from "./support/endpoint-calls";
import { heldPasswords } from "./support/held-passwords";
import {
	type Instance,
	type InstanceOptions,
	MANAGEMENT_KEY,
	makeInstance,
} from "./support/instance";
import { makeMemoryStorage } from "./support/memory-storage";

type Schema = z.core.JSONSchema.JSONSchema;

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

const sendResetPassword = async () => {};
const usual: InstanceOptions = {
	plugins: [openAPI()],
	emailAndPassword: { ...cheapPasswords, enabled: true, sendResetPassword },
};

const { body: document } = await (await makeInstance(usual)).call("/open-api/generate-schema");
const paths: Record<string, Record<string, Operation>> = document.paths;

const jsonOf = (content: Content | undefined) => content?.content?.["application/json"]?.schema;

function operationOf(name: RouteName): Operation {
	const { method, path } = ROUTES[name];
	const operation = paths[path]?.[method.toLowerCase()];
	if (!operation) throw new Error(`${name} is not in the document`);
	return operation;
}

interface Input {
	name: string;
	in: "body" | "query";
	required: boolean;
	schema: Schema;
	description: string | undefined;
}

function inputsOf(name: RouteName): Input[] {
	const { parameters, requestBody } = operationOf(name);
	const { properties = {}, required = [] } = jsonOf(requestBody) ?? {};
	return [
		...parameters.map((parameter) => ({
			name: parameter.name,
			in: "query" as const,
			required: parameter.required === true,
			schema: parameter.schema,
			description: parameter.description,
		})),
		...Object.entries(properties).flatMap(([field, schema]) =>
			typeof schema === "object"
				? [
						{
							name: field,
							in: "body" as const,
							required: required.includes(field),
							schema,
							description: schema.description,
						},
					]
				: [],
		),
	];
}

const send = (instance: Instance, name: RouteName, call: EndpointCall) =>
	instance.manage(ROUTES[name].path, call);

function without(call: EndpointCall, field: string): EndpointCall {
	const { [field]: _, ...body } = call.body ?? {};
	const { [field]: __, ...query } = call.query ?? {};
	return { ...(call.body ? { body } : {}), ...(call.query ? { query } : {}) };
}

/** The schema without the properties that it does not name. The user and the session are Better Auth's. */
function closed(schema: Schema): Schema {
	if (schema.$ref) return { type: "object" };
	const list = (schemas: Schema["anyOf"]) => schemas?.map((it) => closed(it as Schema));
	return {
		...schema,
		...(schema.anyOf ? { anyOf: list(schema.anyOf) } : {}),
		...(schema.items ? { items: closed(schema.items as Schema) } : {}),
		...(schema.properties
			? {
					additionalProperties: false,
					properties: Object.fromEntries(
						Object.entries(schema.properties).map(([name, it]) => [name, closed(it as Schema)]),
					),
				}
			: {}),
	};
}

describe("the OpenAPI document", () => {
	it("has every endpoint of the plugin, under its name in auth.api", () => {
		const endpoints = Object.entries(tenantAuth().endpoints).flatMap(([name, endpoint]) =>
			[endpoint.options.method].flat().map((method) => ({ name, method, path: endpoint.path })),
		);
		for (const { name, method, path } of endpoints) {
			const documented = path.replace(":providerId", "{providerId}");
			const operation = paths[documented]?.[method.toLowerCase()];
			expect([path, operation?.operationId]).toEqual([path, expect.stringMatching(`^${name}`)]);
			expect(operation?.description).toBeTruthy();
		}
		const ours = Object.entries(paths).filter(([path]) => path.startsWith("/tenant/"));
		expect(ours.flatMap(([, methods]) => Object.keys(methods))).toHaveLength(endpoints.length);
	});

	it.each(routeNames)("describes each input of %s with a type and a text", (name) => {
		for (const { name: field, schema, description } of inputsOf(name)) {
			expect([field, schema.type, description]).toEqual([
				field,
				expect.any(String),
				expect.any(String),
			]);
		}
	});

	it("has the callback with its parameters and its redirect", () => {
		const callback = paths["/tenant/callback/{providerId}"];
		expect(Object.keys(callback ?? {})).toEqual(["get", "post"]);
		const names = callback?.get?.parameters.map((parameter) => `${parameter.in} ${parameter.name}`);
		expect(names).toEqual(
			expect.arrayContaining([
				...["path providerId", "query code", "query state"],
				...["query error", "query error_description"],
			]),
		);
		expect(callback?.get?.responses["302"]?.description).toContain("error");
	});

	it("refers only to what it defines, and to no client secret in an answer", () => {
		const references = [...JSON.stringify(paths).matchAll(/#\/components\/schemas\/(\w+)/g)];
		for (const [, name = ""] of references) {
			expect(Object.keys(document.components.schemas)).toContain(name);
		}
		for (const name of routeNames) {
			expect(JSON.stringify(operationOf(name).responses)).not.toContain("clientSecret");
		}
	});

	it("has every code of the plugin that one of its endpoints answers with", () => {
		const documented = documentedErrors.map(({ code }) => code);
		const ofOtherEndpoints = ["CROSS_TENANT_QUERY", "OAUTH_CLIENT_CHANGED"];
		expect(Object.keys(TENANT_AUTH_ERROR_CODES).sort()).toEqual(
			[
				...new Set(documented.filter((code) => code in TENANT_AUTH_ERROR_CODES)),
				...ofOtherEndpoints,
			].sort(),
		);
	});
});

describe("a documented answer", () => {
	let instance: Instance;
	let target: Target;

	beforeAll(async () => {
		instance = await makeInstance(usual);
		target = await makeTarget(instance);
	});

	// In the order of the list: the last calls delete the target.
	it.each(routeNames)("accepts the real answer of %s, and has all of its fields", async (name) => {
		const { status, body } = await send(instance, name, validCall(name, target));
		expect([status, body.code]).toEqual([200, undefined]);
		const schema = jsonOf(operationOf(name).responses["200"]);
		const result = z.fromJSONSchema(closed(schema ?? {})).safeParse(body);
		expect(result.error?.issues).toBeUndefined();
		// An empty list would prove nothing.
		if (Array.isArray(body)) expect(body.length).toBeGreaterThan(0);
	});
});

describe("a documented input", () => {
	let instance: Instance;
	let target: Target;

	beforeAll(async () => {
		instance = await makeInstance(usual);
		target = await makeTarget(instance);
	});

	const required = routeNames.flatMap((name) =>
		inputsOf(name).flatMap((input) => (input.required ? [[name, input.name] as const] : [])),
	);

	it.each(required)("of %s is required: %s", async (name, field) => {
		const { status, body } = await send(instance, name, without(validCall(name, target), field));
		expect([status, body.code]).toEqual([400, "VALIDATION_ERROR"]);
	});

	it.each(routeNames)("of %s is optional if it is not required", async (name) => {
		const call = inputsOf(name)
			.filter((input) => !input.required)
			.reduce((rest, input) => without(rest, input.name), validCall(name, target));
		const { status, body } = await send(instance, name, call);
		// `id` or `slug` is required, which a list of parameters cannot say.
		const isEither = name === "getTenant" || name === "tenantLoginOptions";
		if (isEither) expect(body.message).toMatch(/^\[query\] Exactly one of/);
		else expect([status, body.code]).not.toEqual([400, "VALIDATION_ERROR"]);
	});
});

const documentedErrors = routeNames.flatMap((name) =>
	Object.entries(operationOf(name).responses).flatMap(([status, response]) => {
		const code = jsonOf(response)?.properties?.code;
		const codes = typeof code === "object" ? (code.enum ?? []) : [];
		return codes.map((code) => ({ name, status: Number(status), code: String(code) }));
	}),
);

/** How to provoke an error: what differs from a valid call of the usual app. */
interface Provocation {
	options?: InstanceOptions;
	input?: Record<string, unknown>;
	search?: string;
	/** `null` for none; by default the management key. */
	authorization?: string | null;
	/** May give back what ends it. */
	prepare?: (instance: Instance, target: Target) => Promise<unknown>;
}

const unknown = "unknown";
const queue = { concurrency: 1, maxWaitingPerTenant: 0 };

const PROVOCATIONS: Record<string, (name: RouteName, status: number) => Provocation> = {
	VALIDATION_ERROR: (name) => {
		const [first] = inputsOf(name).map((input) => input.name);
		if (ROUTES[name].method === "GET") return { search: `?${first}=1&${first}=2` };
		return { input: { [String(first)]: [] } };
	},
	TENANT_MANAGEMENT_NOT_ALLOWED: (_, status) => ({
		authorization: status === 401 ? null : "Bearer wrong",
	}),
	TENANT_ID_REQUIRED: () => ({ input: { tenantId: undefined } }),
	TENANT_NOT_FOUND: (name) => ({
		input: name === "getTenant" ? { id: unknown } : { tenantId: unknown },
	}),
	TENANT_SUSPENDED: () => ({
		prepare: ({ manage }, { tenantId }) => manage("/tenant/suspend", { body: { tenantId } }),
	}),
	TENANT_ALREADY_EXISTS: () => ({
		input: { slug: "taken" },
		prepare: ({ makeTenant }) => makeTenant("taken"),
	}),
	INVALID_SLUG: () => ({ input: { slug: "A" } }),
	SLUG_RESERVED: () => ({ input: { slug: "admin" } }),
	UNSUPPORTED_PROVIDER: () => ({ input: { providerId: unknown } }),
	INVALID_PROVIDER_OPTIONS: () => ({ input: { options: { unknown } } }),
	OAUTH_CONFIG_NOT_FOUND: () => ({ input: { providerId: "gitlab" } }),
	OAUTH_CREDENTIAL_DECRYPT_FAILED: () => ({
		prepare: async (instance, target) => {
			const name = "registerTenantOAuthConfig";
			await send(instance, name, validCall(name, target));
			await instance.db.updateTable("tenantOauthConfig").set({ clientId: "broken" }).execute();
		},
	}),
	PROVIDER_NOT_FOUND: () => ({ input: { provider: unknown } }),
	USER_NOT_FOUND: () => ({ input: { userId: unknown } }),
	USER_NOT_DELETED: () => ({
		options: { databaseHooks: { user: { delete: { before: async () => false } } } },
	}),
	SESSION_NOT_FOUND: () => ({ input: { sessionId: unknown } }),
	SESSIONS_NOT_LISTED: () => ({ options: { secondaryStorage: makeMemoryStorage() } }),
	INVALID_EMAIL: () => ({ input: { email: "ada" } }),
	INVALID_EMAIL_OR_PASSWORD: () => ({ input: { password: "a wrong password" } }),
	EMAIL_NOT_VERIFIED: () => ({
		options: {
			emailAndPassword: { ...cheapPasswords, enabled: true, requireEmailVerification: true },
		},
	}),
	PASSWORD_TOO_SHORT: () => ({ input: { password: "x" } }),
	PASSWORD_TOO_LONG: () => ({ input: { password: "x".repeat(200) } }),
	PASSWORD_QUEUE_FULL: () => {
		const passwords = heldPasswords();
		return {
			options: {
				emailAndPassword: passwords.emailAndPassword,
				tenants: { passwordQueue: queue },
			},
			prepare: async (instance, target) => {
				passwords.hold();
				const name = "signInEmailTenant";
				const first = send(instance, name, validCall(name, target));
				await passwords.untilBegun(1);
				return async () => {
					passwords.endAll();
					await first;
				};
			},
		};
	},
	USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL: () => ({
		input: { email: "taken@example.com" },
		prepare: ({ signUp }, { tenantId }) => signUp(tenantId, "taken@example.com", PASSWORD),
	}),
};

describe("a documented error", () => {
	let usualApp: Instance;

	beforeAll(async () => {
		usualApp = await makeInstance(usual);
	});

	it.each(documentedErrors)("is thrown: $name $status $code", async ({ name, status, code }) => {
		const provocation = PROVOCATIONS[code]?.(name, status);
		if (!provocation) throw new Error(`nothing provokes ${code}`);
		const { options, input, search = "", authorization, prepare } = provocation;
		const instance = options ? await makeInstance({ ...usual, ...options }) : usualApp;
		const target = await makeTarget(instance);
		const end = await prepare?.(instance, target);
		const { body, query } = validCall(name, target);
		const answer = await instance.call(`${ROUTES[name].path}${search}`, {
			headers: authorization === null ? undefined : { authorization: authorization ?? KEY },
			...(body ? { body: { ...body, ...input } } : {}),
			...(query && !search ? { query: definedTexts({ ...query, ...input }) } : {}),
		});
		if (typeof end === "function") await end();
		expect([answer.status, answer.body.code]).toEqual([status, code]);
	});
});

const KEY = `Bearer ${MANAGEMENT_KEY}`;

const definedTexts = (query: Record<string, unknown>) =>
	Object.fromEntries(
		Object.entries(query).flatMap(([name, value]) =>
			typeof value === "string" ? [[name, value]] : [],
		),
	);
