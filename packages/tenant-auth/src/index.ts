export { TENANT_AUTH_ERROR_CODES } from "./error-codes";
export type { TenantOAuthConfig } from "./oauth-configs/oauth-config";
export type { ManagementAction, TenantAuthOptions } from "./options";
export { tenantAuth } from "./plugin";
export type { Tenant, TenantMetadata } from "./tenants/tenant";
