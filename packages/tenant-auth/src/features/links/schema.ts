import type { BetterAuthPluginDBSchema } from "@better-auth/core/db";
import { ofTenant, renamed, type SchemaNames, text, timestamp } from "../../columns";

const createSchema = () =>
	({
		/** One row per session that may take part in a switch. Nothing in it leads to another row. */
		tenantLink: {
			fields: {
				tenantId: { ...ofTenant, index: true },
				userId: {
					...text,
					index: true,
					references: { model: "user", field: "id", onDelete: "cascade" },
				},
				/** Of the browser's secret, the tenant and the session: only this browser can find the row. */
				digest: { ...text, unique: true, returned: false },
				createdAt: { ...timestamp },
				usedAt: { ...timestamp },
				expiresAt: { type: "date", required: true },
			},
		},
		/** Whether a tenant allows links. Without a row, it does not. */
		tenantLinkSetting: {
			fields: {
				tenantId: { ...ofTenant, unique: true },
				allowed: { type: "boolean", required: true },
			},
		},
	}) satisfies BetterAuthPluginDBSchema;

type LinkSchema = ReturnType<typeof createSchema>;

/** Other names for the tables and the columns of linked users. */
export type TenantLinksSchemaNames = SchemaNames<LinkSchema>;

/** Each instance has its own copy. */
export const linkTables = (names?: TenantLinksSchemaNames): LinkSchema =>
	renamed("tenantLinks", createSchema(), names);
