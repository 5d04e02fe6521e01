import { defineTenantPlugin } from "better-auth-tenant";
import type { Access } from "../../operators/access";
import { MAIL_TEMPLATE_ACTIONS } from "../../tenant-actions";
import { templateEndpoints } from "./endpoints";
import { ofService, ofTenant } from "./managed-templates";
import { templateSchema } from "./template-store";
import type { TestEmailParts } from "./test-email";

/** The texts of mails, which a tenant or the service can change. */
export const mailTemplates = (access: Access, testEmails: TestEmailParts) => {
	const tenant = templateEndpoints("/tenant/mail-template", "of a tenant", ofTenant, testEmails);
	const service = templateEndpoints(
		"/operator/mail-template",
		"for all tenants",
		ofService(access),
		testEmails,
	);
	return defineTenantPlugin({
		id: "mail-templates",
		schema: templateSchema,
		endpoints: {
			listTenantMailTemplates: tenant.list,
			getTenantMailTemplate: tenant.get,
			setTenantMailTemplate: tenant.set,
			resetTenantMailTemplate: tenant.reset,
			previewTenantMailTemplate: tenant.preview,
			sendTenantMailTest: tenant.sendTest,
			listMailTemplates: service.list,
			getMailTemplate: service.get,
			setMailTemplate: service.set,
			resetMailTemplate: service.reset,
			previewMailTemplate: service.preview,
			sendMailTest: service.sendTest,
		},
		tenant: { actions: MAIL_TEMPLATE_ACTIONS },
	});
};
