export { type AppEvent, recordAppEvent } from "./audit/app-events";
export type { Actor, AuditEvent } from "./audit/audit-event";
export { pruneAuditEvents } from "./audit/retention";
export {
	findCurrentTenantId,
	getCurrentTenantId,
	runAcrossTenants,
	runInTenant,
	runOnPlatform,
} from "./context/current-tenant";
export {
	type CustomDomainOptions,
	type HostResolution,
	type TenantHosts,
	type TenantHostsOptions,
	type TenantResolution,
	tenantHosts,
} from "./context/tenant-hosts";
export type { EncryptionState } from "./database/encrypted-values";
export type { CurrentTenant } from "./endpoints/current-tenant";
export type { DefinedEndpoint } from "./endpoints/define";
export type { ListPart } from "./endpoints/lists";
export type { TenantPermissions } from "./endpoints/permissions";
export { TENANT_AUTH_ERROR_CODES } from "./error-codes";
export type { TenantEvent, TenantEventData, TenantEventType } from "./events/event-types";
export type { SignInMethod } from "./foreign/sign-in-methods";
export { type AuditedChange, type ManagedTenant, manageTenant } from "./management/manage-tenant";
export type { ReachableUser } from "./management/reachable-user";
export { type TenantRole, type TenantRoles, tenantAccess } from "./management/roles";
export type {
	BuiltInProviderId,
	TenantOAuthConfig,
	TenantProviderId,
} from "./oauth-clients/config";
export type { EffectiveProvider } from "./oauth-clients/effective-providers";
export { type InspectedCredentials, inspectCredentials } from "./oauth-clients/inspect-credentials";
export { tenantAuth } from "./plugin";
export type { PolicyChanges, TenantPolicy } from "./policy/tenant-policy";
export type {
	BuiltOwnProvider,
	OwnProviderClient,
	OwnProviderConfig,
	OwnProviders,
	SavedOwnProvider,
} from "./port/own-providers";
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
	type NewSession,
	type ProviderResponse,
	type SessionStage,
	type SignInEvent,
	type SignInRecorder,
	type TenantAction,
	type TenantPart,
	type TenantPlugin,
	type TenantRecord,
	type TransactionListener,
} from "./port/tenant-plugin";
export type { CoreAction, ManagementAction } from "./routes";
export { inspectStoredSecrets, type StoredSecret } from "./secrets/inspect";
export {
	type ReencryptedTable,
	type ReencryptOptions,
	type ReencryptProgress,
	type ReencryptReport,
	reencryptStoredSecrets,
} from "./secrets/reencrypt";
export type {
	AuditOptions,
	ManagementCaller,
	OAuthGrantOptions,
	PasswordHash,
	PasswordQueueOptions,
	TenantAuthOptions,
} from "./tenant-auth-options";
export { getCurrentTenant, withTenant } from "./tenants/current-tenant";
export { updateTenantBranding } from "./tenants/own-tenant";
export { setDatabaseTenant, TENANT_SETTING } from "./tenants/row-level-security";
export type { Tenant, TenantMetadata, TenantWith, WithTenant } from "./tenants/tenant";
export { type CleanUpOptions, type CleanUpReport, cleanUp } from "./users/clean-up";
export type { TenantUser } from "./users/managed-users";
export type { TenantSession } from "./users/session-store";
