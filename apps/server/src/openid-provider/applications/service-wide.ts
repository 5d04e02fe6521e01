import type { OAuthProviderExtension } from "@better-auth/oauth-provider";
import { getCurrentTenant } from "better-auth-tenant";
import { serviceClients } from "./store";
import { forTenant } from "./tenant-placeholder";

type Client = Awaited<
	ReturnType<NonNullable<Exclude<OAuthProviderExtension["clientDiscovery"], unknown[]>>["resolve"]>
>;

/** It stores nothing, and keeps nothing between calls: it reads the row each time. */
export const SERVICE_WIDE_DISCOVERY = "service-wide-applications";

/**
 * Makes service-wide applications known in every tenant. The plugin asks here for a client that the tenant
 * does not have. Codes, tokens and consents are stored in the tenant, as those of its own applications.
 */
export const serviceWideApplications: OAuthProviderExtension = {
	clientDiscovery: {
		id: SERVICE_WIDE_DISCOVERY,
		matches: () => true,
		resolve: async (ctx, clientId, existing) => {
			const tenant = await getCurrentTenant();
			if (existing || !tenant) return null;
			const row = await serviceClients(ctx.context).find(clientId);
			return row && (forTenant(row, tenant.slug) as Client);
		},
	},
};
