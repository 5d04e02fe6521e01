import { type ChangeFacts, defineTenantPlugin } from "../../call/port/tenant-plugin";
import { TENANT_IMPORTS_ERROR_CODES } from "./error-codes";
import { IMPORT_EVENTS } from "./event-types";
import { importTenantUsers } from "./import-endpoint";
import { verifyImported } from "./imported-passwords";
import { moveTenantUsers } from "./move-endpoint";
import { checkOptions, IMPORTS_PLUGIN, type TenantImportsOptions } from "./options";
import { importSchema } from "./schema";

declare module "@better-auth/core" {
	interface BetterAuthPluginRegistry<AuthOptions, Options> {
		"tenant-auth-imports": { creator: typeof tenantImports };
	}
}

const countOf = (value: unknown) => (typeof value === "number" ? value : 0);

const IMPORT_ACTIONS = {
	"user:import": {
		grant: "app",
		event: ({ detail }: ChangeFacts) => ({
			type: "user.imported" as const,
			data: { created: countOf(detail.created), updated: countOf(detail.updated) },
		}),
	},
	"user:move": {
		grant: "app",
		event: ({ targetId }: ChangeFacts) => ({
			type: "user.moved" as const,
			data: { userId: targetId },
		}),
	},
} as const;

/** What callers may do with users of other systems, and of the platform. */
export type ImportAction = keyof typeof IMPORT_ACTIONS;

/**
 * Brings users into tenants: from other systems with their password hashes, from the platform, and from
 * organizations of Better Auth. Apps without such users do not need it.
 *
 * @example
 * ```ts
 * betterAuth({ plugins: [tenantAuth(), tenantImports()] });
 * ```
 */
export const tenantImports = (options: TenantImportsOptions = {}) => {
	checkOptions(options);
	return defineTenantPlugin({
		id: IMPORTS_PLUGIN,
		schema: importSchema(options.schema),
		endpoints: { importTenantUsers, moveTenantUsers },
		tenant: {
			requires: ["tenant-auth"],
			creator: "tenantImports",
			actions: IMPORT_ACTIONS,
			events: IMPORT_EVENTS,
			tables: { tenantImportedUser: "explicit" },
			verifyPassword: verifyImported,
		},
		options,
		$ERROR_CODES: TENANT_IMPORTS_ERROR_CODES,
	});
};
