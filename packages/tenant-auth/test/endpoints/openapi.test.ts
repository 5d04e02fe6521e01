import { twoFactor } from "better-auth/plugins";
import { TENANT_AUTH_ERROR_CODES } from "better-auth-tenant";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { notEmpty } from "../../../../testing/not-empty";
import { ROUTES, type RouteName } from "../support/http/all-routes";
import {
	type EndpointCall,
	makeTargetWorld,
	PASSWORD,
	routeNames,
	validCall,
} from "../support/http/endpoint-calls";
import {
	errorsOf,
	inputsOf,
	jsonOf,
	openApiDocument,
	operationOf,
	type Schema,
	usualApp,
} from "../support/http/openapi-document";
import { ENDPOINTS } from "../support/worlds/features";
import { type Instance, makeInstance } from "../support/worlds/instance";
import { useWorld } from "../support/worlds/world";

const send = (instance: Instance, name: RouteName, call: EndpointCall) =>
	instance.manage(ROUTES[name].path, call);

function without(call: EndpointCall, field: string): EndpointCall {
	const { [field]: _, ...body } = call.body ?? {};
	const { [field]: __, ...query } = call.query ?? {};
	return { ...call, ...(call.body ? { body } : {}), ...(call.query ? { query } : {}) };
}

/** Allows only the properties that it names. Better Auth documents the user and the session. */
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

function expectDocumented(name: RouteName, answer: unknown) {
	const schema = closed(jsonOf(operationOf(name).responses["200"]) ?? {});
	expect(z.fromJSONSchema(schema).safeParse(answer).error?.issues).toBeUndefined();
}

describe("the OpenAPI document", () => {
	it("has every endpoint of the plugin, under its name in auth.api", () => {
		const endpoints = Object.entries(ENDPOINTS).flatMap(([name, endpoint]) =>
			[endpoint.options.method].flat().map((method) => ({ name, method, path: endpoint.path })),
		);
		for (const { name, method, path } of notEmpty(endpoints)) {
			const documented = path.replace(":providerId", "{providerId}");
			const operation = openApiDocument.paths[documented]?.[method.toLowerCase()];
			expect([path, operation?.operationId]).toEqual([path, expect.stringMatching(`^${name}`)]);
			expect(operation?.description).toBeTruthy();
		}
		const ours = Object.entries(openApiDocument.paths).filter(([path]) =>
			path.startsWith("/tenant/"),
		);
		expect(ours.flatMap(([, methods]) => Object.keys(methods))).toHaveLength(endpoints.length);
	});

	it.each(routeNames)("describes each input of %s with a type and a text", (name) => {
		for (const { name: field, type, description } of notEmpty(inputsOf(name))) {
			const [first] = [type].flat();
			expect([field, first, description]).toEqual([field, expect.any(String), expect.any(String)]);
		}
	});

	it("has the callback with its parameters and its redirect", () => {
		const callback = openApiDocument.paths["/tenant/callback/{providerId}"];
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
		const references = [
			...JSON.stringify(openApiDocument.paths).matchAll(/#\/components\/schemas\/(\w+)/g),
		];
		for (const [, name = ""] of notEmpty(references)) {
			expect(Object.keys(openApiDocument.components.schemas)).toContain(name);
		}
		for (const name of notEmpty(routeNames)) {
			expect(JSON.stringify(operationOf(name).responses)).not.toContain("clientSecret");
		}
	});

	it("has every code of the plugin that one of its endpoints answers with", () => {
		const documented = routeNames.flatMap(errorsOf).map(({ code }) => code);
		const ofOtherEndpoints = [
			"CROSS_TENANT_QUERY",
			"OAUTH_CLIENT_CHANGED",
			"STORED_SECRET_DECRYPT_FAILED",
			"TENANT_MISMATCH",
			// Before any endpoint runs.
			"TOO_MANY_REQUESTS",
			"WRITE_CONFLICT",
		];
		expect(Object.keys(TENANT_AUTH_ERROR_CODES).sort()).toEqual(
			[
				...new Set(documented.filter((code) => code in TENANT_AUTH_ERROR_CODES)),
				...ofOtherEndpoints,
			].sort(),
		);
	});
});

describe("a documented answer", () => {
	const world = useWorld(() => makeTargetWorld(usualApp));

	it.each(routeNames)("accepts the real answer of %s, and has all of its fields", async (name) => {
		const { target, ...instance } = world();
		if (name === "eraseTenantAuditEvents") {
			await send(instance, "deleteTenant", validCall("deleteTenant", target));
		}
		const { status, body } = await send(instance, name, validCall(name, target));
		expect([status, body.code]).toEqual([200, undefined]);
		expectDocumented(name, body);
		// An empty list would prove nothing.
		if (Array.isArray(body)) expect(body.length).toBeGreaterThan(0);
	});

	it("accepts a sign-in that asks for a second factor", async () => {
		const plugins = [twoFactor({ skipVerificationOnEnable: true })];
		const app = await makeInstance({ ...usualApp, plugins });
		const tenantId = await app.makeTenant();
		const { cookie } = await app.signUp(tenantId, "ada@example.com", PASSWORD);
		await app.call("/two-factor/enable", { cookie, body: { password: PASSWORD } });
		const signIn = { tenantId, email: "ada@example.com", password: PASSWORD };
		const { body } = await app.call("/tenant/sign-in/email", { body: signIn });
		expect(body).toEqual({ twoFactorRedirect: true, twoFactorMethods: ["totp"] });
		expectDocumented("signInEmailTenant", body);
	});

	it("does not accept anything else", () => {
		const schema = closed(jsonOf(operationOf("suspendTenant").responses["200"]) ?? {});
		expect(z.fromJSONSchema(schema).safeParse({ id: "id" }).success).toBe(false);
	});
});

describe("a documented input", () => {
	const world = useWorld(() => makeTargetWorld(usualApp));

	const required = routeNames.flatMap((name) =>
		inputsOf(name).flatMap((input) => (input.isRequired ? [[name, input.name] as const] : [])),
	);

	it.each(required)("of %s is required: %s", async (name, field) => {
		const call = validCall(name, world().target);
		const { status, body } = await send(world(), name, without(call, field));
		expect([status, body.code]).toEqual([400, "VALIDATION_ERROR"]);
	});

	it.each(routeNames)("of %s is optional if it is not required", async (name) => {
		const full = validCall(name, world().target);
		const call = inputsOf(name)
			.filter((input) => !input.isRequired)
			.reduce((rest, input) => without(rest, input.name), full);
		const { status, body } = await send(world(), name, call);
		expect([status, body.code]).not.toEqual([400, "VALIDATION_ERROR"]);
	});
});
