export { requiredFields } from "../../database/row-fields";
export {
	type AdoptConflict,
	type AdoptedTenant,
	type AdoptTenantsOptions,
	type AdoptTenantsReport,
	adoptTenants,
} from "./adopt-tenants";
export type { MoveConflict } from "./conflicts";
export type { TenantImportEvent } from "./event-types";
export type { ImportedUser } from "./import-line";
export type { ImportResult } from "./import-result";
export { type ImportUsersOptions, importUsers } from "./import-stream";
export { checkImportedUsers } from "./import-users";
export { importableFields } from "./line-fields";
export type { MoveReport } from "./move";
export type { PasswordHash, TenantImportsOptions } from "./options";
export {
	type MovedMember,
	type OrganizationToTenantOptions,
	type OrganizationToTenantReport,
	organizationToTenant,
} from "./organization-to-tenant";
export { type ImportAction, tenantImports } from "./plugin";
export { missingPluginFields } from "./plugin-fields";
export { decodeTotpSecret } from "./second-factor";
export { exportTenant } from "./tenant-file/export-tenant";
export {
	type ImportTenantOptions,
	type ImportTenantReport,
	importTenant,
} from "./tenant-file/import-tenant";
