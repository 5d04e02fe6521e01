import type { InstanceOptions } from "./instance";

/** Every table and many a column under a name of the host's own, the tables behind a prefix. */
export const hostNames = (): InstanceOptions => ({
	user: {
		modelName: "app_member",
		fields: { email: "email_address", emailVerified: "email_verified" },
	},
	session: { modelName: "app_login", fields: { userId: "member_id" } },
	account: {
		modelName: "app_identity",
		fields: { accountId: "account_id", providerId: "provider_id", userId: "member_id" },
	},
	verification: { modelName: "app_proof", fields: { identifier: "proof_of" } },
	tenants: {
		schema: {
			tenant: {
				modelName: "app_organization",
				fields: { slug: "handle", erasingSince: "erasing_since" },
			},
			tenantOauthConfig: {
				modelName: "app_client",
				fields: { tenantId: "organization_id", providerId: "provider_id", clientId: "client_id" },
			},
			tenantRow: {
				modelName: "app_row",
				fields: { model: "table_name", rowId: "row_id", tenantId: "organization_id" },
			},
			user: { fields: { tenantId: "organization_id", email: "email_address" } },
			session: { fields: { tenantId: "organization_id" } },
			account: { fields: { tenantId: "organization_id", oauthClient: "oauth_client" } },
			verification: { fields: { tenantId: "organization_id" } },
		},
	},
});
