import { apiKey } from "@better-auth/api-key";
import { passkey } from "@better-auth/passkey";
import { betterAuth } from "better-auth";
import {
	admin,
	deviceAuthorization,
	magicLink,
	openAPI,
	organization,
	twoFactor,
	username,
} from "better-auth/plugins";
import { describe, expect, it } from "vitest";
import { notEmpty } from "../../../../testing/not-empty";
import { makeTwoUsers, orders } from "../support/worlds/two-tenants";

const others = () => [
	openAPI(),
	admin(),
	organization({ teams: { enabled: true } }),
	deviceAuthorization(),
	apiKey(),
	passkey(),
	twoFactor(),
	username(),
	magicLink({ sendMagicLink: async () => {} }),
];

interface Document {
	paths: Record<string, Record<string, unknown>>;
	components: { schemas: Record<string, { properties: object; required?: string[] }> };
}

const operations = ({ paths }: Document) =>
	Object.entries(paths).flatMap(([path, methods]) =>
		Object.keys(methods).map((method) => `${method} ${path}`),
	);

describe("the OpenAPI document of an app with tenants", () => {
	it.each(orders)("contains all that it contains without tenants, plugins %s", async (_, order) => {
		const plain = betterAuth({
			secret: "a secret of thirty-two characters or more",
			baseURL: "http://localhost:3000",
			emailAndPassword: { enabled: true },
			logger: { disabled: true },
			plugins: others(),
		});
		const without = (await plain.api.generateOpenAPISchema()) as unknown as Document;
		const { call, a } = await makeTwoUsers({ ...order(), plugins: others() });
		const { body } = await call("/open-api/generate-schema");
		const added = operations(body).filter((it) => !it.includes(" /tenant/"));
		expect(added.sort()).toEqual(operations(without).sort());
		for (const [name, { properties }] of notEmpty(Object.entries(without.components.schemas))) {
			const own = body.components.schemas[name];
			expect(Object.keys(own.properties)).toEqual(expect.arrayContaining(Object.keys(properties)));
		}
		expect(body.components.schemas.User.properties).toHaveProperty("tenantId");
		expect((await call("/open-api/generate-schema", { tenant: a })).body).toEqual(body);
		expect((await call("/reference", { tenant: a })).status).toBe(200);
	});
});
