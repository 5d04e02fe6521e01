// better-auth-tenant

type Actor = z.output<typeof actorSchema>;
type Admission = {
    refusal: null;
    release: () => void;
} | {
    refusal: Refusal;
};
interface AppEvent {
    action: AppEventAction;
    actor: Actor;
    tenantId?: string | undefined;
    targetId?: string | undefined;
    detail?: Record<string, unknown> | undefined;
}
type AuditEvent = z.output<typeof auditEventSchema>;
interface AuditOptions {
    retentionDays?: number;
}
interface AuditedChange {
    targetId?: string;
    detail?: Record<string, unknown>;
}
type BuiltInProviderId = keyof typeof socialProviders;
interface CleanUpOptions {
    signal?: AbortSignal;
}
interface CleanUpReport {
    sessions: number;
    verifications: number;
    invitations: number;
    auditEvents: number;
    signIns: number;
    webhookDeliveries: number;
}
type CredentialState = "current" | "outdated" | "unreadable";
type CurrentTenant = z.output<typeof answer$1>;
interface CustomDomainOptions {
    appProviders?: boolean;
}
interface DeliverWebhooksOptions {
    limit?: number;
    concurrency?: number;
    timeout?: number;
    signal?: AbortSignal;
}
interface DeliverWebhooksReport {
    delivered: number;
    failed: number;
    disabled: number;
}
interface DomainOptions {
    resolveTxt?: (name: string) => Promise<string[][]>;
    graceDays?: number;
    isPublicSuffix?: (host: string) => boolean;
}
type DomainPurpose = (typeof DOMAIN_PURPOSES)[number];
type EffectiveProvider = z.output<typeof effectiveProviderSchema>;
type HostAnswer = TenantAnswer | {
    hostname: string;
};
type ImportResult = z.output<typeof importResultSchema>;
interface ImportUsersOptions {
    tenantId: string;
    lines: Iterable<ImportedUser | string> | AsyncIterable<ImportedUser | string>;
}
type ImportedUser = z.input<typeof importLineSchema>;
interface InspectedCredentials {
    tenantId: string;
    providerId: string;
    enabled: boolean;
    options: ProviderSettings | null;
    state: CredentialState;
}
interface InvitationEmail {
    invitation: TenantInvitation;
    tenant: Tenant;
    url: string;
    token: string;
}
interface Load {
    running: number;
    waiting: number;
    limit: number;
    delayMs: number;
}
interface LoadShedder {
    admit(source: RequestSource): Promise<Admission>;
    readonly load: Readonly<Load>;
}
interface LoadShedderOptions {
    maxRunning?: number;
    maxWaitMs?: number;
    maxWaiting?: number;
}
interface ManagedTenant {
    readonly tenantId: string;
    read<T>(work: () => Promise<T>): Promise<T>;
    change<T>(work: () => Promise<T>, describe: (result: T) => AuditedChange): Promise<T>;
}
type ManagementAction = Routes[ManagementRouteName]["action"] | (typeof APP_ACTIONS)[number];
interface ManagementCaller {
    actor: {
        kind: "administrator" | "key";
        id: string;
        name?: string | undefined;
    };
}
type MoveConflict = z.output<typeof conflictSchema>;
type MoveReport = z.output<typeof moveReportSchema>;
interface MovedMember {
    userId: string;
    role: string;
    tenantRole: TenantRole;
    outcome: "move" | "refuse" | "copy" | "skip";
    alsoIn: string[];
}
interface OrganizationToTenantOptions {
    organizationId: string;
    tenant?: {
        id?: string;
        name?: string;
        slug?: string;
    };
    inSeveral?: "refuse" | "copy" | "skip";
    dryRun?: boolean;
}
interface OrganizationToTenantReport extends MoveReport {
    tenant: {
        id: string | null;
        name: string;
        slug: string;
        metadata: TenantMetadata;
    };
    members: MovedMember[];
    pendingInvitations: {
        id: string;
        email: string;
        role: string | null;
        expiresAt: Date;
    }[];
}
interface PasswordHash {
    verify: (input: {
        hash: string;
        password: string;
    }) => Awaitable<boolean>;
}
interface PasswordQueueOptions {
    concurrency?: number;
    maxWaitingPerTenant?: number;
    maxWaiting?: number;
}
type PolicyChanges = z.output<typeof policyChangesSchema>;
interface RecheckOptions {
    signal?: AbortSignal;
}
interface RecheckReport {
    checked: number;
    missing: number;
    lost: number;
    failed: number;
}
interface ReencryptOptions {
    onProgress?: (progress: ReencryptProgress) => void;
}
interface ReencryptProgress {
    done: number;
    total: number;
    reencrypted: number;
}
interface ReencryptReport extends ReencryptProgress {
    unreadable: {
        tenantId: string;
        providerId: string;
    }[];
}
interface ReencryptWebhooksReport {
    total: number;
    reencrypted: number;
    unreadable: {
        tenantId: string;
        webhookId: string;
    }[];
}
interface Refusal {
    status: 429 | 503;
    code: "TOO_MANY_CONCURRENT_REQUESTS" | "SERVER_OVERLOADED";
    message: string;
    retryAfterSeconds: number;
}
interface RequestSource {
    tenant: string | null;
    address: string | null;
    signal?: AbortSignal;
}
interface SignInLogOptions {
    retentionDays?: number;
}
type SignInMethod = keyof typeof METHODS;
declare const TENANT_AUTH_ERROR_CODES: {
    TOO_MANY_REQUESTS: RawError<"TOO_MANY_REQUESTS">;
    TENANT_ID_REQUIRED: RawError<"TENANT_ID_REQUIRED">;
    TENANT_NOT_FOUND: RawError<"TENANT_NOT_FOUND">;
    TENANT_NOT_DELETED: RawError<"TENANT_NOT_DELETED">;
    TENANT_ALREADY_EXISTS: RawError<"TENANT_ALREADY_EXISTS">;
    INVALID_SLUG: RawError<"INVALID_SLUG">;
    SLUG_RESERVED: RawError<"SLUG_RESERVED">;
    TENANT_MANAGEMENT_NOT_ALLOWED: RawError<"TENANT_MANAGEMENT_NOT_ALLOWED">;
    ROLE_NOT_FOUND: RawError<"ROLE_NOT_FOUND">;
    ROLE_NOT_ALLOWED: RawError<"ROLE_NOT_ALLOWED">;
    LAST_OWNER: RawError<"LAST_OWNER">;
    USER_DISABLED: RawError<"USER_DISABLED">;
    USER_NOT_SAVED: RawError<"USER_NOT_SAVED">;
    PROVIDER_NOT_FOUND: RawError<"PROVIDER_NOT_FOUND">;
    UNSUPPORTED_PROVIDER: RawError<"UNSUPPORTED_PROVIDER">;
    INVALID_PROVIDER_OPTIONS: RawError<"INVALID_PROVIDER_OPTIONS">;
    TOO_MANY_OWN_PROVIDERS: RawError<"TOO_MANY_OWN_PROVIDERS">;
    PROVIDER_UNAVAILABLE: RawError<"PROVIDER_UNAVAILABLE">;
    OAUTH_CONFIG_NOT_FOUND: RawError<"OAUTH_CONFIG_NOT_FOUND">;
    INVALID_DOMAIN: RawError<"INVALID_DOMAIN">;
    DOMAIN_NOT_FOUND: RawError<"DOMAIN_NOT_FOUND">;
    DOMAIN_ALREADY_ADDED: RawError<"DOMAIN_ALREADY_ADDED">;
    TOO_MANY_DOMAINS: RawError<"TOO_MANY_DOMAINS">;
    DOMAIN_TAKEN: RawError<"DOMAIN_TAKEN">;
    DOMAIN_NOT_VERIFIED: RawError<"DOMAIN_NOT_VERIFIED">;
    DNS_RECORD_NOT_FOUND: RawError<"DNS_RECORD_NOT_FOUND">;
    DNS_UNAVAILABLE: RawError<"DNS_UNAVAILABLE">;
    CROSS_TENANT_QUERY: RawError<"CROSS_TENANT_QUERY">;
    OAUTH_CLIENT_CHANGED: RawError<"OAUTH_CLIENT_CHANGED">;
    TENANT_SUSPENDED: RawError<"TENANT_SUSPENDED">;
    SIGN_UP_NOT_ALLOWED: RawError<"SIGN_UP_NOT_ALLOWED">;
    INVITATION_REQUIRED: RawError<"INVITATION_REQUIRED">;
    EMAIL_DOMAIN_NOT_ALLOWED: RawError<"EMAIL_DOMAIN_NOT_ALLOWED">;
    SIGN_IN_METHOD_NOT_ALLOWED: RawError<"SIGN_IN_METHOD_NOT_ALLOWED">;
    SECOND_FACTOR_REQUIRED: RawError<"SECOND_FACTOR_REQUIRED">;
    PASSWORD_COMPROMISED: RawError<"PASSWORD_COMPROMISED">;
    PASSWORD_CHECK_UNAVAILABLE: RawError<"PASSWORD_CHECK_UNAVAILABLE">;
    POLICY_NOT_ALLOWED: RawError<"POLICY_NOT_ALLOWED">;
    INVALID_POLICY: RawError<"INVALID_POLICY">;
    TENANT_MISMATCH: RawError<"TENANT_MISMATCH">;
    USER_NOT_DELETED: RawError<"USER_NOT_DELETED">;
    MOVE_REFUSED: RawError<"MOVE_REFUSED">;
    IMPORT_TOO_LARGE: RawError<"IMPORT_TOO_LARGE">;
    ORGANIZATION_NOT_FOUND: RawError<"ORGANIZATION_NOT_FOUND">;
    TRANSACTION_REQUIRED: RawError<"TRANSACTION_REQUIRED">;
    SESSION_NOT_FOUND: RawError<"SESSION_NOT_FOUND">;
    SESSIONS_NOT_LISTED: RawError<"SESSIONS_NOT_LISTED">;
    INVITATION_NOT_FOUND: RawError<"INVITATION_NOT_FOUND">;
    SIGN_IN_LINK_NOT_ALLOWED: RawError<"SIGN_IN_LINK_NOT_ALLOWED">;
    INVALID_CURSOR: RawError<"INVALID_CURSOR">;
    STORAGE_UNAVAILABLE: RawError<"STORAGE_UNAVAILABLE">;
    WRITE_CONFLICT: RawError<"WRITE_CONFLICT">;
    PASSWORD_QUEUE_FULL: RawError<"PASSWORD_QUEUE_FULL">;
    WEBHOOK_NOT_FOUND: RawError<"WEBHOOK_NOT_FOUND">;
    WEBHOOK_DELIVERY_NOT_FOUND: RawError<"WEBHOOK_DELIVERY_NOT_FOUND">;
    TOO_MANY_WEBHOOKS: RawError<"TOO_MANY_WEBHOOKS">;
    OAUTH_CREDENTIAL_DECRYPT_FAILED: RawError<"OAUTH_CREDENTIAL_DECRYPT_FAILED">;
};
declare const TENANT_SETTING = "app.tenant_id";
type Tenant = z.output<typeof tenantSchema>;
type TenantAnswer = string | {
    slug: string;
} | false | null | undefined;
interface TenantAuthOptions<Metadata extends object = object> {
    hosts?: TenantHosts;
    resolveTenantId?: (ctx: GenericEndpointContext) => Awaitable<TenantAnswer>;
    tenantHeader?: string;
    canManageTenants?: (ctx: GenericEndpointContext, request: {
        action: ManagementAction;
        tenantId: string | null;
    }) => Awaitable<boolean | ManagementCaller>;
    managementKeys?: string[];
    adminUserIds?: string[];
    adminRoles?: string[];
    roles?: TenantRoles;
    allowPrivateProviderHosts?: boolean;
    reservedSlugs?: readonly string[];
    metadata?: StandardSchema<Metadata>;
    maxMetadataBytes?: number;
    audit?: AuditOptions;
    isBreachedPassword?: (password: string) => Awaitable<boolean>;
    limitPolicy?: (policy: TenantPolicy, tenant: {
        tenantId: string;
    }) => Awaitable<string | undefined>;
    onEvent?: OnEvent;
    signInLog?: SignInLogOptions;
    webhooks?: WebhookOptions;
    domains?: DomainOptions;
    sharedTables?: string[];
    signingKeysPerTenant?: boolean;
    checkedPlugins?: string[];
    passwordQueue?: PasswordQueueOptions | false;
    sendInvitation?: (email: InvitationEmail, request?: Request) => Awaitable<void>;
    passwordHashes?: Readonly<Record<string, PasswordHash>>;
    schema?: TenantAuthSchemaNames;
}
type TenantDomain = z.output<typeof domainSchema>;
type TenantEvent = NewEvent & {
    id: string;
    tenantId: string;
    createdAt: Date;
};
type TenantEventData<Type extends TenantEventType> = z.output<(typeof EVENT_TYPES)[Type]["data"]>;
type TenantEventType = keyof typeof EVENT_TYPES;
interface TenantHosts {
    readonly baseURL: {
        allowedHosts: string[];
        protocol: "http" | "https";
        fallback: string;
    };
    readonly reservedSlugs: readonly string[];
    originOf(slug: string): string;
    slugOf(host: string): string | null;
    isPlatformHost(host: string): boolean;
    isOwnHost(hostname: string): boolean;
    readonly customDomains: boolean;
    admitsAppProviders(hostname: string): boolean;
    originOfDomain(hostname: string): string;
    resolve(host: string): HostAnswer | Promise<HostAnswer>;
    normalize(host: string): string | null;
}
interface TenantHostsOptions {
    domain: string;
    platformHosts?: string[];
    protocol?: "http" | "https";
    customDomains?: boolean | CustomDomainOptions;
    findTenant?: (hostname: string) => TenantAnswer | Promise<TenantAnswer>;
}
type TenantInvitation = z.output<typeof invitationSchema>;
type TenantMetadata = z.output<typeof storedMetadata>;
type TenantOAuthConfig = z.output<typeof oauthConfigSchema>;
type TenantPermissions = z.output<typeof answer>;
type TenantPolicy = z.output<typeof policySchema>;
type TenantProviderId = BuiltInProviderId | OwnProviderId;
interface TenantRole {
    readonly statements: Readonly<Record<string, readonly string[]>>;
}
type TenantRoles = Readonly<Record<string, TenantRole>>;
type TenantSession = z.output<typeof tenantSessionSchema>;
type TenantSignIn = z.output<typeof signInSchema>;
interface TenantUser extends User {
    tenantId: string;
    tenantRole?: string | null;
    disabledAt?: Date | null;
}
type TenantWebhook = z.output<typeof webhookSchema>;
type TenantWith<Metadata> = TenantMetadata extends Metadata ? Tenant : Omit<Tenant, "metadata"> & {
    metadata: Metadata | null;
};
type WebhookDelivery = z.output<typeof deliverySchema>;
interface WebhookOptions {
    retentionDays?: number;
}
type WithTenant<T> = T & {
    tenant: Tenant | null;
};
declare function cleanUp(auth: AnyAuth, { signal }?: CleanUpOptions): Promise<CleanUpReport>;
declare function createLoadShedder({ maxRunning, maxWaitMs, maxWaiting }?: LoadShedderOptions): LoadShedder;
declare function deliverWebhooks(auth: AnyAuth, { limit, concurrency, timeout, signal }?: DeliverWebhooksOptions): Promise<DeliverWebhooksReport>;
declare function fastHandler(auth: Auth): (request: Request) => Promise<Response>;
declare function getCurrentTenant<Metadata extends object = TenantMetadata>(): Promise<TenantWith<Metadata> | null>;
declare function getCurrentTenantId(): Promise<string | null>;
declare function importUsers(auth: ImportingAuth, { tenantId, lines }: ImportUsersOptions): AsyncGenerator<ImportResult>;
declare function inspectCredentials(auth: AnyAuth): AsyncGenerator<InspectedCredentials>;
declare function manageTenant(ctx: GenericEndpointContext, action: (typeof APP_ACTIONS)[number] | "tenant:update"): Promise<ManagedTenant>;
declare function organizationToTenant(auth: AnyAuth, { organizationId, tenant, inSeveral, dryRun }: OrganizationToTenantOptions): Promise<OrganizationToTenantReport>;
declare function pruneAuditEvents(auth: AnyAuth, { signal }?: {
    signal?: AbortSignal | undefined;
}): Promise<number>;
declare function recheckDomains(auth: AnyAuth, { signal }?: RecheckOptions): Promise<RecheckReport>;
declare function recordAppEvent(source: Source, event: AppEvent): Promise<void>;
declare function reencryptCredentials(auth: AnyAuth, { onProgress }?: ReencryptOptions): Promise<ReencryptReport>;
declare function reencryptWebhookSecrets(auth: AnyAuth): Promise<ReencryptWebhooksReport>;
declare function runAcrossTenants<T>(work: () => Promise<T>): Promise<T>;
declare function runInTenant<T>(auth: AnyAuth, tenantId: string, work: () => Promise<T>, { allowSuspended }?: RunInTenantOptions): Promise<T>;
declare function runOnPlatform<T>(work: () => Promise<T>): Promise<T>;
declare function setDatabaseTenant(query: (sql: string, values: string[]) => Promise<unknown>, tenantId?: string): Promise<void>;
declare const tenantAccess: {
    newRole<const TRoleStatements extends _$better_auth_client0.Statements>(statements: _$better_auth_client0.RoleInput<TenantStatements, TRoleStatements>): _$better_auth_client0.Role<_$better_auth_client0.ExactRoleStatements<TRoleStatements>, TenantStatements>;
    statements: TenantStatements;
};
declare const tenantAuth: <Metadata extends object = TenantMetadata>(options?: TenantAuthOptions<Metadata>) => SeeReference;
declare function tenantHosts(options: TenantHostsOptions): TenantHosts;
declare function updateTenantBranding(ctx: GenericEndpointContext, tenantId: string, changes: Branding): Promise<Tenant>;
declare function withTenant<Data extends object, Rest extends unknown[], Result>(callback: (data: WithTenant<Data>, ...rest: Rest) => Result | Promise<Result>): (data: Data, ...rest: Rest) => Promise<Result>;

