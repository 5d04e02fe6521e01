import type { BetterAuthPluginDBSchema } from "@better-auth/core/db";
import { renamed, type SchemaNames, text } from "../../columns";

const createSchema = () =>
	({
		/** The id of an imported user in the system that they come from. */
		tenantImportedUser: {
			fields: {
				tenantId: { ...text },
				externalId: { ...text },
				userId: {
					...text,
					index: true,
					references: { model: "user", field: "id", onDelete: "cascade" },
				},
			},
			indexes: [{ fields: ["tenantId", "externalId"], unique: true }],
		},
	}) satisfies BetterAuthPluginDBSchema;

type ImportSchema = ReturnType<typeof createSchema>;

/** Other names for the table and the columns of imports. */
export type TenantImportsSchemaNames = SchemaNames<ImportSchema>;

/** Each instance has its own copy. */
export const importSchema = (names?: TenantImportsSchemaNames): ImportSchema =>
	renamed("tenantImports", createSchema(), names);
