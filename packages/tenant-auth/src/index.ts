export type { AuditEvent } from "./audit/audit-event";
export { getCurrentTenantId, runAcrossTenants, runInTenant } from "./context/current-tenant";
export { TENANT_AUTH_ERROR_CODES } from "./error-codes";
export type { Actor } from "./management/actor";
export type { TenantOAuthConfig } from "./oauth-clients/config";
export type { EffectiveProvider } from "./oauth-clients/effective-providers";
export {
	type CredentialState,
	type InspectedCredentials,
	inspectCredentials,
} from "./oauth-clients/inspect-credentials";
export {
	type ResealOptions,
	type ResealProgress,
	type ResealReport,
	resealCredentials,
} from "./oauth-clients/reencrypt";
export type { TenantAuthOptions } from "./options";
export type { PasswordQueueOptions } from "./password-queue-options";
export { tenantAuth } from "./plugin";
export type { ManagementAction } from "./routes";
export type { Tenant, TenantMetadata, WithTenant } from "./tenants/tenant";
export type { TenantSession } from "./users/tenant-session";
