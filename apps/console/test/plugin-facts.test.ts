import { betterAuth } from "better-auth";
import { memoryAdapter } from "better-auth/adapters/memory";
import { tenantAuth } from "better-auth-tenant";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { fromSettingValues, toSettingValues } from "../src/operator/providers/provider-settings";
import { providerRulesOf } from "../src/plugin-providers";
import { findSlugProblem } from "../src/plugin-rules";
import { PROVIDERS } from "../src/providers";

const TABLES = [
	"user",
	"session",
	"account",
	"verification",
	"tenant",
	"tenantOauthConfig",
	"tenantAuditEvent",
	"tenantRow",
];

/** The plugin as server code sees it. */
const createPlugin = () =>
	betterAuth({
		secret: "a secret of thirty-two characters or more",
		baseURL: "http://localhost:3000",
		logger: { disabled: true },
		telemetry: { enabled: false },
		database: memoryAdapter(Object.fromEntries(TABLES.map((name) => [name, []]))),
		plugins: [tenantAuth()],
	}).api;

const errorOf = (call: Promise<unknown>): Promise<{ code?: string; message?: string }> =>
	call.then(
		() => ({}),
		(error) => error.body,
	);

describe("a slug", () => {
	test("is valid in the form if the plugin accepts it", async () => {
		const plugin = createPlugin();
		const isAccepted = async (slug: string) => {
			const { code } = await errorOf(plugin.createTenant({ body: { name: "Acme", slug } }));
			return code === undefined || code === "TENANT_ALREADY_EXISTS";
		};
		const character = fc.constantFrom(..."aZ09-_. é");
		const words = fc.constantFrom("admin", "api", "www", "acme", "sign-in", "tenants", "t");
		await fc.assert(
			fc.asyncProperty(
				fc.oneof(fc.string({ unit: character, maxLength: 66 }), words),
				async (slug) => (findSlugProblem(slug) === null) === (await isAccepted(slug)),
			),
			{ numRuns: 500 },
		);
	});
});

describe("the settings of a provider", () => {
	const plugin = createPlugin();
	let tenantId = "";
	beforeAll(async () => {
		({ id: tenantId } = await plugin.createTenant({ body: { name: "Acme", slug: "acme" } }));
	});

	test.each(Object.keys(PROVIDERS))("of %s are known to the plugin", async (providerId) => {
		const { settings } = providerRulesOf(providerId);
		// Every setting is there, with a value that none of them accepts.
		const options = Object.fromEntries(settings.map(({ name }) => [name, {}]));
		const { message = "" } = await errorOf(
			plugin.registerTenantOAuthConfig({
				body: { tenantId, providerId, clientId: "id", clientSecret: "secret", options },
			}),
		);
		for (const { name } of settings) expect(message).toContain(`${name} is not valid`);
		expect(message).not.toContain("is not a setting of");
		expect(message).not.toContain("is required for");
	});

	test.each(Object.keys(PROVIDERS))(
		"of %s say whether its secret is optional",
		async (providerId) => {
			const { code } = await errorOf(
				plugin.registerTenantOAuthConfig({
					body: { tenantId, providerId, clientId: "id", clientSecret: "" },
				}),
			);
			const isRequired = code === "VALIDATION_ERROR";
			expect(isRequired).toBe(!providerRulesOf(providerId).isSecretOptional);
		},
	);

	test("do not change when they are put into a form and read back", () => {
		const options = { domain: "acme.example", requireClientSecret: true, prompt: "login" };
		expect(fromSettingValues("cognito", toSettingValues(options))).toEqual(options);
		expect(fromSettingValues("facebook", { fields: "id  name", configId: " " })).toEqual({
			fields: ["id", "name"],
		});
	});
});
