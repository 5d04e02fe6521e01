export {
	findCurrentTenantId,
	getCurrentTenantId,
	runAcrossTenants,
	runInTenant,
	runOnPlatform,
} from "./call/context/current-scope";
export {
	type CustomDomainOptions,
	type HostResolution,
	type TenantHosts,
	type TenantHostsOptions,
	type TenantResolution,
	tenantHosts,
} from "./call/context/tenant-hosts";
export type { SignInMethod } from "./call/foreign/sign-in-methods";
export type { PolicyChanges, TenantPolicy } from "./call/policy/tenant-policy";
export type {
	BuiltOwnProvider,
	OwnProviderClient,
	OwnProviderConfig,
	OwnProviders,
	SavedOwnProvider,
} from "./call/port/own-providers";
export {
	type AcceptedUser,
	type ActionName,
	type Admission,
	type ChangeFacts,
	type CleanUp,
	type CustomHosts,
	type DispatchedEvent,
	defineTenantPlugin,
	type FeatureEvent,
	type FeatureSecret,
	type Grant,
	type LoggedRow,
	type NewSession,
	type ProviderResponse,
	type SessionStage,
	type SignInEvent,
	type SignInRecorder,
	type SocialFlowStage,
	type StoredPassword,
	type TenantAction,
	type TenantPart,
	type TenantPlugin,
	type TenantRecord,
	type TransactionListener,
} from "./call/port/tenant-plugin";
export type { EncryptionState } from "./database/encrypted-values";
export { TENANT_AUTH_ERROR_CODES } from "./error-codes";
export type { CurrentTenant } from "./features/endpoints/current-tenant";
export type { DefinedEndpoint } from "./features/endpoints/define";
export type { ListPart } from "./features/endpoints/lists";
export type { TenantPermissions } from "./features/endpoints/permissions";
export { withoutTenantPrefix } from "./isolation/tenant-prefix";
export {
	type AuditedChange,
	type ManagedTenant,
	manageTenant,
} from "./management/access/manage-tenant";
export type { ReachableUser } from "./management/access/reachable-user";
export { type TenantRole, type TenantRoles, tenantAccess } from "./management/access/roles";
export { type TenantClaims, tenantClaims } from "./management/access/token-claims";
export { type AppEvent, recordAppEvent } from "./management/audit/app-events";
export type { Actor, AuditEvent } from "./management/audit/audit-event";
export { pruneAuditEvents } from "./management/audit/prune-audit-events";
export type {
	TenantEvent,
	TenantEventData,
	TenantEventType,
} from "./management/events/event-types";
export type {
	BuiltInProviderId,
	TenantOAuthConfig,
	TenantProviderId,
} from "./management/oauth-clients/config";
export type { EffectiveProvider } from "./management/oauth-clients/effective-providers";
export {
	type InspectedCredentials,
	inspectCredentials,
} from "./management/oauth-clients/inspect-credentials";
export { setMappedRole } from "./management/oauth-clients/mapped-role";
export { inspectStoredSecrets, type StoredSecret } from "./management/secrets/inspect";
export {
	type ReencryptedTable,
	type ReencryptOptions,
	type ReencryptProgress,
	type ReencryptReport,
	reencryptStoredSecrets,
} from "./management/secrets/reencrypt";
export { getCurrentTenant, withTenant } from "./management/tenants/current-tenant";
export { setDatabaseTenant, TENANT_SETTING } from "./management/tenants/row-level-security";
export type { Tenant, TenantMetadata, TenantWith, WithTenant } from "./management/tenants/tenant";
export { updateTenantBranding } from "./management/tenants/update-branding";
export { type CleanUpOptions, type CleanUpReport, cleanUp } from "./management/users/clean-up";
export {
	type Directory,
	type DirectoryUsers,
	manageAsDirectory,
} from "./management/users/directory";
export type { TenantUser } from "./management/users/managed-users";
export type { TenantSession } from "./management/users/session-store";
export { type TenantAuthPlugin, tenantAuth } from "./plugin";
export type { CoreAction, ManagementAction } from "./routes";
export type {
	AuditOptions,
	ManagementCaller,
	OAuthGrantOptions,
	PasswordQueueOptions,
	TenantAuthOptions,
} from "./tenant-auth-options";
