export { TENANT_AUTH_ERROR_CODES } from "./error-codes";
export type { TenantOAuthConfig } from "./oauth-configs/oauth-config";
export type { ManagementAction, TenantAuthOptions } from "./options";
export type { PasswordQueueOptions } from "./passwords/queue-options";
export { tenantAuth } from "./plugin";
export { getCurrentTenantId, runAcrossTenants, runInTenant } from "./scope/current-tenant";
export type { Tenant, TenantMetadata } from "./tenants/tenant";