// better-auth-tenant/client

interface TenantAuthClient<Metadata extends object = TenantMetadata> extends Pick<BetterAuthClientPlugin, "pathMethods" | "atomListeners" | "fetchPlugins"> {
    id: "tenant-auth";
    $InferServerPlugin: ReturnType<typeof tenantAuth<Metadata>>;
    getAtoms: (...input: Parameters<NonNullable<BetterAuthClientPlugin["getAtoms"]>>) => {
        tenant: AuthQueryAtom<CurrentTenant>;
    };
    getActions: NonNullable<BetterAuthClientPlugin["getActions"]>;
    $ERROR_CODES: typeof TENANT_AUTH_ERROR_CODES;
}
interface TenantAuthClientOptions {
    tenant?: TenantId | (() => TenantId | Promise<TenantId>);
    tenantHeader?: string;
}
declare const tenantAuthClient: <Metadata extends object = TenantMetadata>(options?: TenantAuthClientOptions) => TenantAuthClient<Metadata>;

// better-auth-tenant/conformance

interface CheckedEndpoint {
    name: string;
    path: string | null;
    calls: number;
    answers: Record<number, number>;
    inputNeverAccepted: boolean;
}
interface ConformanceAuth {
    handler: (request: Request) => Promise<Response>;
    api: object;
    $context: Promise<unknown>;
}
interface ConformanceOptions {
    skip?: Record<string, string>;
    only?: string[];
    nameTenant?: (request: Request, tenant: {
        id: string;
        slug: string;
    }) => Request;
    userFields?: Record<string, unknown>;
    prepare?: (tenant: TestTenant) => Promise<Record<string, string>>;
    network?: boolean;
}
interface IsolationReport {
    leaks: Leak[];
    endpoints: CheckedEndpoint[];
    skipped: {
        name: string;
        reason: string;
    }[];
    notes: string[];
}
interface Leak {
    endpoint: string;
    caller: string;
    call: string;
    what: string;
}
interface TestTenant {
    id: string;
    slug: string;
    userId: string;
    email: string;
    password: string;
    cookie: string;
}
declare function assertTenantIsolation(auth: ConformanceAuth, options?: ConformanceOptions): Promise<IsolationReport>;
declare function checkTenantIsolation(auth: ConformanceAuth, options?: ConformanceOptions): Promise<IsolationReport>;

