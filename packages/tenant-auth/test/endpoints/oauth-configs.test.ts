import type { AuthContext } from "@better-auth/core";
import { socialProviders } from "better-auth/social-providers";
import { beforeAll, describe, expect, it } from "vitest";
import { notEmpty } from "../../../../testing/not-empty";
import { decryptField } from "../../src/management/oauth-clients/cipher";
import { findConfigRows } from "../../src/management/oauth-clients/find-configs";
import { type Instance, makeInstance } from "../support/worlds/instance";

const client = { clientId: "client-id", clientSecret: "client-secret" };

/** Settings that a provider cannot do without. */
const NEEDED: Record<string, object> = {
	cognito: { domain: "auth.example.com", region: "eu-west-1", userPoolId: "eu-west-1_Ab1" },
};

describe("OAuth configs", () => {
	let instance: Instance;

	beforeAll(async () => {
		instance = await makeInstance();
	});

	const register = (tenantId: string, body: object = {}) =>
		instance.manage("/tenant/oauth-config/register", {
			body: { tenantId, providerId: "github", ...client, ...body },
		});
	const list = (tenantId: string) =>
		instance.manage("/tenant/oauth-config/list", { query: { tenantId } });
	const remove = (tenantId: string, providerId = "github") =>
		instance.manage("/tenant/oauth-config/delete", { body: { tenantId, providerId } });

	describe("register", () => {
		it("answers with the config and without the secret", async () => {
			const tenantId = await instance.makeTenant();
			const { status, body } = await register(tenantId);
			expect(status).toBe(200);
			expect(body).toEqual({
				id: expect.any(String),
				tenantId,
				providerId: "github",
				clientId: "client-id",
				clientIds: ["client-id"],
				scopes: [],
				redirectURI: null,
				options: null,
				trustEmails: [],
				enabled: true,
				createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
				updatedAt: body.createdAt,
			});
		});

		it("keeps scopes, redirectURI, options and enabled", async () => {
			const tenantId = await instance.makeTenant();
			const values = {
				providerId: "gitlab",
				scopes: ["read_user", "https://example.com/scope"],
				redirectURI: "https://acme.example.com/oauth/done?a=1",
				options: { issuer: "https://gitlab.example.com" },
				enabled: false,
			};
			const { body } = await register(tenantId, values);
			expect(body).toMatchObject(values);
			expect((await list(tenantId)).body).toEqual([body]);
		});

		it("puts new values in place of the old and keeps id and createdAt", async () => {
			const tenantId = await instance.makeTenant();
			const first = (
				await register(tenantId, {
					scopes: ["a"],
					redirectURI: "https://one.example.com/cb",
					enabled: false,
				})
			).body;
			await new Promise((resolve) => setTimeout(resolve, 5));
			const second = await register(tenantId, { clientId: "other-id" });
			expect(second.status).toBe(200);
			expect(second.body).toEqual({
				...first,
				clientId: "other-id",
				clientIds: ["other-id"],
				scopes: [],
				redirectURI: null,
				enabled: true,
				updatedAt: expect.any(String),
			});
			expect(Date.parse(second.body.updatedAt)).toBeGreaterThan(Date.parse(first.updatedAt));
			expect((await list(tenantId)).body).toEqual([second.body]);
		});

		it("leaves one row and answers 200 to all when upserts of one pair race", async () => {
			const tenantId = await instance.makeTenant();
			const answers = await Promise.all(
				Array.from({ length: 20 }, (_, index) =>
					register(tenantId, { clientId: `client-${index}`, clientSecret: `secret-${index}` }),
				),
			);
			expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
			expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
			expect((await list(tenantId)).body).toHaveLength(1);
		});

		it("keeps one config for each of a tenant's providers and each tenant's own", async () => {
			const [a, b] = [await instance.makeTenant(), await instance.makeTenant()];
			await register(a);
			await register(a, { providerId: "google", clientId: "google-id" });
			await register(b, { clientId: "id-of-b" });
			const clients = async (tenantId: string) =>
				(await list(tenantId)).body.map((config: { providerId: string; clientId: string }) => [
					config.providerId,
					config.clientId,
				]);
			expect(await clients(a)).toEqual([
				["github", "client-id"],
				["google", "google-id"],
			]);
			expect(await clients(b)).toEqual([["github", "id-of-b"]]);
		});

		it("takes several client ids, and uses the first for redirects", async () => {
			const tenantId = await instance.makeTenant();
			const clientIds = ["web-id", "ios-id", "android-id"];
			const clientId = [" web-id ", "ios-id", "android-id", "ios-id"];
			const { status, body } = await register(tenantId, { providerId: "google", clientId });
			expect([status, body.clientId, body.clientIds]).toEqual([200, "web-id", clientIds]);
			expect((await list(tenantId)).body).toEqual([body]);
			const start = await instance.call("/tenant/sign-in/social", {
				body: { tenantId, provider: "google" },
			});
			expect(new URL(start.body.url).searchParams.get("client_id")).toBe("web-id");
		});

		it.each([
			["github", ["one", "two"]],
			["google", []],
			["google", [""]],
			["google", ["one", "two\nthree"]],
			["google", ["one", 2]],
			["google", ["x".repeat(1025)]],
			["google", Array.from({ length: 17 }, (_, at) => `id-${at}`)],
		])("refuses client ids of %s: %j", async (providerId, clientId) => {
			const tenantId = await instance.makeTenant();
			const { status, body } = await register(tenantId, { providerId, clientId });
			expect([status, body.code]).toEqual([400, "VALIDATION_ERROR"]);
			expect((await list(tenantId)).body).toEqual([]);
		});

		it.each(Object.keys(socialProviders))("takes the built-in provider %s", async (providerId) => {
			const tenantId = await instance.makeTenant();
			const { status, body } = await register(tenantId, {
				providerId,
				options: NEEDED[providerId],
			});
			expect([status, body.code]).toEqual([200, undefined]);
			const start = await instance.call("/tenant/sign-in/social", {
				body: { tenantId, provider: providerId },
			});
			expect([start.status, start.body.code]).toEqual([200, undefined]);
			const url = new URL(start.body.url);
			expect(url.protocol).toBe("https:");
			expect(start.body.url).toContain("client-id");
			expect(start.body.url).not.toContain("client-secret");
		});

		it.each([
			"__proto__",
			"constructor",
			"toString",
			"hasOwnProperty",
			"",
			"GitHub",
			"github ",
			"credential",
			"unknown",
			"x".repeat(10_000),
		])("refuses %j, which is no built-in provider", async (providerId) => {
			const tenantId = await instance.makeTenant();
			const { status, body } = await register(tenantId, { providerId });
			expect(status).toBe(400);
			expect(body).toEqual({
				code: "UNSUPPORTED_PROVIDER",
				message: expect.stringContaining("use an id such as oidc:okta with options.issuer"),
			});
		});

		it.each([
			["clientId", ""],
			["clientId", "   "],
			["clientId", "x".repeat(1025)],
			["clientId", "a\u0000b"],
			["clientId", 5],
			["clientId", null],
			["clientSecret", ""],
			["clientSecret", "x".repeat(4097)],
			["clientSecret", ["secret"]],
			["clientSecret", "pasted-with-its-newline\n"],
			["scopes", "read write"],
			["scopes", ["has space"]],
			["scopes", [""]],
			["scopes", ["x".repeat(257)]],
			["scopes", [1]],
			["scopes", Array(65).fill("scope")],
			["redirectURI", "/relative"],
			["redirectURI", "javascript:alert(1)"],
			["redirectURI", "https://user:pass@example.com/"],
			["redirectURI", "https://example.com/#fragment"],
			["redirectURI", `https://example.com/${"x".repeat(2048)}`],
			["options", "{}"],
			["options", []],
			["enabled", "true"],
			["enabled", 1],
			["tenantId", 5],
			["tenantId", "x".repeat(129)],
		])("refuses the %s %j and names the field", async (field, value) => {
			const tenantId = await instance.makeTenant();
			const { status, body } = await register(tenantId, { [field]: value });
			expect(status).toBe(400);
			expect(body.code).toBe("VALIDATION_ERROR");
			expect(body.message).toContain(field);
			expect(body.message).not.toContain("client-secret");
			expect((await list(tenantId)).body).toEqual([]);
		});

		it("takes an empty secret where the provider knows clients without one", async () => {
			const tenantId = await instance.makeTenant();
			const secretless = { providerId: "microsoft", clientSecret: "" };
			expect((await register(tenantId, secretless)).status).toBe(200);
		});
	});

	describe("update", () => {
		const update = (tenantId: string, enabled: boolean, more: object = {}) =>
			instance.manage("/tenant/oauth-config/update", {
				body: { tenantId, providerId: "github", enabled, ...more },
			});
		const start = async (tenantId: string) => {
			const { status, body } = await instance.call("/tenant/sign-in/social", {
				body: { tenantId, provider: "github" },
			});
			return body.url ? new URL(body.url).searchParams.get("client_id") : [status, body.code];
		};

		it("disables and enables without the credentials, which stay", async () => {
			const tenantId = await instance.makeTenant();
			const { body: registered } = await register(tenantId, { scopes: ["repo"] });
			const off = await update(tenantId, false);
			expect(off.body).toEqual({ ...registered, enabled: false, updatedAt: off.body.updatedAt });
			expect(await start(tenantId)).toEqual([404, "PROVIDER_NOT_FOUND"]);
			expect((await update(tenantId, true)).body).toMatchObject({ enabled: true });
			expect(await start(tenantId)).toBe("client-id");
		});

		const change = (tenantId: string, body: object) =>
			instance.manage("/tenant/oauth-config/update", {
				body: { tenantId, providerId: "github", ...body },
			});
		/** Decrypted by the server, as a sign-in would use it. */
		const secretOf = async (tenantId: string) => {
			const ctx = (await instance.auth.$context) as unknown as AuthContext;
			const [row] = await findConfigRows(ctx, tenantId);
			return row && (await decryptField(ctx, row, "clientSecret"));
		};

		it("changes any field, and what is left out stays, the secret too", async () => {
			const tenantId = await instance.makeTenant();
			const first = { scopes: ["repo"], redirectURI: "https://a.example.com/done" };
			const { body: registered } = await register(tenantId, { ...first, enabled: false });
			const steps = [
				{ scopes: ["user"] },
				{ redirectURI: "https://b.example.com/done" },
				{ options: { prompt: "consent" } },
				{ clientId: "another-client" },
				{ enabled: true },
			];
			let expected = registered;
			for (const step of notEmpty(steps)) {
				const { status, body } = await change(tenantId, step);
				const ids = "clientId" in step ? { clientIds: [step.clientId] } : {};
				expected = { ...expected, ...step, ...ids, updatedAt: body.updatedAt };
				expect([status, body]).toEqual([200, expected]);
				expect(await secretOf(tenantId)).toBe("client-secret");
			}
			await change(tenantId, { clientSecret: "rotated" });
			expect(await secretOf(tenantId)).toBe("rotated");
			expect((await list(tenantId)).body).toEqual([{ ...expected, updatedAt: expect.any(String) }]);
		});

		it("removes scopes, redirectURI and options", async () => {
			const tenantId = await instance.makeTenant();
			const redirectURI = "https://a.example.com/done";
			await register(tenantId, { scopes: ["repo"], redirectURI, options: { prompt: "none" } });
			const { body } = await change(tenantId, { scopes: [], redirectURI: null, options: null });
			expect(body).toMatchObject({ scopes: [], redirectURI: null, options: null });
		});

		it("needs the secret to change the server that the secret is sent to", async () => {
			const tenantId = await instance.makeTenant();
			const providerId = "gitlab";
			const issuer = "https://gitlab.example.com";
			await register(tenantId, { providerId, options: { issuer } });
			const thief = { issuer: "https://thief.example.com" };
			for (const options of [thief, null, {}]) {
				const { status, body } = await change(tenantId, { providerId, options });
				expect([status, body.code]).toEqual([400, "VALIDATION_ERROR"]);
				expect(body.message).toContain("clientSecret is required to change issuer");
			}
			expect((await list(tenantId)).body).toMatchObject([{ options: { issuer } }]);
			expect((await change(tenantId, { providerId, options: { issuer } })).status).toBe(200);
			const moved = await change(tenantId, { providerId, options: thief, clientSecret: "new" });
			expect(moved.body).toMatchObject({ options: thief });
		});

		it.each([
			["a setting that the provider does not know", { options: { unknown: 1 } }],
			["an empty secret", { clientSecret: "" }],
			["an empty client id", { clientId: "" }],
			["several client ids for a provider that has one", { clientId: ["one", "two"] }],
			["a private server", { options: { issuer: "https://localhost" } }],
		])("refuses %s and changes nothing", async (_, body) => {
			const tenantId = await instance.makeTenant();
			await register(tenantId);
			const before = (await list(tenantId)).body;
			expect((await change(tenantId, body)).status).toBe(400);
			expect((await list(tenantId)).body).toEqual(before);
		});

		it("refuses to require a secret that the client does not have", async () => {
			const tenantId = await instance.makeTenant();
			const providerId = "cognito";
			const options = NEEDED.cognito;
			await register(tenantId, { providerId, options, clientSecret: "" });
			const required = { ...options, requireClientSecret: true };
			const { status, body } = await change(tenantId, { providerId, options: required });
			expect([status, body.code]).toEqual([400, "VALIDATION_ERROR"]);
		});

		it("records the names of the changed fields, and no values", async () => {
			const tenantId = await instance.makeTenant();
			await register(tenantId);
			await change(tenantId, { clientSecret: "a-new-secret", scopes: ["repo"], enabled: false });
			const { body } = await instance.manage("/tenant/audit/list", { query: { tenantId } });
			expect(body[0]).toMatchObject({
				action: "oauth-config:update",
				targetId: "github",
				detail: { enabled: false, fields: ["clientSecret", "scopes"] },
			});
			expect(JSON.stringify(body)).not.toContain("a-new-secret");
		});

		it("answers 404 when the tenant has no such config", async () => {
			const [a, b] = [await instance.makeTenant(), await instance.makeTenant()];
			await register(b);
			const { status, body } = await update(a, false);
			expect([status, body.code]).toEqual([404, "OAUTH_CONFIG_NOT_FOUND"]);
			expect((await list(b)).body).toMatchObject([{ enabled: true }]);
		});
	});

	describe("delete", () => {
		it("deletes the config and says so", async () => {
			const tenantId = await instance.makeTenant();
			await register(tenantId);
			await register(tenantId, { providerId: "google" });
			const { status, body } = await remove(tenantId);
			expect(status).toBe(200);
			expect(body).toEqual({ success: true });
			const left = (await list(tenantId)).body;
			expect(left.map(({ providerId }: { providerId: string }) => providerId)).toEqual(["google"]);
		});

		it.each(["github", "unknown", "__proto__", "x".repeat(128)])(
			"answers 404 for %s when the tenant has no such config",
			async (providerId) => {
				const [a, b] = [await instance.makeTenant(), await instance.makeTenant()];
				await register(b);
				const { status, body } = await remove(a, providerId);
				expect(status).toBe(404);
				expect(body.code).toBe("OAUTH_CONFIG_NOT_FOUND");
				expect((await list(b)).body).toHaveLength(1);
			},
		);
	});

	describe("the tenant", () => {
		it("must be named", async () => {
			const answers = [
				await instance.manage("/tenant/oauth-config/register", {
					body: { providerId: "github", ...client },
				}),
				await instance.manage("/tenant/oauth-config/list"),
				await instance.manage("/tenant/oauth-config/delete", { body: { providerId: "github" } }),
			];
			expect(answers.map(({ status, body }) => [status, body.code])).toEqual(
				Array(3).fill([400, "TENANT_ID_REQUIRED"]),
			);
		});

		it("must exist", async () => {
			const answers = [await register("nobody"), await list("nobody"), await remove("nobody")];
			expect(answers.map(({ status, body }) => [status, body.code])).toEqual(
				Array(3).fill([404, "TENANT_NOT_FOUND"]),
			);
		});

		it("is the one of the strongest source: a list leaks no other tenant's configs", async () => {
			const [own, other] = [await instance.makeTenant(), await instance.makeTenant()];
			await register(own, { clientId: "own-id" });
			await register(other, { clientId: "id-of-the-other" });
			const answers = [
				await instance.manage("/tenant/oauth-config/list", { tenant: own }),
				await instance.manage("/tenant/oauth-config/list", {
					query: { tenantId: own },
					tenant: other,
				}),
			];
			for (const { body } of notEmpty(answers)) {
				expect(body).toHaveLength(1);
				expect(body[0]).toMatchObject({ tenantId: own, clientId: "own-id" });
			}
		});

		it("is the one of the strongest source: a delete reaches no other tenant's config", async () => {
			const [own, other] = [await instance.makeTenant(), await instance.makeTenant()];
			const sources = [
				{
					body: { tenantId: own, providerId: "github" },
					query: { tenantId: other },
					tenant: other,
				},
				{ body: { providerId: "github" }, query: { tenantId: own }, tenant: other },
				{ body: { providerId: "github" }, tenant: own },
			];
			for (const source of notEmpty(sources)) {
				await register(own);
				await register(other);
				const { status } = await instance.manage("/tenant/oauth-config/delete", source);
				expect(status).toBe(200);
				expect((await list(own)).body).toEqual([]);
				expect((await list(other)).body).toHaveLength(1);
			}
		});
	});
});
