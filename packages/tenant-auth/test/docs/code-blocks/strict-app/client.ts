import { adminClient, organizationClient, twoFactorClient } from "better-auth/client/plugins";
import { createAuthClient } from "better-auth/react";
import { tenantAuthClient } from "better-auth-tenant/client";

export const client = createAuthClient({
	plugins: [
		organizationClient(),
		twoFactorClient(),
		adminClient(),
		tenantAuthClient({ tenant: () => "acme" }),
	],
});

export const plugin = tenantAuthClient();

export const useTenantName = () => client.useTenant().data?.name;

export async function signIn(email: string, password: string) {
	const { data } = await client.tenant.signIn.email({ email, password });
	return data?.twoFactorRedirect ? data.twoFactorMethods : data?.user;
}

export async function findTenant(slug: string) {
	const { data } = await client.tenant.list({ query: { search: slug } });
	return data && { first: data[0], total: data.total };
}

export const disable = () =>
	client.tenant.oauthConfig.update({ providerId: "google", enabled: false });
