import type { BetterAuthPlugin } from "better-auth";
import type { Access } from "../../operators/access";
import { templateEndpoints } from "./endpoints";
import { ofService, ofTenant } from "./managed-templates";
import { templateSchema } from "./template-store";

/** The texts of mails, which a tenant or the service can change. */
export const mailTemplates = (access: Access) => {
	const tenant = templateEndpoints("/tenant/mail-template", "of a tenant", ofTenant);
	const service = templateEndpoints(
		"/operator/mail-template",
		"for all tenants",
		ofService(access),
	);
	return {
		id: "mail-templates",
		schema: templateSchema,
		endpoints: {
			listTenantMailTemplates: tenant.list,
			getTenantMailTemplate: tenant.get,
			setTenantMailTemplate: tenant.set,
			resetTenantMailTemplate: tenant.reset,
			previewTenantMailTemplate: tenant.preview,
			listMailTemplates: service.list,
			getMailTemplate: service.get,
			setMailTemplate: service.set,
			resetMailTemplate: service.reset,
			previewMailTemplate: service.preview,
		},
	} satisfies BetterAuthPlugin;
};
