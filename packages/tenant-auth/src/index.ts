export type { AuditEvent } from "./audit/audit-event";
export { TENANT_AUTH_ERROR_CODES } from "./error-codes";
export type { Actor } from "./management/actor";
export {
	type CredentialState,
	type InspectedCredentials,
	inspectCredentials,
} from "./oauth-configs/inspect-credentials";
export type { TenantOAuthConfig } from "./oauth-configs/oauth-config";
export {
	type ResealOptions,
	type ResealProgress,
	type ResealReport,
	resealCredentials,
} from "./oauth-configs/reseal";
export type { ManagementAction, TenantAuthOptions } from "./options";
export type { PasswordQueueOptions } from "./passwords/queue-options";
export { tenantAuth } from "./plugin";
export { getCurrentTenantId, runAcrossTenants, runInTenant } from "./scope/current-tenant";
export type { EffectiveProvider } from "./social/effective-providers";
export type { Tenant, TenantMetadata } from "./tenants/tenant";
export type { TenantSession } from "./users/tenant-session";