// better-auth-tenant/providers

declare const MAPPED_CLAIMS: readonly [
    "email",
    "emailVerified",
    "name",
    "picture",
    "role"
];
declare const OWN_PROVIDER_PREFIX = "oidc:";
type OwnProviderId = `oidc:${string}`;
interface ProviderSetting {
    name: string;
    label: string;
    kind: "text" | "texts" | "flag" | "number" | "choice" | "url" | "host" | "map";
    required?: true;
    hint?: string;
    choices?: readonly (string | number)[];
    default?: string;
    pattern?: RegExp;
    maxLength?: number;
    mayBeText?: true;
    names?: readonly string[];
}
declare function acceptsSeveralClientIds(providerId: string): boolean;
declare function isClientSecretOptional(providerId: string, options?: Record<string, unknown> | null): boolean;
declare function isOwnProviderId(id: unknown): id is OwnProviderId;
declare function isValidSetting(setting: ProviderSetting, value: unknown): boolean;
declare function settingsOfProvider(providerId: string): readonly ProviderSetting[];

// better-auth-tenant/rules

declare const BRANDING_FIELDS: readonly [
    "logoUrl",
    "primaryColor",
    "tagline",
    "supportEmail"
];
declare const BRANDING_LIMITS: Readonly<Record<BrandingField, number>>;
interface Branding {
    logoUrl?: string;
    primaryColor?: string;
    tagline?: string;
    supportEmail?: string;
}
type BrandingField = keyof Branding;
declare const MAX_JSON_BYTES: number;
declare const MAX_NAME_LENGTH = 200;
declare const MAX_SLUG_LENGTH = 63;
declare const MIN_SLUG_LENGTH = 2;
declare const RESERVED_SLUGS: readonly string[];
declare const SLUG_PATTERN: RegExp;
interface SlugProblem {
    code: "INVALID_SLUG" | "SLUG_RESERVED";
    message: string;
}
declare function brandingOf(metadata: Record<string, unknown> | null): Branding;
declare function findBrandingProblem(field: BrandingField, value: unknown): string | null;
declare function findSlugProblem(slug: string, reserved?: readonly string[]): SlugProblem | null;

