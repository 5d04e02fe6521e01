import { defineTenantPlugin, type TenantRecord } from "better-auth-tenant";

const tenants = new Map([["login.acme.com", "acme"]]);

export const ownHosts = () =>
	defineTenantPlugin({
		id: "own-hosts",
		tenant: {
			hosts: {
				findTenant: async ({ adapter }, hostname) => {
					const slug = tenants.get(hostname);
					if (!slug) return null;
					const where = [{ field: "slug", value: slug }];
					return adapter.findOne<TenantRecord>({ model: "tenant", where });
				},
				findLinkHost: async () => null,
			},
		},
	});
