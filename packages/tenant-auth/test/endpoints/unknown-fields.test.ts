import { tenantAuth } from "better-auth-tenant";
import { tenantImports } from "better-auth-tenant/imports";
import { tenantSignIns } from "better-auth-tenant/sign-ins";
import { tenantWebhooks } from "better-auth-tenant/webhooks";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { notEmpty } from "../../../../testing/not-empty";
import { ROUTES, type RouteName } from "../support/http/all-routes";
import { makeTargetWorld, routeNames, validCall } from "../support/http/endpoint-calls";
import { usualApp } from "../support/http/openapi-document";
import { useWorld } from "../support/worlds/world";

const endpoints = {
	...tenantAuth().endpoints,
	...tenantImports().endpoints,
	...tenantSignIns().endpoints,
	...tenantWebhooks().endpoints,
};

const withBody = routeNames.filter((name) => ROUTES[name].method === "POST");

/** Their bodies may have the user fields of the app. */
const WITH_USER_FIELDS: RouteName[] = ["signUpEmailTenant", "createTenantUser"];

type JsonSchema = z.core.JSONSchema.BaseSchema;

/** Every object in a schema that has named fields. */
function objectsIn(schema: unknown): JsonSchema[] {
	if (typeof schema !== "object" || schema === null) return [];
	const inside = Object.values(schema).flatMap(objectsIn);
	return "properties" in schema ? [schema as JsonSchema, ...inside] : inside;
}

describe("a field that an endpoint does not have", () => {
	const at = useWorld(() => makeTargetWorld(usualApp));

	it.each(notEmpty(withBody))("is rejected by its name at %s", async (name) => {
		const { target, manage } = at();
		const { body } = validCall(name, target);
		const { status, body: answer } = await manage(ROUTES[name].path, {
			body: { ...body, unheardOf: true },
		});
		expect([status, answer]).toEqual([
			400,
			{ code: "VALIDATION_ERROR", message: expect.stringContaining('key: "unheardOf"') },
		]);
	});

	it("is rejected in every object of every body, except in those that are open on purpose", () => {
		const open = notEmpty(withBody).flatMap((name) => {
			const { body } = endpoints[name].options as { body?: z.ZodType };
			const schema = z.toJSONSchema(body as z.ZodType, { io: "input", unrepresentable: "any" });
			return objectsIn(schema)
				.filter(({ additionalProperties }) => additionalProperties !== false)
				.map(({ properties = {} }) => [name, Object.keys(properties).join(" ")]);
		});
		expect(open).toEqual([
			// As Apple sends it.
			["signInSocialTenant", "name email"],
			["signInSocialTenant", "firstName lastName"],
			["signUpEmailTenant", expect.stringContaining("password")],
			["signInEmailTenant", expect.stringContaining("password")],
			["createTenantUser", expect.stringContaining("password")],
		]);
	});

	it.each(notEmpty(routeNames.filter((name) => ROUTES[name].method === "GET")))(
		"is rejected as a parameter of %s",
		async (name) => {
			const { target, manage } = at();
			const { query } = validCall(name, target);
			const { status, body } = await manage(ROUTES[name].path, {
				query: { ...query, unheardOf: "true" },
			});
			expect([status, body.code]).toEqual([400, "VALIDATION_ERROR"]);
			expect(body.message).toContain("unheardOf");
		},
	);

	it("is named with its place", async () => {
		const { target, manage } = at();
		const { status, body } = await manage("/tenant/sign-in/social", {
			body: { tenantId: target.tenantId, provider: "github", idToken: { token: "x", nonces: "y" } },
		});
		expect([status, body.message]).toEqual([400, '[body.idToken] Unrecognized key: "nonces"']);
	});
});

describe("a field that an endpoint does not name, but that is not unknown", () => {
	const at = useWorld(() =>
		makeTargetWorld({
			...usualApp,
			user: { additionalFields: { plan: { type: "string", required: false } } },
		}),
	);

	it.each(WITH_USER_FIELDS)("may be a user field of the app at %s", async (name) => {
		const { target, manage } = at();
		const { body } = validCall(name, target);
		const { status, body: answer } = await manage(ROUTES[name].path, {
			body: { ...body, plan: "pro" },
		});
		expect([status, answer.user?.plan ?? answer.plan]).toEqual([200, "pro"]);
	});

	it("may be the one that the client of an OAuth provider adds to every body", async () => {
		const { target, manage } = at();
		const { status } = await manage("/tenant/update", {
			body: { tenantId: target.tenantId, name: "Acme", oauth_query: "client_id=1&sig=2" },
		});
		expect(status).toBe(200);
	});
});
