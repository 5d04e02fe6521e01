export type { MoveConflict } from "./conflicts";
export type { TenantImportEvent } from "./event-types";
export type { ImportedUser, ImportResult } from "./import-line";
export { type ImportUsersOptions, importUsers } from "./import-stream";
export { checkImportedUsers } from "./import-users";
export type { MoveReport } from "./move";
export {
	type MovedMember,
	type OrganizationToTenantOptions,
	type OrganizationToTenantReport,
	organizationToTenant,
} from "./organization-to-tenant";
export { type ImportAction, type TenantImportsOptions, tenantImports } from "./plugin";