// better-auth-tenant/testing

interface TestTenant extends TestUser {
    tenant: Tenant;
    addUser(options?: TestUserOptions): Promise<TestUser>;
    remove(): Promise<void>;
}
interface TestTenantOptions extends TestUserOptions {
    slug?: string;
    metadata?: TenantMetadata;
}
interface TestUser {
    user: User & {
        tenantId: string;
    };
    session: Session & {
        tenantId: string;
    };
    headers: Headers;
}
interface TestUserOptions {
    email?: string;
    name?: string;
    fields?: Record<string, unknown>;
}
declare function createTestTenant(auth: AuthWithTenants, { slug, metadata, ...user }?: TestTenantOptions): Promise<TestTenant>;

// better-auth-tenant/upgrade

interface Statement {
    sql: string;
    reason: string;
}
interface UpgradePlan {
    database: DatabaseType;
    statements: Statement[];
    storageEntries: number;
    blockers: string[];
    notes: string[];
    run(): Promise<void>;
}
type UpgradeTarget = BetterAuthOptions | {
    options: BetterAuthOptions;
};
declare function planUpgrade(target: UpgradeTarget): Promise<UpgradePlan>;
declare function toSqlScript({ statements, storageEntries }: {
    statements: Statement[];
    storageEntries?: number;
}): string;

// not exported, but used above

