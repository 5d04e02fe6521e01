import { betterAuth } from "better-auth";
import { tenantAuth } from "better-auth-tenant";
import { describe, expect, it } from "vitest";
import { makeInstance } from "./support/worlds/instance";

const emailColumn = { user: { fields: { email: "email_address" } } };

describe("names in the database", () => {
	it("can all be the host's", async () => {
		const { makeTenant, signUp, call, manage, db } = await makeInstance({
			user: { modelName: "member", ...emailColumn.user },
			session: { modelName: "login" },
			tenants: {
				schema: {
					tenant: { modelName: "organization", fields: { slug: "handle" } },
					tenantOauthConfig: { modelName: "client", fields: { tenantId: "organization_id" } },
					user: { fields: { tenantId: "organization_id", email: "email_address" } },
					session: { fields: { tenantId: "organization_id" } },
				},
			},
		});
		const tenantId = await makeTenant("acme");
		const other = await makeTenant("other");
		const { body, cookie } = await signUp(tenantId, "ada@example.com");
		expect(body.user).toMatchObject({ email: "ada@example.com", tenantId });
		expect((await signUp(other, "ada@example.com")).status).toBe(200);
		expect((await signUp(tenantId, "ada@example.com")).status).toBe(422);
		expect((await call("/get-session", { cookie })).body).toMatchObject({ session: { tenantId } });
		const config = { tenantId, providerId: "github", clientId: "id", clientSecret: "secret" };
		expect((await manage("/tenant/oauth-config/register", { body: config })).status).toBe(200);

		const organizations = await db.selectFrom("organization").selectAll().execute();
		expect(organizations.map(({ handle }) => handle)).toEqual(["acme", "other"]);
		const members = await db.selectFrom("member").selectAll().execute();
		expect(members[0]).toMatchObject({
			email_address: "ada@example.com",
			organization_id: tenantId,
		});
		const clients = await db.selectFrom("client").selectAll().execute();
		expect(clients[0]).toMatchObject({ organization_id: tenantId });
	});

	it.each([
		["only Better Auth knows of", { user: emailColumn.user }, undefined],
		["only the plugin knows of", {}, emailColumn],
		["the two disagree on", { user: emailColumn.user }, { user: { fields: { email: "mail" } } }],
	])("stop the start when it is a column for addresses that %s", async (_, host, schema) => {
		const auth = betterAuth({
			...host,
			secret: "a secret of thirty-two characters or more",
			baseURL: "http://localhost:3000",
			logger: { disabled: true },
			plugins: [tenantAuth({ schema })],
		});
		await expect(auth.$context).rejects.toMatchObject({
			name: "BetterAuthError",
			message: expect.stringContaining("user.fields.email"),
		});
	});

	it("cannot be given to a table that the plugin does not have", () => {
		const schema: object = { tenants: { modelName: "organization" } };
		expect(() => tenantAuth({ schema })).toThrow("unknown table tenants");
	});
});
