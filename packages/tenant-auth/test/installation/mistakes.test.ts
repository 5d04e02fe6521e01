import { runInTenant, tenantAuth, tenantHosts } from "better-auth-tenant";
import { tenantChooser } from "better-auth-tenant/chooser";
import { tenantDomains } from "better-auth-tenant/domains";
import { organizationToTenant, tenantImports } from "better-auth-tenant/imports";
import { tenantInvitations } from "better-auth-tenant/invitations";
import { tenantLinks } from "better-auth-tenant/links";
import { tenantSignIns } from "better-auth-tenant/sign-ins";
import { tenantWebhooks } from "better-auth-tenant/webhooks";
import { describe, expect, it } from "vitest";
import { notEmpty } from "../../../../testing/not-empty";
import { MANAGEMENT_KEY, makeInstance } from "../support/worlds/instance";

describe("a mistake of a developer gets a message with the remedy:", () => {
	it("a slug in place of an id, the same for slugs that no tenant has", async () => {
		const { auth, signIn, call, manage, makeTenant } = await makeInstance();
		const id = await makeTenant("acme");
		const message = "Tenant not found. If this is its slug, pass its id instead";
		for (const name of notEmpty(["acme", "nobody"])) {
			const bySession = await call("/get-session", { tenant: name });
			const managed = await manage("/tenant/user/list", { query: { tenantId: name } });
			for (const { status, body } of [await signIn(name), bySession, managed]) {
				expect({ status, body }).toEqual({
					status: 404,
					body: { code: "TENANT_NOT_FOUND", message },
				});
			}
		}
		// An id of Better Auth is not taken for a slug.
		expect((await signIn("x".repeat(32))).body.message).toBe("Tenant not found");
		// The code of the app may know more.
		await expect(runInTenant(auth, "acme", async () => {})).rejects.toThrow(
			`there is no tenant "acme". This is the slug of the tenant with the id ${id}: pass the id`,
		);
		await expect(runInTenant(auth, "nobody", async () => {})).rejects.toThrow(/"nobody"$/);
	});

	it("no tenant at all", async () => {
		const { call } = await makeInstance();
		const body = { email: "ada@example.com", password: "correct horse battery" };
		expect((await call("/tenant/sign-in/email", { body })).body.message).toContain("x-tenant-id");
	});

	it("headers in server code", async () => {
		const { auth } = await makeInstance();
		const call = { body: { name: "Acme", slug: "acme" }, headers: new Headers({ host: "a" }) };
		await expect(auth.api.createTenant(call)).rejects.toThrow("In server code, leave out headers");
	});

	it("a management key without its scheme", async () => {
		const { call } = await makeInstance();
		const asks = (authorization: string) =>
			call("/tenant/list", { headers: { authorization } }).then(({ body }) => body.message);
		expect(await asks(MANAGEMENT_KEY)).toContain("Authorization: Bearer <key>");
		expect(await asks("Bearer wrong")).toBe("You are not allowed to manage tenants");
		expect(await asks("Basic eDp5")).toBe("You are not allowed to manage tenants");
	});

	it("organizations in an app that has none", async () => {
		const { auth } = await makeInstance();
		await expect(organizationToTenant(auth, { organizationId: "x" })).rejects.toThrow(
			"needs Better Auth's plugin organization()",
		);
	});

	it("a database without transactions", async () => {
		const { auth, makeTenant } = await makeInstance({ transactions: false });
		const body = { tenantId: await makeTenant(), userIds: ["x"] };
		await expect(auth.api.moveTenantUsers({ body })).rejects.toThrow(
			"drizzleAdapter(db, { …, transaction: true })",
		);
	});

	it.each(
		Object.entries<[create: (options: never) => unknown, option: string]>({
			tenantAuth: [tenantAuth, "tenantHeader"],
			tenantHosts: [tenantHosts, "domain"],
			tenantChooser: [tenantChooser, "chooserURL"],
			tenantDomains: [tenantDomains, "graceDays"],
			tenantInvitations: [tenantInvitations, "sendInvitation"],
			tenantLinks: [tenantLinks, "schema"],
			tenantSignIns: [tenantSignIns, "retentionDays"],
			tenantWebhooks: [tenantWebhooks, "retentionDays"],
			tenantImports: [tenantImports, "schema"],
		}),
	)("a misspelled option of %s", (name, [create, option]) => {
		const misspelled = { [`${option}s`]: "x" };
		expect(() => create(misspelled as never)).toThrow(
			new RegExp(`^${name}: there is no option ${option}s\\. The options are .*\\b${option}\\b`),
		);
	});

	it.each([
		["audit", "retentionDays"],
		["oauthGrants", "maxDays"],
		["passwordQueue", "concurrency"],
	])("a misspelled option inside of %s", (group, option) => {
		const misspelled = { [group]: { [`${option}s`]: 1 } };
		expect(() => tenantAuth(misspelled as never)).toThrow(
			new RegExp(
				`^tenantAuth: ${group}: there is no option ${option}s\\. The options are .*\\b${option}\\b`,
			),
		);
	});

	it("the plugin twice", async () => {
		const { auth } = await makeInstance({ plugins: [tenantAuth()] });
		await expect(auth.$context).rejects.toThrow("the plugin tenant-auth is in the plugins twice");
	});
});
