import { betterAuth } from "better-auth";
import { admin } from "better-auth/plugins";
import {
	getCurrentTenantId,
	type ManagementAction,
	runAcrossTenants,
	runInTenant,
	type Tenant,
	type TenantAuthOptions,
	type TenantOAuthConfig,
	tenantAuth,
} from "better-auth-tenant";
import { describe, expectTypeOf, it } from "vitest";

const auth = betterAuth({ plugins: [tenantAuth(), admin()] });

describe("the types of the server", () => {
	it("name every endpoint in auth.api", () => {
		expectTypeOf<typeof auth.api>().toHaveProperty("createTenant");
		expectTypeOf<typeof auth.api>().toHaveProperty("getTenant");
		expectTypeOf<typeof auth.api>().toHaveProperty("listTenants");
		expectTypeOf<typeof auth.api>().toHaveProperty("updateTenant");
		expectTypeOf<typeof auth.api>().toHaveProperty("deleteTenant");
		expectTypeOf<typeof auth.api>().toHaveProperty("signUpEmailTenant");
		expectTypeOf<typeof auth.api>().toHaveProperty("signInEmailTenant");
		expectTypeOf<typeof auth.api>().toHaveProperty("signInSocialTenant");
		expectTypeOf<typeof auth.api>().toHaveProperty("tenantOAuthCallback");
		expectTypeOf<typeof auth.api>().toHaveProperty("registerTenantOAuthConfig");
		expectTypeOf<typeof auth.api>().toHaveProperty("listTenantOAuthConfigs");
		expectTypeOf<typeof auth.api>().toHaveProperty("updateTenantOAuthConfig");
		expectTypeOf<typeof auth.api>().toHaveProperty("deleteTenantOAuthConfig");
		expectTypeOf<typeof auth.api>().toHaveProperty("effectiveTenantOAuthConfigs");
		expectTypeOf<typeof auth.api>().toHaveProperty("tenantLoginOptions");
		expectTypeOf<typeof auth.api>().toHaveProperty("suspendTenant");
		expectTypeOf<typeof auth.api>().toHaveProperty("resumeTenant");
		expectTypeOf<typeof auth.api>().toHaveProperty("listTenantUsers");
		expectTypeOf<typeof auth.api>().toHaveProperty("getTenantUser");
		expectTypeOf<typeof auth.api>().toHaveProperty("deleteTenantUser");
		expectTypeOf<typeof auth.api>().toHaveProperty("revokeTenantUserSessions");
		expectTypeOf<typeof auth.api>().toHaveProperty("sendTenantPasswordReset");
		expectTypeOf<typeof auth.api>().toHaveProperty("listTenantSessions");
		expectTypeOf<typeof auth.api>().toHaveProperty("revokeTenantSession");
		expectTypeOf<typeof auth.api>().toHaveProperty("listTenantAuditEvents");
	});

	it("know what each one answers", () => {
		return async () => {
			const tenant = await auth.api.createTenant({ body: { name: "Acme", slug: "acme" } });
			expectTypeOf(tenant).toEqualTypeOf<Tenant>();
			expectTypeOf(await auth.api.listTenants()).toEqualTypeOf<Tenant[]>();
			const configs = await auth.api.listTenantOAuthConfigs({ query: { tenantId: "id" } });
			expectTypeOf(configs).toEqualTypeOf<TenantOAuthConfig[]>();
			const body = { name: "Ada", email: "ada@example.com", password: "correct horse battery" };
			const { user, session } = await auth.api.signUpEmailTenant({
				body: { ...body, tenantId: "id" },
			});
			expectTypeOf(user.tenantId).toEqualTypeOf<string>();
			expectTypeOf(session?.tenantId).toEqualTypeOf<string | undefined>();
			// @ts-expect-error an e-mail address is a text
			await auth.api.signUpEmailTenant({ body: { ...body, email: 1 } });
		};
	});

	it("say that a session may have no tenant, and that its user has an address", () => {
		type Session = typeof auth.$Infer.Session;
		expectTypeOf<Session["session"]["tenantId"]>().toEqualTypeOf<string | null | undefined>();
		expectTypeOf<Session["user"]["tenantId"]>().toEqualTypeOf<string | null | undefined>();
		expectTypeOf<Session["user"]["email"]>().toEqualTypeOf<string>();
		// Other plugins' fields stay.
		expectTypeOf<Session["user"]>().toHaveProperty("banned");
		return async () => {
			const session = await auth.api.getSession({ headers: new Headers() });
			expectTypeOf(session).toExtend<Session | null>();
		};
	});

	it("know the plugin's error codes", () => {
		expectTypeOf(auth.$ERROR_CODES.PROVIDER_NOT_FOUND.code).toExtend<string>();
	});

	it("let code of the host enter a tenant of any instance", () => {
		const host = betterAuth({
			baseURL: "http://localhost:3000",
			emailAndPassword: { enabled: true },
			plugins: [tenantAuth()],
		});
		expectTypeOf(getCurrentTenantId).returns.resolves.toEqualTypeOf<string | null>();
		expectTypeOf(runAcrossTenants(async () => 1)).resolves.toEqualTypeOf<number>();
		return () =>
			expectTypeOf(runInTenant(host, "id", async () => 1)).resolves.toEqualTypeOf<number>();
	});

	it("check the options", () => {
		expectTypeOf(tenantAuth).toBeCallableWith();
		expectTypeOf<NonNullable<TenantAuthOptions["canManageTenants"]>>()
			.parameter(1)
			.toEqualTypeOf<{ action: ManagementAction; tenantId: string | null }>();
		return () => {
			tenantAuth({ schema: { tenant: { modelName: "organisation", fields: { slug: "handle" } } } });
			tenantAuth({ schema: { user: { fields: { tenantId: "organisation_id" } } } });
			// @ts-expect-error it would have no effect: Better Auth's own user.modelName renames it
			tenantAuth({ schema: { user: { modelName: "member" } } });
			// @ts-expect-error there is no such field
			tenantAuth({ schema: { tenant: { fields: { nothing: "x" } } } });
			// @ts-expect-error keys come as a list
			tenantAuth({ managementKeys: "a key of enough length" });
		};
	});
});
