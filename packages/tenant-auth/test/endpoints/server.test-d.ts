import { betterAuth } from "better-auth";
import { createAuthClient } from "better-auth/client";
import { inferAdditionalFields } from "better-auth/client/plugins";
import { admin, magicLink } from "better-auth/plugins";
import {
	getCurrentTenant,
	getCurrentTenantId,
	type ManagementAction,
	runAcrossTenants,
	runInTenant,
	type Tenant,
	type TenantAuthOptions,
	type TenantMetadata,
	type TenantOAuthConfig,
	type TenantSession,
	type TenantUser,
	tenantAccess,
	tenantAuth,
	tenantHosts,
	withTenant,
} from "better-auth-tenant";
import { tenantAuthClient } from "better-auth-tenant/client";
import { describe, expectTypeOf, it } from "vitest";
import * as z from "zod";
import { publicEndpoint } from "../../src/features/endpoints/define";
import type { ROUTES } from "../../src/routes";

const auth = betterAuth({ plugins: [tenantAuth(), admin()] });

describe("the types of the server", () => {
	it("name every endpoint in auth.api", () => {
		type Name = keyof ReturnType<typeof tenantAuth>["endpoints"];
		expectTypeOf<keyof typeof auth.api>().extract<Name>().toEqualTypeOf<Name>();
		expectTypeOf<Name>().toEqualTypeOf<
			keyof typeof ROUTES | "tenantOAuthCallback" | "openTenantSignInLink"
		>();
	});

	it("do not let a route with an action be declared without a check", () => {
		const declaration = { description: "Get a tenant", response: z.object({}) };
		return () => {
			publicEndpoint("tenantLoginOptions", declaration, async () => ({}));
			// @ts-expect-error it has the action tenant:get
			publicEndpoint("getTenant", declaration, async () => ({}));
		};
	});

	it("have the metadata of the app", () => {
		type Metadata = { plan: "free" | "pro" };
		const schema = z.object({ plan: z.enum(["free", "pro"]) });
		const bySchema = betterAuth({ plugins: [tenantAuth({ metadata: schema })] });
		const byType = betterAuth({ plugins: [tenantAuth<Metadata>()] });
		return async () => {
			const body = { name: "Acme", slug: "acme" };
			for (const { api } of [bySchema, byType]) {
				const tenant = await api.createTenant({ body: { ...body, metadata: { plan: "pro" } } });
				expectTypeOf(tenant.metadata).toEqualTypeOf<Metadata | null>();
				expectTypeOf(tenant.slug).toEqualTypeOf<string>();
				const [first] = await api.listTenants();
				expectTypeOf(first?.metadata).toEqualTypeOf<Metadata | null | undefined>();
				// @ts-expect-error there is no such plan
				await api.createTenant({ body: { ...body, metadata: { plan: "gold" } } });
			}
			const current = await getCurrentTenant<Metadata>();
			expectTypeOf(current?.metadata).toEqualTypeOf<Metadata | null | undefined>();
		};
	});

	it("have the additional fields of the app's users, if they are named", () => {
		const userFields = {
			company: { type: "string", required: true },
			level: { type: "number", required: false },
			score: { type: "number", required: false, input: false },
		} as const;
		const app = betterAuth({
			user: { additionalFields: userFields },
			plugins: [tenantAuth({ userFields })],
		});
		const { api } = app;
		const user = { tenantId: "id", name: "Ada", email: "", password: "" };
		return async () => {
			const up = await api.signUpEmailTenant({ body: { ...user, company: "Acme", level: 1 } });
			expectTypeOf(up.user.company).toEqualTypeOf<string>();
			expectTypeOf(up.user.score).toEqualTypeOf<number | null | undefined>();
			expectTypeOf(up.token).toEqualTypeOf<string | null>();
			const created = await api.createTenantUser({ body: { ...user, company: "Acme" } });
			expectTypeOf(created.company).toEqualTypeOf<string>();
			const [listed] = await api.listTenantUsers({ query: { tenantId: "id" } });
			expectTypeOf(listed?.company).toEqualTypeOf<string | undefined>();
			const found = await api.getTenantUser({ query: { userId: "id" } });
			expectTypeOf(found.user.level).toEqualTypeOf<number | null | undefined>();
			const inside = await api.signInEmailTenant({ body: { email: "", password: "" } });
			if (!inside.twoFactorRedirect) expectTypeOf(inside.user.company).toEqualTypeOf<string>();
			// @ts-expect-error the company is required
			await api.signUpEmailTenant({ body: user });
			// @ts-expect-error the company is required
			await api.createTenantUser({ body: user });
			// @ts-expect-error no client writes the score
			await api.createTenantUser({ body: { ...user, company: "Acme", score: 1 } });

			const client = createAuthClient({
				plugins: [tenantAuthClient<typeof app>(), inferAdditionalFields<typeof app>()],
			});
			const signedUp = await client.tenant.signUp.email({ ...user, company: "Acme" });
			expectTypeOf(signedUp.data?.user.company).toEqualTypeOf<string | undefined>();
			const { data } = await client.tenant.user.list();
			expectTypeOf(data?.[0]?.company).toEqualTypeOf<string | undefined>();
			// @ts-expect-error the company is required
			await client.tenant.signUp.email(user);
		};
	});

	it("have the tenant, the role and the state of each user", () => {
		return async () => {
			const [listed] = await auth.api.listTenantUsers({ query: { tenantId: "id" } });
			const { user } = await auth.api.getTenantUser({ query: { userId: "id" } });
			const body = { name: "Ada", email: "", password: "" };
			const up = await auth.api.signUpEmailTenant({ body });
			for (const each of [listed, user, up.user]) {
				expectTypeOf(each?.tenantId).toEqualTypeOf<string | undefined>();
				expectTypeOf(each?.tenantRole).toEqualTypeOf<string | null | undefined>();
				expectTypeOf(each?.disabledAt).toEqualTypeOf<Date | null | undefined>();
			}
		};
	});

	it("know what each one answers", () => {
		return async () => {
			const tenant = await auth.api.createTenant({ body: { name: "Acme", slug: "acme" } });
			expectTypeOf(tenant).toEqualTypeOf<Tenant>();
			const tenants = await auth.api.listTenants();
			expectTypeOf(tenants).toExtend<Tenant[]>();
			expectTypeOf(tenants.total).toEqualTypeOf<number>();
			const configs = await auth.api.listTenantOAuthConfigs({ query: { tenantId: "id" } });
			expectTypeOf(configs).toEqualTypeOf<TenantOAuthConfig[]>();
			const body = { name: "Ada", email: "ada@example.com", password: "correct horse battery" };
			const { user, session } = await auth.api.signUpEmailTenant({
				body: { ...body, tenantId: "id" },
			});
			expectTypeOf(user.tenantId).toEqualTypeOf<string>();
			expectTypeOf(session?.tenantId).toEqualTypeOf<string | undefined>();
			// @ts-expect-error an email is a text
			await auth.api.signUpEmailTenant({ body: { ...body, email: 1 } });
		};
	});

	it("know which actions a role may have", () => {
		return () => {
			const support = tenantAccess.newRole({ user: ["list", "get"], "oauth-config": ["list"] });
			tenantAuth({ roles: { support, member: tenantAccess.newRole({}) } });
			// @ts-expect-error there is no such action
			tenantAccess.newRole({ user: ["fly"] });
			// @ts-expect-error only the app deletes tenants
			tenantAccess.newRole({ tenant: ["delete"] });
			// @ts-expect-error nothing of the log can be erased by a role
			tenantAccess.newRole({ audit: ["erase"] });
			// @ts-expect-error a role is made with tenantAccess
			tenantAuth({ roles: { support: ["user:list"] } });
		};
	});

	it("know the user that a call manages", () => {
		return async () => {
			const body = { tenantId: "id", email: "ada@example.com", name: "Ada", role: "owner" };
			const user = await auth.api.createTenantUser({ body });
			expectTypeOf(user).toEqualTypeOf<TenantUser>();
			const { session, token } = await auth.api.impersonateTenantUser({
				body: { tenantId: "id", userId: user.id, reason: "An invoice" },
			});
			expectTypeOf(session).toEqualTypeOf<TenantSession>();
			expectTypeOf(token).toEqualTypeOf<string>();
			// @ts-expect-error a reason is required
			await auth.api.impersonateTenantUser({ body: { tenantId: "id", userId: user.id } });
			// @ts-expect-error a role is a text
			await auth.api.updateTenantUser({ body: { userId: user.id, role: ["owner"] } });
		};
	});

	it("know that a sign-in may ask for a second factor", () => {
		return async () => {
			const answer = await auth.api.signInEmailTenant({
				body: { tenantId: "id", email: "ada@example.com", password: "correct horse battery" },
			});
			expectTypeOf(answer.user?.tenantId).toEqualTypeOf<string | undefined>();
			if (answer.twoFactorRedirect) {
				expectTypeOf(answer.twoFactorMethods).toEqualTypeOf<string[]>();
				expectTypeOf(answer.user).toEqualTypeOf<undefined>();
			} else {
				expectTypeOf(answer.user.tenantId).toEqualTypeOf<string>();
				expectTypeOf(answer.session?.tenantId).toEqualTypeOf<string | undefined>();
			}
		};
	});

	it("give an email callback the tenant", () => {
		return () =>
			betterAuth({
				emailAndPassword: {
					enabled: true,
					sendResetPassword: withTenant(async ({ user, tenant, url }, request) => {
						expectTypeOf(user.email).toEqualTypeOf<string>();
						expectTypeOf(tenant).toEqualTypeOf<Tenant | null>();
						expectTypeOf(url).toEqualTypeOf<string>();
						expectTypeOf(request).toEqualTypeOf<Request | undefined>();
					}),
				},
				plugins: [
					magicLink({
						sendMagicLink: withTenant(({ email, tenant }) => {
							expectTypeOf(email).toEqualTypeOf<string>();
							expectTypeOf(tenant?.metadata).toEqualTypeOf<TenantMetadata | null | undefined>();
						}),
					}),
				],
			});
	});

	it("say that a session may have no tenant, and that its user has an email", () => {
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
		expectTypeOf(getCurrentTenant).returns.resolves.toEqualTypeOf<Tenant | null>();
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
			tenantAuth({ schema: { tenant: { modelName: "organization", fields: { slug: "handle" } } } });
			tenantAuth({ schema: { user: { fields: { tenantId: "organization_id" } } } });
			// @ts-expect-error it would have no effect: Better Auth's own user.modelName renames it
			tenantAuth({ schema: { user: { modelName: "member" } } });
			// @ts-expect-error there is no such field
			tenantAuth({ schema: { tenant: { fields: { nothing: "x" } } } });
			for (const answer of ["id", { slug: "acme" }, false, null, undefined] as const) {
				tenantAuth({ resolveTenantId: () => answer });
				tenantAuth({ resolveTenantId: async () => answer });
			}
			// @ts-expect-error it would be unclear which tenant that is
			tenantAuth({ resolveTenantId: () => true });
			tenantAuth({ hosts: tenantHosts({ domain: "example.com", findTenant: async () => null }) });
			// @ts-expect-error the domain is missing
			tenantHosts({ platformHosts: ["www.example.com"] });
			// @ts-expect-error keys come as a list
			tenantAuth({ managementKeys: "a key of enough length" });
		};
	});
});
