import { betterAuth } from "better-auth";
import { admin, organization, twoFactor } from "better-auth/plugins";
import { tenantAuth, withTenant } from "better-auth-tenant";

/** An app as monorepos have it: other packages import `auth`, so its type is in a declaration file. */
export const auth = betterAuth({
	emailAndPassword: {
		enabled: true,
		sendResetPassword: withTenant(async ({ user, tenant }) => {
			if (tenant?.metadata?.silent !== true) throw new Error(`No email for ${user.email}`);
		}),
	},
	plugins: [
		organization(),
		twoFactor(),
		admin(),
		tenantAuth({ managementKeys: ["a key of the app"], audit: { retentionDays: 30 } }),
	],
});

export type Session = typeof auth.$Infer.Session;

export const listTenants = async () => {
	const tenants = await auth.api.listTenants({ query: { limit: 10 } });
	return { tenants, total: tenants.total };
};

export const signIn = async (email: string, password: string) =>
	auth.api.signInEmailTenant({ body: { tenantId: "acme", email, password } });

export const currentTenant = (headers: Headers) => auth.api.currentTenant({ headers });