declare const APP_ACTIONS: readonly [
    "application:create",
    "application:list",
    "application:get",
    "application:update",
    "application:rotate-secret",
    "application:delete",
    "mail-template:list",
    "mail-template:get",
    "mail-template:set",
    "mail-template:reset",
    "mail-template:preview"
];
interface AnyAuth {
    $context: Promise<object>;
}
type AppEventAction = `app:${string}`;
interface Auth {
    $context: Promise<object>;
    options: object;
}
interface AuthWithTenants extends AnyAuth {
    api: {
        createTenant(input: {
            body: {
                name: string;
                slug: string;
                metadata?: TenantMetadata;
            };
        }): Promise<Tenant>;
        deleteTenant(input: {
            body: {
                tenantId: string;
            };
        }): Promise<unknown>;
    };
}
type Awaitable<T> = T | Promise<T>;
declare const DOMAIN_PURPOSES: readonly [
    "login",
    "email"
];
type DatabaseType = "sqlite" | "postgres" | "mysql";
declare const EVENT_TYPES: {
    readonly "tenant.created": {
        description: string;
        data: z.ZodObject<{
            name: z.ZodString;
            slug: z.ZodString;
        }, z.core.$strip>;
    };
    readonly "tenant.updated": {
        description: string;
        data: z.ZodObject<{
            fields: z.ZodArray<z.ZodString>;
        }, z.core.$strip>;
    };
    readonly "tenant.suspended": {
        description: string;
        data: z.ZodObject<{}, z.core.$strip>;
    };
    readonly "tenant.resumed": {
        description: string;
        data: z.ZodObject<{}, z.core.$strip>;
    };
    readonly "tenant.deleted": {
        description: string;
        data: z.ZodObject<{}, z.core.$strip>;
    };
    readonly "user.created": {
        description: string;
        data: z.ZodObject<{
            userId: z.ZodString;
            email: z.ZodString;
            name: z.ZodString;
            emailVerified: z.ZodBoolean;
        }, z.core.$strip>;
    };
    readonly "user.updated": {
        description: string;
        data: z.ZodObject<{
            userId: z.ZodString;
            fields: z.ZodArray<z.ZodString>;
        }, z.core.$strip>;
    };
    readonly "user.password-changed": {
        description: string;
        data: z.ZodObject<{
            userId: z.ZodString;
        }, z.core.$strip>;
    };
    readonly "user.disabled": {
        description: string;
        data: z.ZodObject<{
            userId: z.ZodString;
        }, z.core.$strip>;
    };
    readonly "user.enabled": {
        description: string;
        data: z.ZodObject<{
            userId: z.ZodString;
        }, z.core.$strip>;
    };
    readonly "user.impersonated": {
        description: string;
        data: z.ZodObject<{
            userId: z.ZodString;
        }, z.core.$strip>;
    };
    readonly "user.moved": {
        description: string;
        data: z.ZodObject<{
            userId: z.ZodString;
        }, z.core.$strip>;
    };
    readonly "user.imported": {
        description: string;
        data: z.ZodObject<{
            created: z.ZodInt;
            updated: z.ZodInt;
        }, z.core.$strip>;
    };
    readonly "user.deleted": {
        description: string;
        data: z.ZodObject<{
            userId: z.ZodString;
        }, z.core.$strip>;
    };
    readonly "session.created": {
        description: string;
        data: z.ZodObject<{
            ipAddress: z.ZodNullable<z.ZodString>;
            userAgent: z.ZodNullable<z.ZodString>;
            sessionId: z.ZodString;
            userId: z.ZodString;
        }, z.core.$strip>;
    };
    readonly "session.revoked": {
        description: string;
        data: z.ZodObject<{
            sessionId: z.ZodString;
            userId: z.ZodString;
        }, z.core.$strip>;
    };
    readonly "account.linked": {
        description: string;
        data: z.ZodObject<{
            userId: z.ZodString;
            providerId: z.ZodString;
        }, z.core.$strip>;
    };
    readonly "account.unlinked": {
        description: string;
        data: z.ZodObject<{
            userId: z.ZodString;
            providerId: z.ZodString;
        }, z.core.$strip>;
    };
    readonly "sign-in.succeeded": {
        description: string;
        data: z.ZodObject<{
            ipAddress: z.ZodNullable<z.ZodString>;
            userAgent: z.ZodNullable<z.ZodString>;
            method: z.ZodString;
            providerId: z.ZodNullable<z.ZodString>;
            userId: z.ZodString;
        }, z.core.$strip>;
    };
    readonly "sign-in.challenged": {
        description: string;
        data: z.ZodObject<{
            ipAddress: z.ZodNullable<z.ZodString>;
            userAgent: z.ZodNullable<z.ZodString>;
            method: z.ZodString;
            providerId: z.ZodNullable<z.ZodString>;
            userId: z.ZodNullable<z.ZodString>;
        }, z.core.$strip>;
    };
    readonly "sign-in.failed": {
        description: string;
        data: z.ZodObject<{
            ipAddress: z.ZodNullable<z.ZodString>;
            userAgent: z.ZodNullable<z.ZodString>;
            method: z.ZodString;
            providerId: z.ZodNullable<z.ZodString>;
            userId: z.ZodNullable<z.ZodString>;
            reason: z.ZodString;
        }, z.core.$strip>;
    };
    readonly "oauth-config.registered": {
        description: string;
        data: z.ZodObject<{
            providerId: z.ZodString;
        }, z.core.$strip>;
    };
    readonly "oauth-config.updated": {
        description: string;
        data: z.ZodObject<{
            providerId: z.ZodString;
        }, z.core.$strip>;
    };
    readonly "oauth-config.deleted": {
        description: string;
        data: z.ZodObject<{
            providerId: z.ZodString;
        }, z.core.$strip>;
    };
    readonly "policy.updated": {
        description: string;
        data: z.ZodObject<{
            fields: z.ZodArray<z.ZodString>;
        }, z.core.$strip>;
    };
    readonly "domain.added": {
        description: string;
        data: z.ZodObject<{
            domain: z.ZodString;
        }, z.core.$strip>;
    };
    readonly "domain.verified": {
        description: string;
        data: z.ZodObject<{
            domain: z.ZodString;
        }, z.core.$strip>;
    };
    readonly "domain.updated": {
        description: string;
        data: z.ZodObject<{
            domain: z.ZodString;
        }, z.core.$strip>;
    };
    readonly "domain.removed": {
        description: string;
        data: z.ZodObject<{
            domain: z.ZodString;
        }, z.core.$strip>;
    };
    readonly "domain.lost": {
        description: string;
        data: z.ZodObject<{
            domain: z.ZodString;
        }, z.core.$strip>;
    };
    readonly "invitation.created": {
        description: string;
        data: z.ZodObject<{
            invitationId: z.ZodString;
        }, z.core.$strip>;
    };
    readonly "invitation.resent": {
        description: string;
        data: z.ZodObject<{
            invitationId: z.ZodString;
        }, z.core.$strip>;
    };
    readonly "invitation.revoked": {
        description: string;
        data: z.ZodObject<{
            invitationId: z.ZodString;
        }, z.core.$strip>;
    };
    readonly "invitation.accepted": {
        description: string;
        data: z.ZodObject<{
            invitationId: z.ZodString;
            userId: z.ZodString;
        }, z.core.$strip>;
    };
    readonly "webhook.created": {
        description: string;
        data: z.ZodObject<{
            webhookId: z.ZodString;
        }, z.core.$strip>;
    };
    readonly "webhook.updated": {
        description: string;
        data: z.ZodObject<{
            webhookId: z.ZodString;
        }, z.core.$strip>;
    };
    readonly "webhook.secret-rotated": {
        description: string;
        data: z.ZodObject<{
            webhookId: z.ZodString;
        }, z.core.$strip>;
    };
    readonly "webhook.disabled": {
        description: string;
        data: z.ZodObject<{
            webhookId: z.ZodString;
        }, z.core.$strip>;
    };
    readonly "webhook.deleted": {
        description: string;
        data: z.ZodObject<{
            webhookId: z.ZodString;
        }, z.core.$strip>;
    };
    readonly "webhook.ping": {
        description: string;
        data: z.ZodObject<{
            webhookId: z.ZodString;
        }, z.core.$strip>;
    };
};
declare const GRANTS: {
    readonly "tenant:create": "app";
    readonly "tenant:get": "owner";
    readonly "tenant:list": "app";
    readonly "tenant:update": "owner";
    readonly "tenant:delete": "app";
    readonly "tenant:suspend": "app";
    readonly "tenant:resume": "app";
    readonly "policy:get": "owner";
    readonly "policy:update": "owner";
    readonly "oauth-config:register": "owner";
    readonly "oauth-config:list": "owner";
    readonly "oauth-config:update": "owner";
    readonly "oauth-config:delete": "owner";
    readonly "oauth-config:effective": "owner";
    readonly "oauth-config:test": "owner";
    readonly "user:list": "owner";
    readonly "user:get": "owner";
    readonly "user:create": "owner";
    readonly "user:update": "owner";
    readonly "user:disable": "owner";
    readonly "user:enable": "owner";
    readonly "user:impersonate": "optional";
    readonly "user:delete": "owner";
    readonly "user:revoke-sessions": "owner";
    readonly "user:send-password-reset": "owner";
    readonly "user:remove-second-factor": "owner";
    readonly "user:sign-in-link": "app";
    readonly "user:import": "app";
    readonly "user:move": "app";
    readonly "invitation:create": "owner";
    readonly "invitation:list": "owner";
    readonly "invitation:resend": "owner";
    readonly "invitation:revoke": "owner";
    readonly "domain:add": "owner";
    readonly "domain:list": "owner";
    readonly "domain:verify": "owner";
    readonly "domain:update": "owner";
    readonly "domain:remove": "owner";
    readonly "webhook:create": "owner";
    readonly "webhook:list": "owner";
    readonly "webhook:update": "owner";
    readonly "webhook:rotate-secret": "owner";
    readonly "webhook:test": "owner";
    readonly "webhook:list-deliveries": "owner";
    readonly "webhook:replay-delivery": "owner";
    readonly "webhook:delete": "owner";
    readonly "application:create": "owner";
    readonly "application:list": "owner";
    readonly "application:get": "owner";
    readonly "application:update": "owner";
    readonly "application:rotate-secret": "owner";
    readonly "application:delete": "owner";
    readonly "mail-template:list": "owner";
    readonly "mail-template:get": "owner";
    readonly "mail-template:set": "owner";
    readonly "mail-template:reset": "owner";
    readonly "mail-template:preview": "owner";
    readonly "sign-in:list": "owner";
    readonly "session:list": "owner";
    readonly "session:revoke": "owner";
    readonly "audit:list": "owner";
    readonly "audit:erase": "app";
};
type GrantableAction = {
    [Action in ManagementAction]: (typeof GRANTS)[Action] extends "app" ? never : Action;
}[ManagementAction];
interface ImportingAuth {
    api: {
        importTenantUsers(call: {
            body: {
                tenantId: string;
                users: unknown[];
            };
        }): Promise<{
            results: ImportResult[];
        }>;
    };
}
interface Issue {
    readonly message: string;
    readonly path?: readonly (PropertyKey | {
        readonly key: PropertyKey;
    })[] | undefined;
}
declare const METHODS: {
    readonly password: null;
    readonly social: null;
    readonly "magic-link": "magic-link";
    readonly "email-otp": "email-otp";
    readonly "phone-number": "phone-number";
    readonly passkey: "passkey";
    readonly sso: "sso";
    readonly siwe: "siwe";
    readonly anonymous: "anonymous";
};
type ManagementRouteName = {
    [Name in RouteName]: Routes[Name] extends {
        action: string;
    } ? Name : never;
}[RouteName];
type NameOf<Action, Resource extends string> = Action extends `${Resource}:${infer Name}` ? Name : never;
type NewEvent = {
    [Type in TenantEventType]: {
        type: Type;
        data: TenantEventData<Type>;
    };
}[TenantEventType];
type OnEvent = (event: TenantEvent) => void | Promise<void>;
type OwnModel = "tenant" | "tenantOauthConfig" | "tenantDomain" | "tenantRow" | "tenantInvitation" | "tenantImportedUser" | "tenantAuditEvent" | "tenantWebhook" | "tenantWebhookDelivery" | "tenantSignIn";
type ProviderSettings = z.output<typeof storedSettings>;
declare const ROUTES: SeeReference;
type ResourceOf<Action> = Action extends `${infer Resource}:${string}` ? Resource : never;
type Result = {
    readonly value: unknown;
    readonly issues?: undefined;
} | {
    readonly issues: readonly Issue[];
};
type RouteName = keyof Routes;
type Routes = typeof ROUTES;
interface RunInTenantOptions {
    allowSuspended?: boolean;
}
type ServerAction = "webhook:disable" | "user:map-role";
type Source = {
    context: object;
} & Partial<Pick<GenericEndpointContext, "request" | "headers">>;
interface StandardSchema<Output> {
    readonly "~standard": {
        readonly validate: (value: unknown) => Result | Promise<Result>;
        readonly types?: {
            readonly output: Output;
        } | undefined;
    };
}
type TenantAuthSchema = ReturnType<typeof createSchema>;
type TenantAuthSchemaNames = {
    [Model in keyof TenantAuthSchema]?: {
        fields?: {
            [Field in keyof TenantAuthSchema[Model]["fields"]]?: string;
        };
    } & (Model extends OwnModel ? {
        modelName?: string;
    } : unknown);
};
type TenantId = string | null | undefined;
type TenantRole = "owner" | "admin" | "member";
type TenantStatements = {
    readonly [Resource in ResourceOf<GrantableAction>]: readonly NameOf<GrantableAction, Resource>[];
};
type UserAction = "invitation:accept" | "user:use-sign-in-link";
declare const actorSchema: z.ZodObject<{
    kind: z.ZodEnum<{
        server: "server";
        key: "key";
        administrator: "administrator";
        member: "member";
        host: "host";
    }>;
    id: z.ZodNullable<z.ZodString>;
    name: z.ZodOptional<z.ZodString>;
}, z.core.$strip>;
declare const answer: z.ZodObject<{
    role: z.ZodNullable<z.ZodString>;
    actions: z.ZodArray<z.ZodEnum<{
        "tenant:create": "tenant:create";
        "tenant:get": "tenant:get";
        "tenant:list": "tenant:list";
        "tenant:update": "tenant:update";
        "tenant:delete": "tenant:delete";
        "tenant:suspend": "tenant:suspend";
        "tenant:resume": "tenant:resume";
        "policy:get": "policy:get";
        "policy:update": "policy:update";
        "oauth-config:register": "oauth-config:register";
        "oauth-config:list": "oauth-config:list";
        "oauth-config:update": "oauth-config:update";
        "oauth-config:delete": "oauth-config:delete";
        "oauth-config:effective": "oauth-config:effective";
        "oauth-config:test": "oauth-config:test";
        "domain:add": "domain:add";
        "domain:list": "domain:list";
        "domain:verify": "domain:verify";
        "domain:update": "domain:update";
        "domain:remove": "domain:remove";
        "user:list": "user:list";
        "user:get": "user:get";
        "user:create": "user:create";
        "user:update": "user:update";
        "user:disable": "user:disable";
        "user:enable": "user:enable";
        "user:impersonate": "user:impersonate";
        "user:delete": "user:delete";
        "user:revoke-sessions": "user:revoke-sessions";
        "user:send-password-reset": "user:send-password-reset";
        "user:remove-second-factor": "user:remove-second-factor";
        "user:sign-in-link": "user:sign-in-link";
        "user:import": "user:import";
        "user:move": "user:move";
        "session:list": "session:list";
        "session:revoke": "session:revoke";
        "invitation:create": "invitation:create";
        "invitation:list": "invitation:list";
        "invitation:resend": "invitation:resend";
        "invitation:revoke": "invitation:revoke";
        "sign-in:list": "sign-in:list";
        "webhook:create": "webhook:create";
        "webhook:list": "webhook:list";
        "webhook:update": "webhook:update";
        "webhook:rotate-secret": "webhook:rotate-secret";
        "webhook:test": "webhook:test";
        "webhook:list-deliveries": "webhook:list-deliveries";
        "webhook:replay-delivery": "webhook:replay-delivery";
        "webhook:delete": "webhook:delete";
        "audit:list": "audit:list";
        "audit:erase": "audit:erase";
        "application:create": "application:create";
        "application:list": "application:list";
        "application:get": "application:get";
        "application:update": "application:update";
        "application:rotate-secret": "application:rotate-secret";
        "application:delete": "application:delete";
        "mail-template:list": "mail-template:list";
        "mail-template:get": "mail-template:get";
        "mail-template:set": "mail-template:set";
        "mail-template:reset": "mail-template:reset";
        "mail-template:preview": "mail-template:preview";
    }>>;
    roles: z.ZodArray<z.ZodString>;
}, z.core.$strip>;
declare const answer$1: z.ZodObject<{
    id: z.ZodString;
    name: z.ZodString;
    slug: z.ZodString;
    branding: z.ZodObject<{
        logoUrl: z.ZodOptional<z.ZodString>;
        primaryColor: z.ZodOptional<z.ZodString>;
        tagline: z.ZodOptional<z.ZodString>;
        supportEmail: z.ZodOptional<z.ZodString>;
    }, z.core.$strip>;
}, z.core.$strip>;
declare const auditEventSchema: z.ZodObject<{
    id: z.ZodString;
    createdAt: z.ZodDate;
    action: z.ZodCustom<ManagementAction | `admin:${string}` | UserAction | ServerAction | `app:${string}` | "domain:lost", ManagementAction | `admin:${string}` | UserAction | ServerAction | `app:${string}` | "domain:lost">;
    tenantId: z.ZodNullable<z.ZodString>;
    actor: z.ZodObject<{
        kind: z.ZodEnum<{
            server: "server";
            key: "key";
            administrator: "administrator";
            member: "member";
            host: "host";
        }>;
        id: z.ZodNullable<z.ZodString>;
        name: z.ZodOptional<z.ZodString>;
    }, z.core.$strip>;
    targetId: z.ZodNullable<z.ZodString>;
    ipAddress: z.ZodNullable<z.ZodString>;
    userAgent: z.ZodNullable<z.ZodString>;
    detail: z.ZodNullable<z.ZodRecord<z.ZodString, z.ZodUnknown>>;
}, z.core.$strip>;
declare const conflictSchema: z.ZodObject<{
    code: z.ZodEnum<{
        USER_NOT_FOUND: "USER_NOT_FOUND";
        USER_IN_TENANT: "USER_IN_TENANT";
        PLATFORM_ADMIN: "PLATFORM_ADMIN";
        EMAIL_TAKEN: "EMAIL_TAKEN";
        VALUE_TAKEN: "VALUE_TAKEN";
        ACCOUNT_TAKEN: "ACCOUNT_TAKEN";
        SHARED_ROW: "SHARED_ROW";
        UNSUPPORTED_ROW: "UNSUPPORTED_ROW";
        API_KEY_IN_STORAGE: "API_KEY_IN_STORAGE";
        IN_SEVERAL_ORGANIZATIONS: "IN_SEVERAL_ORGANIZATIONS";
    }>;
    userId: z.ZodNullable<z.ZodString>;
    model: z.ZodNullable<z.ZodString>;
    id: z.ZodNullable<z.ZodString>;
    message: z.ZodString;
}, z.core.$strip>;
declare const createSchema: () => SeeReference;
declare const deliverySchema: z.ZodObject<{
    id: z.ZodString;
    webhookId: z.ZodString;
    eventId: z.ZodString;
    eventType: z.ZodString;
    payload: z.ZodString;
    state: z.ZodEnum<{
        failed: "failed";
        pending: "pending";
        delivered: "delivered";
    }>;
    attempts: z.ZodInt;
    nextAttemptAt: z.ZodNullable<z.ZodDate>;
    responseStatus: z.ZodNullable<z.ZodInt>;
    error: z.ZodNullable<z.ZodString>;
    createdAt: z.ZodDate;
    finishedAt: z.ZodNullable<z.ZodDate>;
}, z.core.$strip>;
declare const domainSchema: z.ZodObject<{
    id: z.ZodString;
    tenantId: z.ZodString;
    host: z.ZodString;
    purpose: z.ZodEnum<{
        email: "email";
        login: "login";
    }>;
    state: z.ZodEnum<{
        verified: "verified";
        pending: "pending";
    }>;
    record: z.ZodObject<{
        type: z.ZodLiteral<"TXT">;
        name: z.ZodString;
        value: z.ZodString;
    }, z.core.$strip>;
    primary: z.ZodBoolean;
    discoverable: z.ZodBoolean;
    verifiedAt: z.ZodNullable<z.ZodDate>;
    checkedAt: z.ZodNullable<z.ZodDate>;
    missingSince: z.ZodNullable<z.ZodDate>;
    createdAt: z.ZodDate;
}, z.core.$strip>;
declare const effectiveProviderSchema: z.ZodObject<{
    providerId: z.ZodString;
    name: z.ZodOptional<z.ZodString>;
    source: z.ZodEnum<{
        tenant: "tenant";
        global: "global";
        none: "none";
    }>;
    config: z.ZodEnum<{
        disabled: "disabled";
        own: "own";
        unreadable: "unreadable";
        absent: "absent";
    }>;
    callbackURL: z.ZodString;
    lastFailure: z.ZodNullable<z.ZodObject<{
        at: z.ZodDate;
        code: z.ZodString;
    }, z.core.$strip>>;
}, z.core.$strip>;
declare const importLineSchema: z.ZodObject<{
    externalId: z.ZodString;
    email: z.ZodEmail;
    name: z.ZodOptional<z.ZodString>;
    emailVerified: z.ZodOptional<z.ZodBoolean>;
    image: z.ZodOptional<z.ZodNullable<z.ZodString>>;
    role: z.ZodOptional<z.ZodString>;
    disabled: z.ZodOptional<z.ZodBoolean>;
    createdAt: z.ZodOptional<z.ZodISODateTime>;
    password: z.ZodOptional<z.ZodObject<{
        kind: z.ZodString;
        hash: z.ZodString;
    }, z.core.$strict>>;
    accounts: z.ZodOptional<z.ZodArray<z.ZodObject<{
        providerId: z.ZodString;
        accountId: z.ZodString;
    }, z.core.$strict>>>;
}, z.core.$strict>;
declare const importResultSchema: z.ZodObject<{
    line: z.ZodNumber;
    externalId: z.ZodNullable<z.ZodString>;
    status: z.ZodEnum<{
        created: "created";
        updated: "updated";
        failed: "failed";
        unchanged: "unchanged";
    }>;
    userId: z.ZodNullable<z.ZodString>;
    code: z.ZodNullable<z.ZodEnum<{
        ROLE_NOT_FOUND: "ROLE_NOT_FOUND";
        LAST_OWNER: "LAST_OWNER";
        WRITE_CONFLICT: "WRITE_CONFLICT";
        VALIDATION_ERROR: "VALIDATION_ERROR";
        EMAIL_TAKEN: "EMAIL_TAKEN";
        ACCOUNT_TAKEN: "ACCOUNT_TAKEN";
        INVALID_JSON: "INVALID_JSON";
        UNSUPPORTED_PASSWORD_HASH: "UNSUPPORTED_PASSWORD_HASH";
        EXTERNAL_ID_TAKEN: "EXTERNAL_ID_TAKEN";
    }>>;
    message: z.ZodNullable<z.ZodString>;
}, z.core.$strip>;
declare const invitationSchema: z.ZodObject<{
    id: z.ZodString;
    tenantId: z.ZodString;
    email: z.ZodString;
    role: z.ZodString;
    status: z.ZodEnum<{
        revoked: "revoked";
        accepted: "accepted";
        pending: "pending";
        expired: "expired";
    }>;
    invitedBy: z.ZodNullable<z.ZodString>;
    createdAt: z.ZodDate;
    expiresAt: z.ZodDate;
    sentAt: z.ZodNullable<z.ZodDate>;
    acceptedAt: z.ZodNullable<z.ZodDate>;
    revokedAt: z.ZodNullable<z.ZodDate>;
}, z.core.$strip>;
declare const moveReportSchema: z.ZodObject<{
    isDryRun: z.ZodBoolean;
    rows: z.ZodRecord<z.ZodString, z.ZodNumber>;
    endedSessions: z.ZodNumber;
    conflicts: z.ZodArray<z.ZodObject<{
        code: z.ZodEnum<{
            USER_NOT_FOUND: "USER_NOT_FOUND";
            USER_IN_TENANT: "USER_IN_TENANT";
            PLATFORM_ADMIN: "PLATFORM_ADMIN";
            EMAIL_TAKEN: "EMAIL_TAKEN";
            VALUE_TAKEN: "VALUE_TAKEN";
            ACCOUNT_TAKEN: "ACCOUNT_TAKEN";
            SHARED_ROW: "SHARED_ROW";
            UNSUPPORTED_ROW: "UNSUPPORTED_ROW";
            API_KEY_IN_STORAGE: "API_KEY_IN_STORAGE";
            IN_SEVERAL_ORGANIZATIONS: "IN_SEVERAL_ORGANIZATIONS";
        }>;
        userId: z.ZodNullable<z.ZodString>;
        model: z.ZodNullable<z.ZodString>;
        id: z.ZodNullable<z.ZodString>;
        message: z.ZodString;
    }, z.core.$strip>>;
}, z.core.$strip>;
declare const oauthConfigSchema: z.ZodObject<{
    id: z.ZodString;
    tenantId: z.ZodString;
    providerId: z.ZodCustom<TenantProviderId, TenantProviderId>;
    clientId: z.ZodString;
    clientIds: z.ZodArray<z.ZodString>;
    scopes: z.ZodArray<z.ZodString>;
    redirectURI: z.ZodNullable<z.ZodString>;
    options: z.ZodNullable<z.ZodRecord<z.ZodString, z.ZodUnknown>>;
    trustEmails: z.ZodArray<z.ZodString>;
    enabled: z.ZodBoolean;
    createdAt: z.ZodDate;
    updatedAt: z.ZodDate;
}, z.core.$strip>;
declare const policyChangesSchema: z.ZodObject<{
    signUp: z.ZodOptional<z.ZodObject<{
        mode: z.ZodOptional<z.ZodEnum<{
            open: "open";
            invite: "invite";
            closed: "closed";
        }>>;
        emailDomains: z.ZodOptional<z.ZodNullable<z.ZodPipe<z.ZodArray<z.ZodPipe<z.ZodString, z.ZodTransform<string, string>>>, z.ZodTransform<string[], string[]>>>>;
    }, z.core.$strict>>;
    signIn: z.ZodOptional<z.ZodObject<{
        methods: z.ZodOptional<z.ZodNullable<z.ZodPipe<z.ZodArray<z.ZodEnum<{
            password: "password";
            "magic-link": "magic-link";
            "email-otp": "email-otp";
            "phone-number": "phone-number";
            passkey: "passkey";
            sso: "sso";
            siwe: "siwe";
            anonymous: "anonymous";
            social: "social";
        }>>, z.ZodTransform<("password" | "magic-link" | "email-otp" | "phone-number" | "passkey" | "sso" | "siwe" | "anonymous" | "social")[], ("password" | "magic-link" | "email-otp" | "phone-number" | "passkey" | "sso" | "siwe" | "anonymous" | "social")[]>>>>;
        providers: z.ZodOptional<z.ZodNullable<z.ZodPipe<z.ZodArray<z.ZodString>, z.ZodTransform<string[], string[]>>>>;
        fallbackToGlobal: z.ZodOptional<z.ZodBoolean>;
    }, z.core.$strict>>;
    password: z.ZodOptional<z.ZodObject<{
        minLength: z.ZodOptional<z.ZodNullable<z.ZodInt>>;
        rejectBreached: z.ZodOptional<z.ZodBoolean>;
    }, z.core.$strict>>;
    session: z.ZodOptional<z.ZodObject<{
        lifetime: z.ZodOptional<z.ZodNullable<z.ZodInt>>;
        idleTime: z.ZodOptional<z.ZodNullable<z.ZodInt>>;
    }, z.core.$strict>>;
    secondFactor: z.ZodOptional<z.ZodObject<{
        required: z.ZodOptional<z.ZodBoolean>;
    }, z.core.$strict>>;
}, z.core.$strict>;
declare const policySchema: z.ZodObject<{
    signUp: z.ZodObject<{
        mode: z.ZodEnum<{
            open: "open";
            invite: "invite";
            closed: "closed";
        }>;
        emailDomains: z.ZodNullable<z.ZodPipe<z.ZodArray<z.ZodPipe<z.ZodString, z.ZodTransform<string, string>>>, z.ZodTransform<string[], string[]>>>;
    }, z.core.$strict>;
    signIn: z.ZodObject<{
        methods: z.ZodNullable<z.ZodPipe<z.ZodArray<z.ZodEnum<{
            password: "password";
            "magic-link": "magic-link";
            "email-otp": "email-otp";
            "phone-number": "phone-number";
            passkey: "passkey";
            sso: "sso";
            siwe: "siwe";
            anonymous: "anonymous";
            social: "social";
        }>>, z.ZodTransform<("password" | "magic-link" | "email-otp" | "phone-number" | "passkey" | "sso" | "siwe" | "anonymous" | "social")[], ("password" | "magic-link" | "email-otp" | "phone-number" | "passkey" | "sso" | "siwe" | "anonymous" | "social")[]>>>;
        providers: z.ZodNullable<z.ZodPipe<z.ZodArray<z.ZodString>, z.ZodTransform<string[], string[]>>>;
        fallbackToGlobal: z.ZodBoolean;
    }, z.core.$strict>;
    password: z.ZodObject<{
        minLength: z.ZodNullable<z.ZodInt>;
        rejectBreached: z.ZodBoolean;
    }, z.core.$strict>;
    session: z.ZodObject<{
        lifetime: z.ZodNullable<z.ZodInt>;
        idleTime: z.ZodNullable<z.ZodInt>;
    }, z.core.$strict>;
    secondFactor: z.ZodObject<{
        required: z.ZodBoolean;
    }, z.core.$strict>;
}, z.core.$strict>;
declare const signInSchema: z.ZodObject<{
    id: z.ZodString;
    createdAt: z.ZodDate;
    result: z.ZodEnum<{
        succeeded: "succeeded";
        challenged: "challenged";
        failed: "failed";
    }>;
    reason: z.ZodNullable<z.ZodString>;
    user: z.ZodNullable<z.ZodObject<{
        id: z.ZodString;
        name: z.ZodString;
        email: z.ZodString;
    }, z.core.$strip>>;
    method: z.ZodNullable<z.ZodString>;
    providerId: z.ZodNullable<z.ZodString>;
    ipAddress: z.ZodNullable<z.ZodString>;
    userAgent: z.ZodNullable<z.ZodString>;
    attempts: z.ZodInt;
}, z.core.$strip>;
declare const storedMetadata: z.ZodRecord<z.ZodString, z.ZodUnknown>;
declare const storedSettings: z.ZodRecord<z.ZodString, z.ZodUnknown>;
declare const tenantSchema: z.ZodObject<{
    id: z.ZodString;
    name: z.ZodString;
    slug: z.ZodString;
    metadata: z.ZodNullable<z.ZodRecord<z.ZodString, z.ZodUnknown>>;
    createdAt: z.ZodDate;
    updatedAt: z.ZodDate;
    suspendedAt: z.ZodOptional<z.ZodDate>;
}, z.core.$strip>;
declare const tenantSessionSchema: z.ZodObject<{
    id: z.ZodString;
    userId: z.ZodString;
    user: z.ZodObject<{
        id: z.ZodString;
        name: z.ZodString;
        email: z.ZodString;
        role: z.ZodString;
    }, z.core.$strip>;
    ipAddress: z.ZodNullable<z.ZodString>;
    userAgent: z.ZodNullable<z.ZodString>;
    createdAt: z.ZodDate;
    updatedAt: z.ZodDate;
    expiresAt: z.ZodDate;
    impersonatedBy: z.ZodNullable<z.ZodString>;
}, z.core.$strip>;
declare const webhookSchema: z.ZodObject<{
    id: z.ZodString;
    tenantId: z.ZodString;
    url: z.ZodString;
    description: z.ZodNullable<z.ZodString>;
    eventTypes: z.ZodArray<z.ZodString>;
    enabled: z.ZodBoolean;
    failures: z.ZodInt;
    disabledAt: z.ZodNullable<z.ZodDate>;
    previousSecretUntil: z.ZodNullable<z.ZodDate>;
    createdAt: z.ZodDate;
    updatedAt: z.ZodDate;
}, z.core.$strip>;
