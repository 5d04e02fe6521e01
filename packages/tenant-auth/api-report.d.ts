// better-auth-tenant

interface AcceptedUser {
    fields: Readonly<Record<string, unknown>>;
    created(user: {
        id: string;
    }): Promise<void>;
    undo(): Promise<void>;
}
type ActionName = `${string}:${string}`;
type Actor = z.output<typeof actorSchema>;
interface Admission {
    isInvited(ctx: GenericEndpointContext, tenantId: string, email: string): Promise<boolean>;
    acceptUser(ctx: GenericEndpointContext, trx: DBTransactionAdapter, tenantId: string, email: string): Promise<AcceptedUser | null>;
    isExpected(db: Pick<DBTransactionAdapter, "findOne">, tenantId: string, email: string): Promise<boolean>;
}
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
interface BuiltOwnProvider {
    provider: OAuthProvider;
    isForeignResponse: (response: Record<string, unknown> | undefined) => Promise<boolean>;
}
interface ChangeFacts {
    targetId: string;
    detail: Record<string, unknown>;
}
type CleanUp = (ctx: AuthContext, signal: AbortSignal | undefined) => Promise<number>;
interface CleanUpOptions {
    signal?: AbortSignal;
}
interface CleanUpReport {
    sessions: number;
    verifications: number;
    oauthTokens: number;
    auditEvents: number;
    [name: string]: number;
}
type CoreAction = Routes[ManagementRouteName]["action"];
type CurrentTenant = z.output<typeof response$1>;
interface CustomDomainOptions {
    appProviders?: boolean;
}
interface CustomHosts {
    findTenant(ctx: AuthContext, hostname: string): Promise<TenantRecord | null>;
    findLinkHost(ctx: Pick<AuthContext, "adapter">, tenantId: string): Promise<null | string>;
    adaptProvider?(ctx: GenericEndpointContext, provider: OAuthProvider): Promise<OAuthProvider>;
    beforeCallback?(ctx: GenericEndpointContext, response: ProviderResponse): Promise<void>;
}
type DefinedEndpoint<R extends Route, D extends {
    response: z.ZodType;
}> = StrictEndpoint<R["path"], CallOptions<R, D>, D["response"]["_zod"]["output"]>;
interface Directory {
    actor: Actor;
    role: string;
}
interface DirectoryUsers {
    requireUser(userId: string): Promise<User>;
    disable(userId: string): Promise<User>;
    enable(userId: string): Promise<User>;
    mapRole(userId: string, role: string): Promise<void>;
    record(action: "user:create" | "user:update", userId: string): Promise<void>;
}
interface DispatchedEvent extends FeatureEvent {
    id: string;
    tenantId: string;
    createdAt: Date;
}
type EffectiveProvider = z.output<typeof effectiveProviderSchema>;
type EncryptionState = "current" | "outdated" | "unreadable";
interface FeatureEvent {
    type: `${string}.${string}`;
    data: Record<string, unknown>;
}
type FeatureSecret = Pick<EncryptedField, "isUsed" | "name" | "placeOf">;
type Grant = "app" | "optional" | "owner";
type HostResolution = TenantResolution | {
    hostname: string;
};
interface InspectedCredentials {
    tenantId: string;
    providerId: string;
    enabled: boolean;
    options: ProviderSettings | null;
    state: EncryptionState;
}
type ListPart<Item> = Item[] & {
    nextCursor: null | string;
    searchLimited: boolean;
    total: number;
};
interface LoggedRow {
    table: string;
    id: string;
    createdAt: Date;
}
interface ManagedTenant {
    readonly tenantId: string;
    readonly slug: string;
    readonly actor: Actor;
    requireOwner(message?: string): void;
    readonly role: null | string;
    requireUser(userId: string): Promise<User>;
    requireReachableUser(userId: string): Promise<ReachableUser>;
    read<T>(work: () => Promise<T>): Promise<T>;
    change<T>(work: () => Promise<T>, describe: (result: T) => AuditedChange): Promise<T>;
}
type ManagementAction = `${string}:${string}`;
interface ManagementCaller {
    actor: {
        id: string;
        kind: "administrator" | "key";
        name?: string | undefined;
    };
}
interface NewSession {
    endpoint: GenericEndpointContext | null;
    tenantId: string;
    userId: string;
    isByManagement: boolean;
}
interface OAuthGrantOptions {
    maxDays?: ((application: {
        clientId: string;
    }) => Awaitable<number>) | number;
    outlivesSession?: (application: {
        clientId: string;
    }) => Awaitable<boolean>;
}
interface OwnProviderClient extends OwnProviderConfig {
    clientIds: readonly string[];
    clientSecret: string;
    scopes: readonly string[];
    redirectURI: null | string;
    allowPrivate: boolean;
    setRole: (role: string) => void;
}
interface OwnProviderConfig {
    providerId: string;
    settings: Readonly<Record<string, unknown>>;
}
interface OwnProviders {
    check: (ctx: AuthContext, config: SavedOwnProvider) => Promise<void>;
    build: (client: OwnProviderClient) => BuiltOwnProvider;
    nameOf: (config: OwnProviderConfig) => string;
}
interface PasswordQueueOptions {
    concurrency?: number;
    maxWaitingPerTenant?: number;
    maxWaiting?: number;
}
type PolicyChanges = z.output<typeof policyChangesSchema>;
interface ProviderResponse {
    providerId: string;
    parameters: Record<string, string>;
}
interface ReachableUser {
    readonly user: User;
    readonly recheck: (database?: DBTransactionAdapter) => Promise<void>;
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
    unreadable: Omit<StoredSecret, "state">[];
    tables: Partial<Record<string, ReencryptedTable>>;
}
interface ReencryptedTable {
    total: number;
    reencrypted: number;
    unreadable: number;
}
interface SavedOwnProvider extends OwnProviderConfig {
    tenantId: string;
    hasNewSettings: boolean;
    hasSecret: () => Promise<boolean>;
    allowPrivate: boolean;
}
interface SessionStage {
    before?(session: NewSession): Promise<void>;
    after?(session: NewSession): Promise<void>;
    admits?(found: {
        session: Session;
        user: User;
    }, tenantId: string): Promise<boolean>;
    signedOut?(endpoint: GenericEndpointContext, token: string): Promise<void>;
}
interface SignInEvent extends DispatchedEvent {
    type: "sign-in.challenged" | "sign-in.failed" | "sign-in.succeeded";
    data: {
        ipAddress: null | string;
        method: string;
        providerId: null | string;
        reason?: string;
        userAgent: null | string;
        userId: null | string;
    };
}
type SignInMethod = (typeof SIGN_IN_METHODS)[number];
interface SignInRecorder {
    table: string;
    rowOf(ctx: GenericEndpointContext, event: SignInEvent): Promise<Record<string, unknown>>;
    rowOfRest(rest: {
        attempts: number;
        createdAt: Date;
        tenantId: string;
        type: SignInEvent["type"];
    }): Record<string, unknown>;
}
interface SocialFlowStage {
    beforeCallback?(ctx: GenericEndpointContext, response: ProviderResponse): Promise<void>;
    adaptProvider?(ctx: GenericEndpointContext, provider: OAuthProvider): Promise<OAuthProvider>;
}
interface StoredPassword {
    stored: string;
    password: string;
    hash(password: string): Promise<string>;
}
interface StoredSecret {
    model: string;
    id: string;
    tenantId: null | string;
    providerId?: string;
    state: EncryptionState;
}
declare const TENANT_AUTH_ERROR_CODES: {
    CROSS_TENANT_QUERY: RawError<"CROSS_TENANT_QUERY">;
    EMAIL_DOMAIN_NOT_ALLOWED: RawError<"EMAIL_DOMAIN_NOT_ALLOWED">;
    INVALID_CURSOR: RawError<"INVALID_CURSOR">;
    INVALID_POLICY: RawError<"INVALID_POLICY">;
    INVALID_PROVIDER_OPTIONS: RawError<"INVALID_PROVIDER_OPTIONS">;
    INVALID_SLUG: RawError<"INVALID_SLUG">;
    INVITATION_REQUIRED: RawError<"INVITATION_REQUIRED">;
    LAST_OWNER: RawError<"LAST_OWNER">;
    OAUTH_CLIENT_CHANGED: RawError<"OAUTH_CLIENT_CHANGED">;
    OAUTH_CONFIG_NOT_FOUND: RawError<"OAUTH_CONFIG_NOT_FOUND">;
    OAUTH_CREDENTIAL_DECRYPT_FAILED: RawError<"OAUTH_CREDENTIAL_DECRYPT_FAILED">;
    PASSKEY_NOT_FOUND: RawError<"PASSKEY_NOT_FOUND">;
    PASSWORD_CHECK_UNAVAILABLE: RawError<"PASSWORD_CHECK_UNAVAILABLE">;
    PASSWORD_COMPROMISED: RawError<"PASSWORD_COMPROMISED">;
    PASSWORD_QUEUE_FULL: RawError<"PASSWORD_QUEUE_FULL">;
    POLICY_NOT_ALLOWED: RawError<"POLICY_NOT_ALLOWED">;
    PROVIDER_NOT_FOUND: RawError<"PROVIDER_NOT_FOUND">;
    PROVIDER_UNAVAILABLE: RawError<"PROVIDER_UNAVAILABLE">;
    ROLE_NOT_ALLOWED: RawError<"ROLE_NOT_ALLOWED">;
    ROLE_NOT_FOUND: RawError<"ROLE_NOT_FOUND">;
    SECOND_FACTOR_MISSING: RawError<"SECOND_FACTOR_MISSING">;
    SECOND_FACTOR_REQUIRED: RawError<"SECOND_FACTOR_REQUIRED">;
    SESSIONS_NOT_LISTED: RawError<"SESSIONS_NOT_LISTED">;
    SESSION_NOT_FOUND: RawError<"SESSION_NOT_FOUND">;
    SIGN_IN_LINK_NOT_ALLOWED: RawError<"SIGN_IN_LINK_NOT_ALLOWED">;
    SIGN_IN_METHOD_NOT_ALLOWED: RawError<"SIGN_IN_METHOD_NOT_ALLOWED">;
    SIGN_UP_NOT_ALLOWED: RawError<"SIGN_UP_NOT_ALLOWED">;
    SLUG_RESERVED: RawError<"SLUG_RESERVED">;
    SORT_NOT_AVAILABLE: RawError<"SORT_NOT_AVAILABLE">;
    STORAGE_UNAVAILABLE: RawError<"STORAGE_UNAVAILABLE">;
    STORED_SECRET_DECRYPT_FAILED: RawError<"STORED_SECRET_DECRYPT_FAILED">;
    TENANT_ALREADY_EXISTS: RawError<"TENANT_ALREADY_EXISTS">;
    TENANT_ID_REQUIRED: RawError<"TENANT_ID_REQUIRED">;
    TENANT_MANAGEMENT_NOT_ALLOWED: RawError<"TENANT_MANAGEMENT_NOT_ALLOWED">;
    TENANT_MISMATCH: RawError<"TENANT_MISMATCH">;
    TENANT_NOT_DELETED: RawError<"TENANT_NOT_DELETED">;
    TENANT_NOT_FOUND: RawError<"TENANT_NOT_FOUND">;
    TENANT_OPENID_REQUIRED: RawError<"TENANT_OPENID_REQUIRED">;
    TENANT_SUSPENDED: RawError<"TENANT_SUSPENDED">;
    TOO_MANY_OWN_PROVIDERS: RawError<"TOO_MANY_OWN_PROVIDERS">;
    TOO_MANY_REQUESTS: RawError<"TOO_MANY_REQUESTS">;
    UNSUPPORTED_PROVIDER: RawError<"UNSUPPORTED_PROVIDER">;
    USER_DISABLED: RawError<"USER_DISABLED">;
    USER_NOT_DELETED: RawError<"USER_NOT_DELETED">;
    USER_NOT_SAVED: RawError<"USER_NOT_SAVED">;
    WRITE_CONFLICT: RawError<"WRITE_CONFLICT">;
};
declare const TENANT_SETTING = "app.tenant_id";
type Tenant = z.output<typeof tenantSchema>;
interface TenantAction {
    grant: Grant;
    event?: (facts: ChangeFacts) => FeatureEvent;
}
interface TenantAuthOptions<Metadata extends object = object> {
    hosts?: TenantHosts;
    resolveTenantId?: (ctx: GenericEndpointContext) => Awaitable<TenantResolution>;
    tenantHeader?: string;
    canManageTenants?: (ctx: GenericEndpointContext, request: {
        action: ManagementAction;
        tenantId: null | string;
    }) => Awaitable<ManagementCaller | boolean>;
    managementKeys?: string[];
    adminUserIds?: string[];
    adminRoles?: string[];
    isStaff?: (userId: string, context: {
        adapter: Pick<DBTransactionAdapter, "findOne">;
    }) => Promise<boolean> | boolean;
    impersonationPaths?: string[];
    roles?: TenantRoles;
    allowPrivateProviderHosts?: boolean;
    reservedSlugs?: readonly string[];
    metadata?: StandardSchema<Metadata>;
    userFields?: UserFields;
    maxMetadataBytes?: number;
    audit?: AuditOptions;
    isCommonPassword?: (password: string) => Awaitable<boolean>;
    isBreachedPassword?: (password: string) => Awaitable<boolean>;
    limitPolicy?: (policy: TenantPolicy, tenant: {
        tenantId: string;
    }) => Awaitable<string | undefined>;
    onEvent?: OnEvent;
    sharedTables?: string[];
    signingKeysPerTenant?: boolean;
    tenantInSessionTokens?: boolean;
    checkedPlugins?: string[];
    passwordQueue?: PasswordQueueOptions | false;
    oauthGrants?: OAuthGrantOptions;
    schema?: TenantAuthSchemaNames;
}
type TenantAuthPlugin<Metadata> = PluginWith<EndpointsWith<Metadata>>;
interface TenantClaims {
    tenant_id?: string;
    roles?: string[];
    permissions?: ManagementAction[];
}
type TenantEvent = NewEvent & {
    createdAt: Date;
    id: string;
    tenantId: string;
};
type TenantEventData<Type extends TenantEventType> = z.output<(typeof EVENT_TYPES)[Type]["data"]>;
type TenantEventType = keyof typeof EVENT_TYPES;
interface TenantHosts {
    readonly baseURL: {
        allowedHosts: string[];
        fallback: string;
        protocol: "http" | "https";
    };
    readonly reservedSlugs: readonly string[];
    originOf(slug: string): string;
    slugOf(host: string): null | string;
    isPlatformHost(host: string): boolean;
    isOwnHost(hostname: string): boolean;
    readonly customDomains: boolean;
    readonly sharedCallback: boolean;
    admitsAppProviders(hostname: string): boolean;
    originOfDomain(hostname: string): string;
    resolve(host: string): HostResolution | Promise<HostResolution>;
    normalize(host: string): null | string;
}
interface TenantHostsOptions {
    domain: string;
    platformHosts?: string[];
    protocol?: "http" | "https";
    customDomains?: CustomDomainOptions | boolean;
    sharedCallback?: boolean;
    findTenant?: (hostname: string) => Promise<TenantResolution> | TenantResolution;
}
type TenantMetadata = z.output<typeof storedMetadata>;
type TenantOAuthConfig = z.output<typeof oauthConfigSchema>;
interface TenantPart {
    actions?: Readonly<Record<ActionName, Grant | TenantAction>>;
    tables?: Readonly<Record<string, "explicit" | "shared" | "short-lived">>;
    secrets?: Readonly<Record<string, readonly FeatureSecret[]>>;
    events?: Readonly<Record<FeatureEvent["type"], string>>;
    listener?: TransactionListener;
    signIns?: SignInRecorder;
    logged?: (adapter: Pick<DBTransactionAdapter, "create">, row: LoggedRow) => Promise<void>;
    admission?: Admission;
    session?: SessionStage;
    hosts?: CustomHosts;
    emailDomains?: (ctx: AuthContext, tenantId: string) => Promise<readonly string[]>;
    emailDomainOwner?: (ctx: AuthContext, domain: string) => Promise<TenantRecord | null>;
    socialFlow?: SocialFlowStage;
    signInPaths?: Readonly<Record<string, string>>;
    ownProviders?: OwnProviders;
    verifyPassword?: (ctx: AuthContext, stored: StoredPassword) => Promise<boolean | null>;
    forgetUser?: (ctx: Pick<AuthContext, "adapter">, user: {
        id: string;
        tenantId: string;
    }) => Promise<void>;
    cleanUp?: Readonly<Record<string, CleanUp>>;
    impersonationPaths?: readonly string[];
    requires?: readonly string[];
    creator?: string;
}
type TenantPermissions = z.output<typeof response>;
type TenantPlugin = BetterAuthPlugin & {
    tenant: TenantPart;
};
type TenantPolicy = z.output<typeof policySchema>;
type TenantProviderId = BuiltInProviderId | OwnProviderId;
type TenantRecord = {
    readonly id: string;
} & Readonly<Record<string, unknown>>;
type TenantResolution = false | null | string | undefined | {
    slug: string;
};
interface TenantRole {
    readonly statements: Readonly<Record<string, readonly string[]>>;
}
type TenantRoles = Readonly<Record<string, TenantRole>>;
type TenantSession = z.output<typeof tenantSessionSchema>;
interface TenantUser extends User {
    tenantId: string;
    tenantRole?: null | string;
    disabledAt?: Date | null;
}
type TenantWith<Metadata> = TenantMetadata extends Metadata ? Tenant : Omit<Tenant, "metadata"> & {
    metadata: Metadata | null;
};
interface TransactionListener {
    wants(tenant: TenantRecord, type?: string): boolean;
    write(adapter: Pick<DBTransactionAdapter, "create">, tenant: TenantRecord, event: DispatchedEvent): Promise<void>;
}
type WithTenant<T> = T & {
    tenant: Tenant | null;
};
declare function cleanUp(auth: AnyAuth, { signal }?: CleanUpOptions): Promise<CleanUpReport>;
declare const defineTenantPlugin: <const Plugin extends TenantPlugin>(plugin: Plugin) => Omit<Plugin, "tenant"> & {
    tenant: TenantPart;
};
declare function findCurrentTenantId(): null | string;
declare function getCurrentTenant<Metadata extends object = TenantMetadata>(): Promise<TenantWith<Metadata> | null>;
declare function getCurrentTenantId(): Promise<null | string>;
declare function inspectCredentials({ $context }: AnyAuth): AsyncGenerator<InspectedCredentials>;
declare function inspectStoredSecrets(auth: AnyAuth): AsyncGenerator<StoredSecret>;
declare function manageAsDirectory(ctx: GenericEndpointContext, { actor, role: rank }: Directory): Promise<DirectoryUsers>;
declare function manageTenant(ctx: GenericEndpointContext, action: ManagementAction): Promise<ManagedTenant>;
declare function pruneAuditEvents(auth: AnyAuth, { signal }?: {
    signal?: AbortSignal | undefined;
}): Promise<number>;
declare function recordAppEvent(source: Source, event: AppEvent): Promise<void>;
declare function reencryptStoredSecrets(auth: AnyAuth, { onProgress }?: ReencryptOptions): Promise<ReencryptReport>;
declare function runAcrossTenants<T>(work: () => Promise<T>): Promise<T>;
declare function runInTenant<T>(auth: AnyAuth, tenantId: string, work: () => Promise<T>, { allowSuspended }?: RunInTenantOptions): Promise<T>;
declare function runOnPlatform<T>(work: () => Promise<T>): Promise<T>;
declare function setDatabaseTenant(query: (sql: string, values: string[]) => Promise<unknown>, tenantId?: string): Promise<void>;
declare function setMappedRole(role: null | string): void;
declare const tenantAccess: {
    newRole: (statements: TenantStatements) => TenantRole;
    statements: CoreStatements;
};
declare const tenantAuth: TenantAuth;
declare function tenantClaims({ user, scopes }: {
    scopes: readonly string[];
    user?: null | object | undefined;
}): Promise<TenantClaims>;
declare function tenantHosts(options: TenantHostsOptions): TenantHosts;
declare function updateTenantBranding(ctx: GenericEndpointContext, tenantId: string, changes: Branding): Promise<Tenant>;
declare function withTenant<Data extends object, Rest extends unknown[], Result>(callback: (data: WithTenant<Data>, ...rest: Rest) => Promise<Result> | Result): (data: Data, ...rest: Rest) => Promise<Result>;
declare const withoutTenantPrefix: (value: string) => string;

// better-auth-tenant/client

interface TenantAuthClient<Known extends object = TenantMetadata> extends Pick<BetterAuthClientPlugin, "atomListeners" | "fetchPlugins" | "pathMethods"> {
    id: "tenant-auth";
    $InferServerPlugin: ServerPlugin<Known>;
    getAtoms: (...input: Parameters<NonNullable<BetterAuthClientPlugin["getAtoms"]>>) => {
        tenant: AuthQueryAtom<CurrentTenant>;
    };
    getActions: NonNullable<BetterAuthClientPlugin["getActions"]>;
    $ERROR_CODES: typeof TENANT_AUTH_ERROR_CODES;
}
interface TenantAuthClientOptions {
    tenant?: (() => Promise<TenantId> | TenantId) | TenantId;
    tenantHeader?: string;
}
declare const tenantAuthClient: <Known extends object = TenantMetadata>(options?: TenantAuthClientOptions) => TenantAuthClient<Known>;
declare const tenantChooserClient: () => {
    $ERROR_CODES: {
        TENANT_CHOICE_NOT_FOUND: _$_better_auth_core_utils_error_codes0.RawError<"TENANT_CHOICE_NOT_FOUND">;
        TENANT_CHOOSER_NOT_HERE: _$_better_auth_core_utils_error_codes0.RawError<"TENANT_CHOOSER_NOT_HERE">;
    };
    $InferServerPlugin: ReturnType<typeof tenantChooser>;
    id: "tenant-auth-chooser";
    pathMethods: {
        [k: string]: "GET" | "POST";
    };
};
declare const tenantDomainsClient: () => {
    $ERROR_CODES: {
        DNS_RECORD_NOT_FOUND: _$_better_auth_core_utils_error_codes0.RawError<"DNS_RECORD_NOT_FOUND">;
        DNS_UNAVAILABLE: _$_better_auth_core_utils_error_codes0.RawError<"DNS_UNAVAILABLE">;
        DOMAIN_ALREADY_ADDED: _$_better_auth_core_utils_error_codes0.RawError<"DOMAIN_ALREADY_ADDED">;
        DOMAIN_NOT_FOUND: _$_better_auth_core_utils_error_codes0.RawError<"DOMAIN_NOT_FOUND">;
        DOMAIN_NOT_VERIFIED: _$_better_auth_core_utils_error_codes0.RawError<"DOMAIN_NOT_VERIFIED">;
        DOMAIN_TAKEN: _$_better_auth_core_utils_error_codes0.RawError<"DOMAIN_TAKEN">;
        INVALID_DOMAIN: _$_better_auth_core_utils_error_codes0.RawError<"INVALID_DOMAIN">;
        TOO_MANY_DOMAINS: _$_better_auth_core_utils_error_codes0.RawError<"TOO_MANY_DOMAINS">;
    };
    $InferServerPlugin: ReturnType<typeof tenantDomains>;
    id: "tenant-auth-domains";
    pathMethods: {
        [k: string]: "GET" | "POST";
    };
};
declare const tenantImportsClient: () => {
    $ERROR_CODES: {
        IMPORT_TOO_LARGE: _$_better_auth_core_utils_error_codes0.RawError<"IMPORT_TOO_LARGE">;
        MOVE_REFUSED: _$_better_auth_core_utils_error_codes0.RawError<"MOVE_REFUSED">;
        ORGANIZATION_NOT_FOUND: _$_better_auth_core_utils_error_codes0.RawError<"ORGANIZATION_NOT_FOUND">;
        TRANSACTION_REQUIRED: _$_better_auth_core_utils_error_codes0.RawError<"TRANSACTION_REQUIRED">;
    };
    $InferServerPlugin: ReturnType<typeof tenantImports>;
    id: "tenant-auth-imports";
    pathMethods: {
        [k: string]: "GET" | "POST";
    };
};
declare const tenantInvitationsClient: () => {
    $ERROR_CODES: {
        INVITATION_NOT_FOUND: _$_better_auth_core_utils_error_codes0.RawError<"INVITATION_NOT_FOUND">;
    };
    $InferServerPlugin: ReturnType<typeof tenantInvitations>;
    atomListeners: {
        matcher: (path: string) => boolean;
        signal: "$sessionSignal";
    }[];
    id: "tenant-auth-invitations";
    pathMethods: {
        [k: string]: "GET" | "POST";
    };
};
declare const tenantLinksClient: () => {
    $ERROR_CODES: {
        LINKS_NOT_ALLOWED: _$_better_auth_core_utils_error_codes0.RawError<"LINKS_NOT_ALLOWED">;
        LINK_NOT_FOUND: _$_better_auth_core_utils_error_codes0.RawError<"LINK_NOT_FOUND">;
        LINK_NOT_PROVEN: _$_better_auth_core_utils_error_codes0.RawError<"LINK_NOT_PROVEN">;
    };
    $InferServerPlugin: ReturnType<typeof tenantLinks>;
    atomListeners: {
        matcher: (path: string) => boolean;
        signal: "$sessionSignal";
    }[];
    id: "tenant-auth-links";
    pathMethods: {
        [k: string]: "GET" | "POST";
    };
};
declare const tenantOpenIdClient: () => {
    $InferServerPlugin: ReturnType<typeof tenantOpenId>;
    id: "tenant-auth-openid";
    pathMethods: {
        [k: string]: "GET" | "POST";
    };
};
declare const tenantSignInsClient: () => {
    $InferServerPlugin: ReturnType<typeof tenantSignIns>;
    id: "tenant-auth-sign-ins";
    pathMethods: {
        [k: string]: "GET" | "POST";
    };
};
declare const tenantWebhooksClient: () => {
    $ERROR_CODES: {
        TOO_MANY_WEBHOOKS: _$_better_auth_core_utils_error_codes0.RawError<"TOO_MANY_WEBHOOKS">;
        WEBHOOK_DELIVERY_NOT_FOUND: _$_better_auth_core_utils_error_codes0.RawError<"WEBHOOK_DELIVERY_NOT_FOUND">;
        WEBHOOK_DISABLED: _$_better_auth_core_utils_error_codes0.RawError<"WEBHOOK_DISABLED">;
        WEBHOOK_NOT_FOUND: _$_better_auth_core_utils_error_codes0.RawError<"WEBHOOK_NOT_FOUND">;
    };
    $InferServerPlugin: ReturnType<typeof tenantWebhooks>;
    id: "tenant-auth-webhooks";
    pathMethods: {
        [k: string]: "GET" | "POST";
    };
};

// better-auth-tenant/chooser

interface TenantChooserOptions {
    chooserURL: string;
}
declare const tenantChooser: (options: TenantChooserOptions) => Omit<{
    readonly $ERROR_CODES: {
        TENANT_CHOICE_NOT_FOUND: _$_better_auth_core_utils_error_codes0.RawError<"TENANT_CHOICE_NOT_FOUND">;
        TENANT_CHOOSER_NOT_HERE: _$_better_auth_core_utils_error_codes0.RawError<"TENANT_CHOOSER_NOT_HERE">;
    };
    readonly endpoints: {
        readonly chooseTenant: _$better_call0.StrictEndpoint<"/tenant/chooser/choose", {
            metadata: {
                $Infer: {
                    body: {
                        tenantId: string;
                        token: string;
                    };
                };
                openapi: object;
            };
            method: "POST";
        } & object, {
            redirect: true;
            url: string;
        }>;
        readonly confirmChosenTenant: _$better_call0.StrictEndpoint<"/tenant/chooser/confirm", {
            readonly metadata: {
                readonly openapi: {
                    readonly description: string;
                    readonly operationId: string;
                    readonly parameters: {
                        readonly in: "query";
                        readonly name: string;
                        readonly schema: {
                            readonly type: "string";
                        };
                    }[];
                    readonly responses: {
                        readonly "302": {
                            readonly description: "To the next step; after an error to an error page, with `error`";
                        };
                    };
                };
                readonly scope: "server";
            };
            readonly method: "GET";
            readonly query: _$zod.ZodOptional<_$zod.ZodRecord<_$zod.ZodString, _$zod.ZodUnknown>>;
        }, never>;
        readonly enterChosenTenant: _$better_call0.StrictEndpoint<"/tenant/chooser/enter", {
            readonly metadata: {
                readonly openapi: {
                    readonly description: string;
                    readonly operationId: string;
                    readonly parameters: {
                        readonly in: "query";
                        readonly name: string;
                        readonly schema: {
                            readonly type: "string";
                        };
                    }[];
                    readonly responses: {
                        readonly "302": {
                            readonly description: "To the next step; after an error to an error page, with `error`";
                        };
                    };
                };
                readonly scope: "server";
            };
            readonly method: "GET";
            readonly query: _$zod.ZodOptional<_$zod.ZodRecord<_$zod.ZodString, _$zod.ZodUnknown>>;
        }, never>;
        readonly listTenantChoices: _$better_call0.StrictEndpoint<"/tenant/chooser/list", {
            metadata: {
                $Infer: object;
                openapi: object;
            };
            method: "GET";
        } & {
            query: _$better_call0.StandardSchemaV1<{
                token: string;
            }, {
                token: string;
            }>;
        }, {
            email: string;
            isComplete: boolean;
            tenants: {
                id: string;
                name: string;
                slug: string;
            }[];
        }>;
        readonly startTenantChooser: _$better_call0.StrictEndpoint<"/tenant/chooser/start", {
            metadata: {
                $Infer: {
                    body: {
                        additionalParams?: Record<string, string> | undefined;
                        callbackURL?: string | undefined;
                        disableRedirect?: boolean | undefined;
                        errorCallbackURL?: string | undefined;
                        loginHint?: string | undefined;
                        newUserCallbackURL?: string | undefined;
                        provider: string;
                        requestSignUp?: boolean | undefined;
                        scopes?: string[] | undefined;
                    };
                };
                openapi: object;
            };
            method: "POST";
        } & object, {
            redirect: boolean;
            url: string;
        }>;
    };
    readonly id: "tenant-auth-chooser";
    readonly options: TenantChooserOptions;
    readonly rateLimit: [
        {
            readonly max: 20;
            readonly pathMatcher: (path: string) => boolean;
            readonly window: 60;
        }
    ];
    readonly schema: {
        account: {
            fields: {};
            indexes: {
                fields: [
                    string,
                    string
                ];
            }[];
        };
        user: {
            fields: {};
            indexes: {
                fields: [
                    string,
                    string
                ];
            }[];
        };
    };
    readonly tenant: {
        readonly requires: readonly [
            "tenant-auth"
        ];
        readonly socialFlow: SocialFlowStage;
    };
}, "tenant"> & {
    tenant: TenantPart;
};

// better-auth-tenant/conformance

interface CheckedEndpoint {
    name: string;
    path: null | string;
    calls: number;
    responses: Record<number, number>;
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
    logs?: boolean;
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

// better-auth-tenant/domains

type DomainAction = keyof typeof DOMAIN_ACTIONS;
type DomainPurpose = (typeof DOMAIN_PURPOSES)[number];
interface RecheckOptions {
    signal?: AbortSignal;
}
interface RecheckReport {
    checked: number;
    missing: number;
    lost: number;
    failed: number;
}
type TenantDomain = z.output<typeof domainSchema>;
interface TenantDomainEvent extends DispatchedEvent {
    type: keyof typeof DOMAIN_EVENTS;
    data: {
        domain: string;
    };
}
interface TenantDomainsOptions {
    resolveTxt?: (name: string) => Promise<string[][]>;
    graceDays?: number;
    isPublicSuffix?: (host: string) => boolean;
    schema?: TenantDomainsSchemaNames;
}
declare function recheckDomains(auth: AnyAuth, { signal }?: RecheckOptions): Promise<RecheckReport>;
declare const tenantDomains: (given?: TenantDomainsOptions) => Omit<SeeReference, "tenant"> & SeeReference;

// better-auth-tenant/invitations

type InvitationAction = keyof typeof INVITATION_ACTIONS;
interface InvitationEmail {
    invitation: TenantInvitation;
    tenant: Tenant;
    url: string;
    token: string;
}
type TenantInvitation = z.output<typeof invitationSchema>;
interface TenantInvitationEvent extends DispatchedEvent {
    type: keyof typeof INVITATION_EVENTS;
    data: {
        invitationId: string;
        userId?: string;
    };
}
interface TenantInvitationsOptions {
    sendInvitation?: (email: InvitationEmail, request?: Request) => Awaitable<void>;
    checkInvitation?: (invitation: {
        email: string;
        tenantId: string;
    }) => Awaitable<void>;
    schema?: TenantInvitationsSchemaNames;
}
declare const tenantInvitations: (options?: TenantInvitationsOptions) => Omit<SeeReference, "tenant"> & SeeReference;

// better-auth-tenant/links

type LinkAction = keyof typeof LINK_ACTIONS;
type LinkedUser = z.output<typeof linkedUserSchema>;
interface TenantLinkEvent extends DispatchedEvent {
    type: keyof typeof LINK_EVENTS;
    data: {
        userId: string;
    };
}
interface TenantLinksOptions {
    days?: number;
    schema?: TenantLinksSchemaNames;
}
declare const tenantLinks: (given?: TenantLinksOptions) => Omit<SeeReference, "tenant"> & SeeReference;

// better-auth-tenant/openid

type ConnectionTest = z.output<typeof connectionTestSchema>;
interface FetchedDocument {
    status: number;
    headers: Headers;
    body: string;
}
type OpenIdAction = keyof typeof OPENID_ACTIONS;
interface ProviderFetchOptions {
    allowPrivate: boolean;
    accept: string;
    maxBytes?: number;
    form?: Readonly<Record<string, string>>;
    timeout?: number;
    returnsRedirects?: true;
}
declare function fetchFromProvider(url: string, { accept, form, timeout, ...limits }: ProviderFetchOptions): Promise<FetchedDocument>;
declare function findProviderUrlProblem(value: string, allowPrivate: boolean): null | string;
declare function requireTestAllowed(instance: object, tenantId: string): void;
declare const tenantOpenId: () => Omit<SeeReference, "tenant"> & SeeReference;

// better-auth-tenant/imports

type AdoptConflict = (MoveConflict & {
    value: string;
}) | TenantConflict;
interface AdoptTenantsOptions {
    field: string;
    tenants?: readonly {
        id: number | string;
        name?: null | string;
        slug?: null | string;
    }[];
    dryRun?: boolean;
}
interface AdoptTenantsReport {
    isDryRun: boolean;
    tenants: AdoptedTenant[];
    rows: Record<string, number>;
    staying: number;
    conflicts: AdoptConflict[];
}
interface AdoptedTenant {
    value: string;
    id: null | string;
    name: string;
    slug: string;
    isNew: boolean;
    users: number;
}
type ImportAction = keyof typeof IMPORT_ACTIONS;
type ImportResult = z.output<typeof importResultSchema>;
interface ImportTenantOptions {
    releaseSlug?: boolean;
}
interface ImportTenantReport {
    tenantId: string;
    slug: string;
    written: number;
    existing: number;
    tables: Record<string, number>;
}
interface ImportUsersOptions {
    tenantId: string;
    lines: AsyncIterable<ImportedUser | string> | Iterable<ImportedUser | string>;
    dryRun?: boolean;
}
type ImportedUser = z.input<typeof importLineSchema>;
type MoveConflict = z.output<typeof conflictSchema>;
type MoveReport = z.output<typeof moveReportSchema>;
interface MovedMember {
    userId: string;
    role: string;
    tenantRole: TenantRole;
    outcome: "copy" | "move" | "refuse" | "skip";
    alsoIn: string[];
}
interface OrganizationToTenantOptions {
    organizationId: string;
    tenant?: {
        id?: string;
        name?: string;
        slug?: string;
    };
    inSeveral?: "copy" | "refuse" | "skip";
    dryRun?: boolean;
}
interface OrganizationToTenantReport extends MoveReport {
    tenant: {
        id: null | string;
        metadata: TenantMetadata;
        name: string;
        slug: string;
    };
    members: MovedMember[];
    pendingInvitations: {
        email: string;
        expiresAt: Date;
        id: string;
        role: null | string;
    }[];
}
interface PasswordHash {
    verify: (input: {
        hash: string;
        password: string;
    }) => Promise<boolean> | boolean;
}
type TenantImportEvent = (DispatchedEvent & {
    data: {
        created: number;
        updated: number;
    };
    type: "user.imported";
}) | (DispatchedEvent & {
    data: {
        userId: string;
    };
    type: "user.moved";
});
interface TenantImportsOptions {
    passwordHashes?: Readonly<Record<string, PasswordHash>>;
    schema?: TenantImportsSchemaNames;
}
declare function adoptTenants(auth: AnyAuth, { field, tenants, dryRun }: AdoptTenantsOptions): Promise<AdoptTenantsReport>;
declare function checkImportedUsers(auth: AnyAuth, lines: ImportUsersOptions["lines"]): AsyncGenerator<ImportResult>;
declare function decodeTotpSecret(secret: string): null | string;
declare function exportTenant(auth: AnyAuth, tenantId: string): AsyncGenerator<string>;
declare function importTenant(auth: AnyAuth, lines: AsyncIterable<string>, options?: ImportTenantOptions): Promise<ImportTenantReport>;
declare function importUsers(auth: ImportingAuth, { tenantId, lines, dryRun }: ImportUsersOptions): AsyncGenerator<ImportResult>;
declare const importableFields: ({ user }: BetterAuthOptions) => ImportableFields;
declare const missingPluginFields: ({ plugins }: BetterAuthOptions) => Map<string, string>;
declare function organizationToTenant(auth: AnyAuth, { organizationId, tenant, inSeveral, dryRun }: OrganizationToTenantOptions): Promise<OrganizationToTenantReport>;
declare const requiredFields: (fields?: AddedFields) => string[];
declare const tenantImports: (options?: TenantImportsOptions) => Omit<{
    readonly $ERROR_CODES: {
        IMPORT_TOO_LARGE: _$_better_auth_core_utils_error_codes0.RawError<"IMPORT_TOO_LARGE">;
        MOVE_REFUSED: _$_better_auth_core_utils_error_codes0.RawError<"MOVE_REFUSED">;
        ORGANIZATION_NOT_FOUND: _$_better_auth_core_utils_error_codes0.RawError<"ORGANIZATION_NOT_FOUND">;
        TRANSACTION_REQUIRED: _$_better_auth_core_utils_error_codes0.RawError<"TRANSACTION_REQUIRED">;
    };
    readonly endpoints: {
        readonly importTenantUsers: _$better_call0.StrictEndpoint<"/tenant/user/import", {
            metadata: {
                $Infer: {
                    body: {
                        [Symbol.asyncIterator]: (options?: ReadableStreamIteratorOptions) => ReadableStreamAsyncIterator<Uint8Array<ArrayBufferLike>>;
                        cancel: (reason?: any) => Promise<void>;
                        getReader: {
                            (): ReadableStreamDefaultReader<Uint8Array<ArrayBufferLike>>;
                            (options: {
                                mode: "byob";
                            }): ReadableStreamBYOBReader;
                            (options?: ReadableStreamGetReaderOptions): ReadableStreamReader<Uint8Array<ArrayBufferLike>>;
                        };
                        pipeThrough: <T>(transform: ReadableWritablePair<T, Uint8Array<ArrayBufferLike>>, options?: StreamPipeOptions) => ReadableStream<T>;
                        pipeTo: (destination: WritableStream<Uint8Array<ArrayBufferLike>>, options?: StreamPipeOptions) => Promise<void>;
                        readonly locked: boolean;
                        tee: () => [
                            ReadableStream<Uint8Array<ArrayBufferLike>>,
                            ReadableStream<Uint8Array<ArrayBufferLike>>
                        ];
                        values: (options?: ReadableStreamIteratorOptions) => ReadableStreamAsyncIterator<Uint8Array<ArrayBufferLike>>;
                    } | {
                        dryRun?: boolean | undefined;
                        tenantId?: string | undefined;
                        users: unknown[];
                    };
                };
                openapi: object;
            };
            method: "POST";
        } & {
            query: _$better_call0.StandardSchemaV1<undefined | {
                dryRun?: "false" | "true" | undefined;
                tenantId?: string | undefined;
            }, undefined | {
                dryRun?: "false" | "true" | undefined;
                tenantId?: string | undefined;
            }>;
        }, {
            created: number;
            failed: number;
            results: {
                code: "ACCOUNT_TAKEN" | "EMAIL_TAKEN" | "EXTERNAL_ID_TAKEN" | "INVALID_JSON" | "LAST_OWNER" | "PASSWORD_HASH_TOO_COSTLY" | "PROVIDER_NOT_FOUND" | "ROLE_NOT_FOUND" | "UNSUPPORTED_PASSWORD_HASH" | "VALIDATION_ERROR" | "VALUE_TAKEN" | "WRITE_CONFLICT" | null;
                externalId: null | string;
                line: number;
                message: null | string;
                status: "created" | "failed" | "unchanged" | "updated";
                userId: null | string;
            }[];
            unchanged: number;
            updated: number;
        }>;
        readonly moveTenantUsers: _$better_call0.StrictEndpoint<"/tenant/user/move", {
            metadata: {
                $Infer: {
                    body: {
                        dryRun?: boolean | undefined;
                        onConflict?: "refuse" | "skip" | undefined;
                        tenantId: string;
                        userIds: string[];
                    };
                };
                openapi: object;
            };
            method: "POST";
        } & object, {
            conflicts: {
                code: "ACCOUNT_TAKEN" | "API_KEY_IN_STORAGE" | "EMAIL_TAKEN" | "IN_SEVERAL_ORGANIZATIONS" | "PLATFORM_ADMIN" | "SHARED_ROW" | "UNSUPPORTED_ROW" | "USER_IN_TENANT" | "USER_NOT_FOUND" | "VALUE_TAKEN";
                id: null | string;
                message: string;
                model: null | string;
                userId: null | string;
            }[];
            endedSessions: number;
            isDryRun: boolean;
            rows: Record<string, number>;
            userIds: string[];
        }>;
    };
    readonly id: "tenant-auth-imports";
    readonly options: TenantImportsOptions;
    readonly schema: {
        tenantImportedUser: {
            fields: {
                externalId: {
                    required: true;
                    type: "string";
                };
                tenantId: {
                    required: true;
                    type: "string";
                };
                userId: {
                    index: true;
                    references: {
                        field: string;
                        model: string;
                        onDelete: "cascade";
                    };
                    required: true;
                    type: "string";
                };
            };
            indexes: {
                fields: [
                    string,
                    string
                ];
                unique: true;
            }[];
        };
    };
    readonly tenant: {
        readonly actions: {
            readonly "user:import": {
                readonly event: ({ detail }: ChangeFacts) => {
                    data: {
                        created: number;
                        updated: number;
                    };
                    type: "user.imported";
                };
                readonly grant: "app";
            };
            readonly "user:move": {
                readonly event: ({ targetId }: ChangeFacts) => {
                    data: {
                        userId: string;
                    };
                    type: "user.moved";
                };
                readonly grant: "app";
            };
        };
        readonly creator: "tenantImports";
        readonly events: {
            readonly "user.imported": "Users were imported, without an event for each";
            readonly "user.moved": "A user of the platform was moved into the tenant";
        };
        readonly requires: readonly [
            "tenant-auth"
        ];
        readonly tables: {
            readonly tenantImportedUser: "explicit";
        };
        readonly verifyPassword: typeof verifyImported;
    };
}, "tenant"> & {
    tenant: TenantPart;
};

// better-auth-tenant/password-hashes

interface FirebaseHashConfig {
    signerKey: string;
    saltSeparator: string;
    rounds: number;
    memCost: number;
}
declare function firebaseScrypt(config: FirebaseHashConfig): PasswordHash;
declare const keycloakPbkdf2: PasswordHash;

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
    kind: "choice" | "flag" | "host" | "map" | "number" | "text" | "texts" | "url";
    required?: true;
    hint?: string;
    choices?: readonly (number | string)[];
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

declare const BRANDING_FIELDS: readonly BrandingField[];
declare const BRANDING_LIMITS: Readonly<Record<BrandingField, number>>;
interface Branding {
    logoUrl?: string;
    darkLogoUrl?: string;
    faviconUrl?: string;
    primaryColor?: string;
    tagline?: string;
    supportEmail?: string;
    termsUrl?: string;
    privacyUrl?: string;
}
type BrandingField = keyof Branding;
declare const MAX_JSON_BYTES: number;
declare const MAX_NAME_LENGTH = 200;
declare const MAX_SLUG_LENGTH = 63;
declare const MIN_SLUG_LENGTH = 2;
declare const PROVIDER_PROBLEMS: {
    readonly invalid_account_id: "The account id is too long, or has control characters";
    readonly invalid_email: "The email is not an email address";
    readonly invalid_id_token: "The ID token cannot be read";
    readonly keys_unavailable: "The keys of the provider could not be loaded";
    readonly missing_claim: "The ID token has no subject, no time of issue or no time of expiry";
    readonly no_id_token: "The provider sent no ID token";
    readonly token_expired: "The ID token has expired, or the clocks differ";
    readonly token_not_valid_yet: "The ID token is not valid yet: the clocks differ";
    readonly unknown_key: "The ID token is signed with a key that the provider does not publish";
    readonly user_info_of_another_user: "The user info is about another user";
    readonly user_info_unavailable: "The user info request failed";
    readonly wrong_algorithm: "The ID token is signed with an algorithm that is not allowed";
    readonly wrong_audience: "The ID token was issued to another client";
    readonly wrong_issuer: "The ID token has another issuer";
    readonly wrong_nonce: "The ID token belongs to another sign-in";
    readonly wrong_signature: "The signature of the ID token is wrong";
};
type ProviderProblemCode = keyof typeof PROVIDER_PROBLEMS;
declare const RESERVED_SLUGS: readonly string[];
declare const SLUG_PATTERN: RegExp;
interface SlugProblem {
    code: "INVALID_SLUG" | "SLUG_RESERVED";
    message: string;
}
declare function brandingOf(metadata: Record<string, unknown> | null): Branding;
declare function findBrandingProblem(field: BrandingField, value: unknown): null | string;
declare function findSlugProblem(slug: string, reserved?: readonly string[]): SlugProblem | null;

// better-auth-tenant/sign-ins

type SignInAction = keyof typeof SIGN_IN_ACTIONS;
type TenantSignIn = z.output<typeof signInSchema>;
interface TenantSignInsOptions {
    retentionDays?: number;
    schema?: TenantSignInsSchemaNames;
}
declare const tenantSignIns: (options?: TenantSignInsOptions) => Omit<{
    readonly endpoints: {
        readonly listTenantSignIns: _$better_call0.StrictEndpoint<"/tenant/sign-in/list", {
            metadata: {
                $Infer: object;
                openapi: object;
            };
            method: "GET";
        } & {
            query: _$better_call0.StandardSchemaV1<undefined | {
                cursor?: string | undefined;
                email?: string | undefined;
                latestOf?: string | undefined;
                limit?: number | string | undefined;
                offset?: number | string | undefined;
                order?: "newest" | "oldest" | undefined;
                reason?: string | undefined;
                result?: "challenged" | "failed" | "succeeded" | undefined;
                since?: string | undefined;
                tenantId?: string | undefined;
                total?: "exact" | "none" | undefined;
                until?: string | undefined;
                userId?: string | undefined;
            }, undefined | {
                cursor?: string | undefined;
                email?: string | undefined;
                latestOf?: string | undefined;
                limit?: number | undefined;
                offset?: number | undefined;
                order?: "newest" | "oldest" | undefined;
                reason?: string | undefined;
                result?: "challenged" | "failed" | "succeeded" | undefined;
                since?: string | undefined;
                tenantId?: string | undefined;
                total?: "exact" | "none" | undefined;
                until?: string | undefined;
                userId?: string | undefined;
            }>;
        }, ListPart<{
            attempts: number;
            createdAt: Date;
            id: string;
            ipAddress: null | string;
            method: null | string;
            providerId: null | string;
            reason: null | string;
            result: "challenged" | "failed" | "succeeded";
            user: null | {
                email: string;
                id: string;
                name: string;
            };
            userAgent: null | string;
        }>>;
    };
    readonly id: "tenant-auth-sign-ins";
    readonly schema: {
        tenantSignIn: {
            fields: {
                attempts: {
                    defaultValue: number;
                    required: true;
                    type: "number";
                };
                createdAt: {
                    defaultValue: () => Date;
                    required: true;
                    type: "date";
                };
                emailDigest: {
                    required: false;
                    returned: false;
                    type: "string";
                };
                expiresAt: {
                    index: true;
                    required: true;
                    type: "date";
                };
                ipAddress: {
                    required: false;
                    type: "string";
                };
                method: {
                    required: false;
                    type: "string";
                };
                providerId: {
                    required: false;
                    type: "string";
                };
                reason: {
                    required: false;
                    type: "string";
                };
                result: {
                    required: true;
                    type: "string";
                };
                tenantId: {
                    references: {
                        readonly field: "id";
                        readonly model: "tenant";
                        readonly onDelete: "cascade";
                    };
                    required: true;
                    type: "string";
                };
                userAgent: {
                    required: false;
                    type: "string";
                };
                userId: {
                    required: false;
                    type: "string";
                };
            };
            indexes: ({
                fields: [
                    string,
                    string
                ];
            } | {
                fields: [
                    string,
                    string,
                    string
                ];
            })[];
        };
    };
    readonly tenant: {
        readonly actions: {
            readonly "sign-in:list": "owner";
        };
        readonly cleanUp: {
            readonly signIns: (ctx: _$_better_auth_core0.AuthContext, signal: AbortSignal | undefined) => Promise<number>;
        };
        readonly creator: "tenantSignIns";
        readonly forgetUser: typeof forgetUser;
        readonly requires: readonly [
            "tenant-auth"
        ];
        readonly signIns: SignInRecorder;
        readonly tables: {
            readonly tenantSignIn: "explicit";
        };
    };
}, "tenant"> & {
    tenant: TenantPart;
};

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
declare function readOwnTable(target: UpgradeTarget, table: string, columns: readonly string[]): Promise<Row[]>;
declare function toSqlScript({ statements, storageEntries }: {
    statements: Statement[];
    storageEntries?: number;
}): string;

// better-auth-tenant/webhooks

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
type TenantWebhook = z.output<typeof webhookSchema>;
interface TenantWebhookEvent extends DispatchedEvent {
    type: keyof typeof WEBHOOK_EVENTS;
    data: {
        webhookId: string;
    };
}
interface TenantWebhooksOptions {
    retentionDays?: number;
    schema?: TenantWebhooksSchemaNames;
}
type WebhookAction = keyof typeof WEBHOOK_ACTIONS;
type WebhookDelivery = z.output<typeof deliverySchema>;
declare function deliverWebhooks(auth: AnyAuth, { limit, concurrency, timeout, signal }?: DeliverWebhooksOptions): Promise<DeliverWebhooksReport>;
declare const tenantWebhooks: (options?: TenantWebhooksOptions) => Omit<SeeReference, "tenant"> & SeeReference;

// not exported, but used above

type AddedFields = Readonly<Record<string, DBFieldAttribute>>;
interface AnyAuth {
    $context: Promise<object>;
}
type AppEventAction = `app:${string}`;
interface AuthWithTenants extends AnyAuth {
    api: {
        createTenant(input: {
            body: {
                metadata?: TenantMetadata;
                name: string;
                slug: string;
            };
        }): Promise<Tenant>;
        deleteTenant(input: {
            body: {
                tenantId: string;
            };
        }): Promise<unknown>;
    };
}
type Awaitable<T> = Promise<T> | T;
type Awaitable<T> = Promise<T> | T;
declare const CORE_GRANTS: {
    readonly "audit:erase": "app";
    readonly "audit:list": "owner";
    readonly "oauth-config:delete": "owner";
    readonly "oauth-config:effective": "owner";
    readonly "oauth-config:list": "owner";
    readonly "oauth-config:register": "owner";
    readonly "oauth-config:update": "owner";
    readonly "policy:get": "owner";
    readonly "policy:update": "owner";
    readonly "session:list": "owner";
    readonly "session:revoke": "owner";
    readonly "tenant:create": "app";
    readonly "tenant:delete": "app";
    readonly "tenant:get": "owner";
    readonly "tenant:list": "app";
    readonly "tenant:resume": "app";
    readonly "tenant:suspend": "app";
    readonly "tenant:update": "owner";
    readonly "user:create": "owner";
    readonly "user:delete": "owner";
    readonly "user:disable": "owner";
    readonly "user:enable": "owner";
    readonly "user:get": "owner";
    readonly "user:impersonate": "optional";
    readonly "user:list": "owner";
    readonly "user:remove-passkeys": "owner";
    readonly "user:remove-second-factor": "owner";
    readonly "user:revoke-sessions": "owner";
    readonly "user:send-password-reset": "owner";
    readonly "user:sign-in-link": "app";
    readonly "user:update": "owner";
};
type CallOptions<R extends Route, D> = {
    metadata: {
        $Infer: Input$1<D>;
        openapi: object;
    };
    method: R["method"];
} & Query<D> extends infer All extends EndpointOptions ? All : never;
type CoreStatements = {
    readonly [Resource in ResourceOf<GrantableAction>]: readonly NameOf<GrantableAction, Resource>[];
};
declare const DOMAIN_ACTIONS: {
    readonly "domain:add": {
        event: ({ detail }: ChangeFacts) => {
            data: {
                domain: string;
            };
            type: "domain.added" | "domain.lost" | "domain.removed" | "domain.updated" | "domain.verified";
        };
        grant: "owner";
    };
    readonly "domain:list": "owner";
    readonly "domain:lost": {
        readonly event: ({ detail }: ChangeFacts) => {
            data: {
                domain: string;
            };
            type: "domain.added" | "domain.lost" | "domain.removed" | "domain.updated" | "domain.verified";
        };
        readonly grant: "app";
    };
    readonly "domain:remove": {
        event: ({ detail }: ChangeFacts) => {
            data: {
                domain: string;
            };
            type: "domain.added" | "domain.lost" | "domain.removed" | "domain.updated" | "domain.verified";
        };
        grant: "owner";
    };
    readonly "domain:update": {
        event: ({ detail }: ChangeFacts) => {
            data: {
                domain: string;
            };
            type: "domain.added" | "domain.lost" | "domain.removed" | "domain.updated" | "domain.verified";
        };
        grant: "owner";
    };
    readonly "domain:verify": {
        event: ({ detail }: ChangeFacts) => {
            data: {
                domain: string;
            };
            type: "domain.added" | "domain.lost" | "domain.removed" | "domain.updated" | "domain.verified";
        };
        grant: "owner";
    };
};
declare const DOMAIN_EVENTS: {
    readonly "domain.added": "A domain was added";
    readonly "domain.lost": "The record of a domain is gone, or another tenant has verified it";
    readonly "domain.removed": "A domain was removed";
    readonly "domain.updated": "A domain was changed";
    readonly "domain.verified": "A domain was verified";
};
declare const DOMAIN_PURPOSES: readonly [
    "login",
    "email"
];
type DatabaseType = "mysql" | "postgres" | "sqlite";
type DomainSchema = ReturnType<typeof createSchema>;
declare const EVENT_TYPES: {
    readonly "account.linked": {
        data: z.ZodObject<{
            providerId: z.ZodString;
            userId: z.ZodString;
        }, z.core.$strip>;
        description: string;
    };
    readonly "account.unlinked": {
        data: z.ZodObject<{
            providerId: z.ZodString;
            userId: z.ZodString;
        }, z.core.$strip>;
        description: string;
    };
    readonly "oauth-config.deleted": {
        data: z.ZodObject<{
            providerId: z.ZodString;
        }, z.core.$strip>;
        description: string;
    };
    readonly "oauth-config.registered": {
        data: z.ZodObject<{
            providerId: z.ZodString;
        }, z.core.$strip>;
        description: string;
    };
    readonly "oauth-config.updated": {
        data: z.ZodObject<{
            providerId: z.ZodString;
        }, z.core.$strip>;
        description: string;
    };
    readonly "policy.updated": {
        data: z.ZodObject<{
            fields: z.ZodArray<z.ZodString>;
        }, z.core.$strip>;
        description: string;
    };
    readonly "session.created": {
        data: z.ZodObject<{
            ipAddress: z.ZodNullable<z.ZodString>;
            sessionId: z.ZodString;
            userAgent: z.ZodNullable<z.ZodString>;
            userId: z.ZodString;
        }, z.core.$strip>;
        description: string;
    };
    readonly "session.revoked": {
        data: z.ZodObject<{
            sessionId: z.ZodString;
            userId: z.ZodString;
        }, z.core.$strip>;
        description: string;
    };
    readonly "sign-in.challenged": {
        data: z.ZodObject<{
            ipAddress: z.ZodNullable<z.ZodString>;
            method: z.ZodString;
            providerId: z.ZodNullable<z.ZodString>;
            userAgent: z.ZodNullable<z.ZodString>;
            userId: z.ZodNullable<z.ZodString>;
        }, z.core.$strip>;
        description: string;
    };
    readonly "sign-in.failed": {
        data: z.ZodObject<{
            ipAddress: z.ZodNullable<z.ZodString>;
            method: z.ZodString;
            providerId: z.ZodNullable<z.ZodString>;
            reason: z.ZodString;
            userAgent: z.ZodNullable<z.ZodString>;
            userId: z.ZodNullable<z.ZodString>;
        }, z.core.$strip>;
        description: string;
    };
    readonly "sign-in.succeeded": {
        data: z.ZodObject<{
            ipAddress: z.ZodNullable<z.ZodString>;
            method: z.ZodString;
            providerId: z.ZodNullable<z.ZodString>;
            userAgent: z.ZodNullable<z.ZodString>;
            userId: z.ZodString;
        }, z.core.$strip>;
        description: string;
    };
    readonly "tenant.created": {
        data: z.ZodObject<{
            name: z.ZodString;
            slug: z.ZodString;
        }, z.core.$strip>;
        description: string;
    };
    readonly "tenant.deleted": {
        data: z.ZodObject<{}, z.core.$strip>;
        description: string;
    };
    readonly "tenant.resumed": {
        data: z.ZodObject<{}, z.core.$strip>;
        description: string;
    };
    readonly "tenant.suspended": {
        data: z.ZodObject<{}, z.core.$strip>;
        description: string;
    };
    readonly "tenant.updated": {
        data: z.ZodObject<{
            fields: z.ZodArray<z.ZodString>;
        }, z.core.$strip>;
        description: string;
    };
    readonly "user.created": {
        data: z.ZodObject<{
            email: z.ZodString;
            emailVerified: z.ZodBoolean;
            name: z.ZodString;
            userId: z.ZodString;
        }, z.core.$strip>;
        description: string;
    };
    readonly "user.deleted": {
        data: z.ZodObject<{
            userId: z.ZodString;
        }, z.core.$strip>;
        description: string;
    };
    readonly "user.disabled": {
        data: z.ZodObject<{
            userId: z.ZodString;
        }, z.core.$strip>;
        description: string;
    };
    readonly "user.enabled": {
        data: z.ZodObject<{
            userId: z.ZodString;
        }, z.core.$strip>;
        description: string;
    };
    readonly "user.impersonated": {
        data: z.ZodObject<{
            userId: z.ZodString;
        }, z.core.$strip>;
        description: string;
    };
    readonly "user.password-changed": {
        data: z.ZodObject<{
            userId: z.ZodString;
        }, z.core.$strip>;
        description: string;
    };
    readonly "user.updated": {
        data: z.ZodObject<{
            fields: z.ZodArray<z.ZodString>;
            userId: z.ZodString;
        }, z.core.$strip>;
        description: string;
    };
};
interface EncryptedField {
    name: string;
    isEncrypted?: (ctx: Options) => boolean;
    isJson?: true;
    mayBePlain?: true;
    placeOf?: (row: Row) => string[];
    isUsed?: (row: Row) => boolean;
    ifUnreadable: "handled by its feature" | "refuse" | {
        logAt: readonly string[];
    };
}
type Endpoints = typeof endpoints;
type EndpointsWith<Metadata> = TenantMetadata extends Metadata ? Endpoints : Omit<Endpoints, TenantEndpoint> & {
    [Name in TenantEndpoint]: TypedEndpoint$1<Endpoints[Name], Metadata>;
};
type GrantableAction = {
    [Action in CoreAction]: (typeof CORE_GRANTS)[Action] extends "app" ? never : Action;
}[CoreAction];
declare const IMPORT_ACTIONS: {
    readonly "user:import": {
        readonly event: ({ detail }: ChangeFacts) => {
            data: {
                created: number;
                updated: number;
            };
            type: "user.imported";
        };
        readonly grant: "app";
    };
    readonly "user:move": {
        readonly event: ({ targetId }: ChangeFacts) => {
            data: {
                userId: string;
            };
            type: "user.moved";
        };
        readonly grant: "app";
    };
};
declare const INVITATION_ACTIONS: {
    readonly "invitation:accept": {
        readonly event: ({ targetId, detail }: ChangeFacts) => {
            data: {
                invitationId: unknown;
                userId: string;
            };
            type: "invitation.accepted";
        };
        readonly grant: "app";
    };
    readonly "invitation:create": {
        event: ({ targetId }: ChangeFacts) => {
            data: {
                invitationId: string;
            };
            type: "invitation.created" | "invitation.resent" | "invitation.revoked";
        };
        grant: "owner";
    };
    readonly "invitation:list": "owner";
    readonly "invitation:resend": {
        event: ({ targetId }: ChangeFacts) => {
            data: {
                invitationId: string;
            };
            type: "invitation.created" | "invitation.resent" | "invitation.revoked";
        };
        grant: "owner";
    };
    readonly "invitation:revoke": {
        event: ({ targetId }: ChangeFacts) => {
            data: {
                invitationId: string;
            };
            type: "invitation.created" | "invitation.resent" | "invitation.revoked";
        };
        grant: "owner";
    };
};
declare const INVITATION_EVENTS: {
    readonly "invitation.accepted": "An invitation was accepted";
    readonly "invitation.created": "Somebody was invited";
    readonly "invitation.resent": "An invitation was sent again";
    readonly "invitation.revoked": "An invitation was revoked";
};
type ImportSchema = ReturnType<typeof createSchema>;
type ImportableFields = Readonly<Record<string, DBFieldAttribute>>;
interface ImportingAuth {
    api: {
        importTenantUsers(call: {
            body: {
                dryRun: boolean;
                tenantId: string;
                users: unknown[];
            };
        }): Promise<{
            results: ImportResult[];
        }>;
    };
}
type Input$1<D> = D extends {
    metadata: {
        $Infer: infer Given;
    };
} ? Given : D extends {
    body: {
        _zod: {
            input: infer Body;
        };
    };
} ? {
    body: Plain<Body>;
} : object;
type InvitationSchema = ReturnType<typeof createSchema>;
interface Issue {
    readonly message: string;
    readonly path?: readonly (PropertyKey | {
        readonly key: PropertyKey;
    })[] | undefined;
}
declare const LINK_ACTIONS: {
    readonly "link-settings:get": "owner";
    readonly "link-settings:update": "owner";
    readonly "link:add": {
        event: ({ targetId }: ChangeFacts) => {
            data: {
                userId: string;
            };
            type: "link.added" | "link.ended" | "link.entered" | "link.left";
        };
        grant: "app";
    };
    readonly "link:end": {
        event: ({ targetId }: ChangeFacts) => {
            data: {
                userId: string;
            };
            type: "link.added" | "link.ended" | "link.entered" | "link.left";
        };
        grant: "app";
    };
    readonly "link:enter": {
        event: ({ targetId }: ChangeFacts) => {
            data: {
                userId: string;
            };
            type: "link.added" | "link.ended" | "link.entered" | "link.left";
        };
        grant: "app";
    };
    readonly "link:leave": {
        event: ({ targetId }: ChangeFacts) => {
            data: {
                userId: string;
            };
            type: "link.added" | "link.ended" | "link.entered" | "link.left";
        };
        grant: "app";
    };
};
declare const LINK_EVENTS: {
    readonly "link.added": "A user was linked with a user of another tenant";
    readonly "link.ended": "A user ended all their links";
    readonly "link.entered": "A linked user switched to this tenant";
    readonly "link.left": "A linked user switched to another tenant";
};
type LinkSchema = ReturnType<typeof createSchema>;
type ManagementRouteName = {
    [Name in RouteName]: Routes[Name] extends {
        action: string;
    } ? Name : never;
}[RouteName];
type NameOf<Action, Resource extends string> = Action extends `${Resource}:${infer Name}` ? Name : never;
type NewEvent = {
    [Type in TenantEventType]: {
        data: TenantEventData<Type>;
        type: Type;
    };
}[TenantEventType];
declare const OPENID_ACTIONS: {
    readonly "connection:test": "owner";
};
type OnEvent = (event: TenantEvent) => Promise<void> | void;
type Options = Pick<AuthContext, "options">;
type OwnModel = "tenant" | "tenantAuditEvent" | "tenantFormerSlug" | "tenantOauthConfig" | "tenantRow";
type Plain<Fields> = Fields extends object ? {
    [Field in keyof Fields]: Fields[Field];
} : Fields;
type PluginWith<Endpoints> = Omit<ReturnType<typeof createPlugin>, "endpoints"> & {
    endpoints: Endpoints;
};
type ProviderSettings = z.output<typeof storedSettings>;
type Query<D> = D extends {
    query: {
        _zod: {
            input: infer Sent;
            output: infer Read;
        };
    };
} ? {
    query: StandardSchemaV1<Plain<Sent>, Plain<Read>>;
} : object;
declare const ROUTES: SeeReference;
type ResourceOf<Action> = Action extends `${infer Resource}:${string}` ? Resource : never;
type Result = {
    readonly issues: readonly Issue[];
} | {
    readonly issues?: undefined;
    readonly value: unknown;
};
interface Route {
    method: "GET" | "POST";
    path: `/tenant/${string}`;
    action?: `${string}:${string}`;
    createsSession?: true;
}
type RouteName = keyof Routes;
type Routes = typeof ROUTES;
type Row = Record<string, unknown>;
type Row = Readonly<Record<string, unknown>>;
interface RunInTenantOptions {
    allowSuspended?: boolean;
}
declare const SIGN_IN_ACTIONS: {
    readonly "sign-in:list": "owner";
};
declare const SIGN_IN_METHODS: readonly [
    "password",
    "social",
    "magic-link",
    "email-otp",
    "phone-number",
    "passkey",
    "sso",
    "siwe",
    "anonymous"
];
type SchemaNames<Schema extends BetterAuthPluginDBSchema> = {
    [Model in keyof Schema]?: {
        fields?: {
            [Field in keyof Schema[Model]["fields"]]?: string;
        };
        modelName?: string;
    };
};
type ServerPlugin<Known extends object> = Known extends {
    options: {
        plugins: readonly (infer Plugin)[];
    };
} ? Extract<Plugin, {
    id: "tenant-auth";
}> : TenantAuthPlugin<Known>;
type SignInSchema = ReturnType<typeof createSchema>;
type Source = {
    context: object;
} & Partial<Pick<GenericEndpointContext, "headers" | "request">>;
interface StandardSchema<Output> {
    readonly "~standard": {
        readonly types?: undefined | {
            readonly output: Output;
        };
        readonly validate: (value: unknown) => Promise<Result> | Result;
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
interface TenantConflict {
    code: "INVALID_TENANT" | "SLUG_TAKEN" | "UNKNOWN_TENANT";
    value: string;
    userId: null;
    model: null;
    id: null;
    message: string;
}
type TenantDomainsSchemaNames = SchemaNames<DomainSchema>;
type TenantEndpoint = "createTenant" | "getTenant" | "listTenants" | "resumeTenant" | "suspendTenant" | "updateTenant";
type TenantId = null | string | undefined;
type TenantImportsSchemaNames = SchemaNames<ImportSchema>;
type TenantInvitationsSchemaNames = SchemaNames<InvitationSchema>;
type TenantLinksSchemaNames = SchemaNames<LinkSchema>;
type TenantRole = "admin" | "member" | "owner";
type TenantSignInsSchemaNames = SchemaNames<SignInSchema>;
type TenantStatements = Partial<CoreStatements> & Readonly<Record<string, readonly string[]>>;
type TenantWebhooksSchemaNames = SchemaNames<WebhookSchema>;
type Typed$1<Result, Metadata> = Result extends ListPart<Tenant> ? ListPart<TenantWith<Metadata>> : Result extends Tenant ? TenantWith<Metadata> : Result;
type TypedEndpoint$1<Endpoint, Metadata> = Endpoint extends StrictEndpoint<infer Path, infer Options, infer Result> ? WithBody$1<Options, Metadata> extends infer All extends EndpointOptions ? StrictEndpoint<Path, All, Typed$1<Result, Metadata>> : never : never;
type UserFields = Record<string, DBFieldAttribute>;
declare const WEBHOOK_ACTIONS: {
    readonly "webhook:create": {
        event: ({ targetId }: ChangeFacts) => {
            data: {
                webhookId: string;
            };
            type: "webhook.created" | "webhook.deleted" | "webhook.disabled" | "webhook.ping" | "webhook.secret-rotated" | "webhook.updated";
        };
        grant: "owner";
    };
    readonly "webhook:delete": {
        event: ({ targetId }: ChangeFacts) => {
            data: {
                webhookId: string;
            };
            type: "webhook.created" | "webhook.deleted" | "webhook.disabled" | "webhook.ping" | "webhook.secret-rotated" | "webhook.updated";
        };
        grant: "owner";
    };
    readonly "webhook:disable": {
        readonly event: ({ targetId }: ChangeFacts) => {
            data: {
                webhookId: string;
            };
            type: "webhook.created" | "webhook.deleted" | "webhook.disabled" | "webhook.ping" | "webhook.secret-rotated" | "webhook.updated";
        };
        readonly grant: "app";
    };
    readonly "webhook:list": "owner";
    readonly "webhook:list-deliveries": "owner";
    readonly "webhook:replay-delivery": "owner";
    readonly "webhook:rotate-secret": {
        event: ({ targetId }: ChangeFacts) => {
            data: {
                webhookId: string;
            };
            type: "webhook.created" | "webhook.deleted" | "webhook.disabled" | "webhook.ping" | "webhook.secret-rotated" | "webhook.updated";
        };
        grant: "owner";
    };
    readonly "webhook:test": "owner";
    readonly "webhook:update": {
        event: ({ targetId }: ChangeFacts) => {
            data: {
                webhookId: string;
            };
            type: "webhook.created" | "webhook.deleted" | "webhook.disabled" | "webhook.ping" | "webhook.secret-rotated" | "webhook.updated";
        };
        grant: "owner";
    };
};
declare const WEBHOOK_EVENTS: {
    readonly "webhook.created": "A webhook was created";
    readonly "webhook.deleted": "A webhook was deleted";
    readonly "webhook.disabled": "A webhook was disabled because it kept failing";
    readonly "webhook.ping": "A test of a webhook";
    readonly "webhook.secret-rotated": "A webhook got a new secret";
    readonly "webhook.updated": "A webhook was changed";
};
type WebhookSchema = ReturnType<typeof createSchema>;
type WithBody$1<Options, Metadata> = Options extends {
    metadata: {
        $Infer: infer Input;
    };
} ? Input extends {
    body: {
        metadata?: unknown;
    };
} ? Omit<Options, "metadata"> & {
    metadata: Omit<Options["metadata"], "$Infer"> & {
        $Infer: Omit<Input, "body"> & {
            body: Omit<Input["body"], "metadata"> & {
                metadata?: (Metadata & {
                    branding?: unknown;
                }) | null | undefined;
            };
        };
    };
} : Options : Options;
declare const actorSchema: z.ZodObject<{
    id: z.ZodNullable<z.ZodString>;
    kind: z.ZodEnum<{
        administrator: "administrator";
        host: "host";
        key: "key";
        member: "member";
        server: "server";
    }>;
    name: z.ZodOptional<z.ZodString>;
}, z.core.$strip>;
declare const auditEventSchema: z.ZodObject<{
    action: z.ZodCustom<`${string}:${string}` | `admin:${string}` | `app:${string}`, `${string}:${string}` | `admin:${string}` | `app:${string}`>;
    actor: z.ZodObject<{
        id: z.ZodNullable<z.ZodString>;
        kind: z.ZodEnum<{
            administrator: "administrator";
            host: "host";
            key: "key";
            member: "member";
            server: "server";
        }>;
        name: z.ZodOptional<z.ZodString>;
    }, z.core.$strip>;
    createdAt: z.ZodDate;
    detail: z.ZodNullable<z.ZodRecord<z.ZodString, z.ZodUnknown>>;
    id: z.ZodString;
    ipAddress: z.ZodNullable<z.ZodString>;
    targetId: z.ZodNullable<z.ZodString>;
    tenantId: z.ZodNullable<z.ZodString>;
    userAgent: z.ZodNullable<z.ZodString>;
}, z.core.$strip>;
declare const conflictSchema: z.ZodObject<{
    code: z.ZodEnum<{
        ACCOUNT_TAKEN: "ACCOUNT_TAKEN";
        API_KEY_IN_STORAGE: "API_KEY_IN_STORAGE";
        EMAIL_TAKEN: "EMAIL_TAKEN";
        IN_SEVERAL_ORGANIZATIONS: "IN_SEVERAL_ORGANIZATIONS";
        PLATFORM_ADMIN: "PLATFORM_ADMIN";
        SHARED_ROW: "SHARED_ROW";
        UNSUPPORTED_ROW: "UNSUPPORTED_ROW";
        USER_IN_TENANT: "USER_IN_TENANT";
        USER_NOT_FOUND: "USER_NOT_FOUND";
        VALUE_TAKEN: "VALUE_TAKEN";
    }>;
    id: z.ZodNullable<z.ZodString>;
    message: z.ZodString;
    model: z.ZodNullable<z.ZodString>;
    userId: z.ZodNullable<z.ZodString>;
}, z.core.$strip>;
declare const connectionTestSchema: z.ZodObject<{
    ok: z.ZodBoolean;
    steps: z.ZodArray<z.ZodObject<{
        message: z.ZodString;
        name: z.ZodEnum<{
            "redirect-uri": "redirect-uri";
            client: "client";
            config: "config";
            discovery: "discovery";
            keys: "keys";
        }>;
        state: z.ZodEnum<{
            failed: "failed";
            passed: "passed";
            skipped: "skipped";
            unknown: "unknown";
        }>;
    }, z.core.$strip>>;
}, z.core.$strip>;
declare function createPlugin(options?: TenantAuthOptions): SeeReference;
declare const createSchema: () => SeeReference;
declare const createSchema: () => SeeReference;
declare const createSchema: () => SeeReference;
declare const createSchema: () => SeeReference;
declare const createSchema: () => SeeReference;
declare const createSchema: () => SeeReference;
declare const createSchema: () => SeeReference;
declare const deliverySchema: z.ZodObject<{
    attempts: z.ZodInt;
    createdAt: z.ZodDate;
    error: z.ZodNullable<z.ZodString>;
    eventId: z.ZodString;
    eventType: z.ZodString;
    finishedAt: z.ZodNullable<z.ZodDate>;
    id: z.ZodString;
    nextAttemptAt: z.ZodNullable<z.ZodDate>;
    payload: z.ZodString;
    responseStatus: z.ZodNullable<z.ZodInt>;
    state: z.ZodEnum<{
        delivered: "delivered";
        failed: "failed";
        pending: "pending";
    }>;
    webhookId: z.ZodString;
}, z.core.$strip>;
declare const domainSchema: z.ZodObject<{
    checkedAt: z.ZodNullable<z.ZodDate>;
    createdAt: z.ZodDate;
    discoverable: z.ZodBoolean;
    host: z.ZodString;
    id: z.ZodString;
    missingSince: z.ZodNullable<z.ZodDate>;
    primary: z.ZodBoolean;
    purpose: z.ZodEnum<{
        email: "email";
        login: "login";
    }>;
    record: z.ZodObject<{
        name: z.ZodString;
        type: z.ZodLiteral<"TXT">;
        value: z.ZodString;
    }, z.core.$strip>;
    state: z.ZodEnum<{
        pending: "pending";
        verified: "verified";
    }>;
    tenantId: z.ZodString;
    verifiedAt: z.ZodNullable<z.ZodDate>;
}, z.core.$strip>;
declare const effectiveProviderSchema: z.ZodObject<{
    callbackURL: z.ZodString;
    config: z.ZodEnum<{
        absent: "absent";
        disabled: "disabled";
        own: "own";
        unreadable: "unreadable";
    }>;
    lastFailure: z.ZodNullable<z.ZodObject<{
        at: z.ZodDate;
        code: z.ZodString;
    }, z.core.$strip>>;
    name: z.ZodOptional<z.ZodString>;
    providerId: z.ZodString;
    source: z.ZodEnum<{
        global: "global";
        none: "none";
        tenant: "tenant";
    }>;
}, z.core.$strip>;
declare const endpoints: {
    createTenant: _$better_call0.StrictEndpoint<"/tenant/create", {
        metadata: {
            $Infer: {
                body: {
                    id?: string | undefined;
                    metadata?: Record<string, unknown> | null | undefined;
                    name: string;
                    releaseSlug?: boolean | undefined;
                    slug: string;
                };
            };
            openapi: object;
        };
        method: "POST";
    } & object, {
        createdAt: Date;
        id: string;
        metadata: Record<string, unknown> | null;
        name: string;
        slug: string;
        suspendedAt?: Date | undefined;
        updatedAt: Date;
    }>;
    createTenantSignInLink: _$better_call0.StrictEndpoint<"/tenant/user/sign-in-link", {
        metadata: {
            $Infer: {
                body: {
                    callbackURL?: string | undefined;
                    expiresIn?: number | undefined;
                    reason: string;
                    tenantId?: string | undefined;
                    userId: string;
                };
            };
            openapi: object;
        };
        method: "POST";
    } & object, {
        expiresAt: Date;
        url: string;
    }>;
    createTenantUser: _$better_call0.StrictEndpoint<"/tenant/user/create", {
        metadata: {
            $Infer: {
                body: z.input<z.ZodObject<{
                    email: z.ZodEmail;
                    emailVerified: z.ZodOptional<z.ZodBoolean>;
                    image: z.ZodOptional<z.ZodString>;
                    name: z.ZodString;
                    password: z.ZodOptional<z.ZodString>;
                    role: z.ZodOptional<z.ZodString>;
                    tenantId: z.ZodOptional<z.ZodString>;
                }, _$zod_v4_core0.$strip>>;
            };
            openapi: object;
        };
        method: "POST";
    } & object, TenantUser>;
    currentTenant: _$better_call0.StrictEndpoint<"/tenant/current", {
        metadata: {
            $Infer: object;
            openapi: object;
        };
        method: "GET";
    } & {
        query: _$better_call0.StandardSchemaV1<undefined | {
            tenantId?: string | undefined;
        }, undefined | {
            tenantId?: string | undefined;
        }>;
    }, null | {
        branding: {
            darkLogoUrl?: string | undefined;
            faviconUrl?: string | undefined;
            logoUrl?: string | undefined;
            primaryColor?: string | undefined;
            privacyUrl?: string | undefined;
            supportEmail?: string | undefined;
            tagline?: string | undefined;
            termsUrl?: string | undefined;
        };
        id: string;
        name: string;
        slug: string;
    }>;
    deleteTenant: _$better_call0.StrictEndpoint<"/tenant/delete", {
        metadata: {
            $Infer: {
                body: {
                    tenantId: string;
                };
            };
            openapi: object;
        };
        method: "POST";
    } & object, {
        success: true;
    }>;
    deleteTenantOAuthConfig: _$better_call0.StrictEndpoint<"/tenant/oauth-config/delete", {
        metadata: {
            $Infer: {
                body: {
                    providerId: TenantProviderId;
                    tenantId?: string | undefined;
                };
            };
            openapi: object;
        };
        method: "POST";
    } & object, {
        success: true;
    }>;
    deleteTenantUser: _$better_call0.StrictEndpoint<"/tenant/user/delete", {
        metadata: {
            $Infer: {
                body: {
                    tenantId?: string | undefined;
                    userId: string;
                };
            };
            openapi: object;
        };
        method: "POST";
    } & object, {
        success: true;
    }>;
    disableTenantUser: _$better_call0.StrictEndpoint<"/tenant/user/disable", {
        metadata: {
            $Infer: {
                body: {
                    tenantId?: string | undefined;
                    userId: string;
                };
            };
            openapi: object;
        };
        method: "POST";
    } & object, TenantUser>;
    effectiveTenantOAuthConfigs: _$better_call0.StrictEndpoint<"/tenant/oauth-config/effective", {
        metadata: {
            $Infer: object;
            openapi: object;
        };
        method: "GET";
    } & {
        query: _$better_call0.StandardSchemaV1<undefined | {
            tenantId?: string | undefined;
        }, undefined | {
            tenantId?: string | undefined;
        }>;
    }, {
        callbackURL: string;
        config: "absent" | "disabled" | "own" | "unreadable";
        lastFailure: null | {
            at: Date;
            code: string;
        };
        name?: string | undefined;
        providerId: string;
        source: "global" | "none" | "tenant";
    }[]>;
    enableTenantUser: _$better_call0.StrictEndpoint<"/tenant/user/enable", {
        metadata: {
            $Infer: {
                body: {
                    tenantId?: string | undefined;
                    userId: string;
                };
            };
            openapi: object;
        };
        method: "POST";
    } & object, TenantUser>;
    eraseTenantAuditEvents: _$better_call0.StrictEndpoint<"/tenant/audit/erase", {
        metadata: {
            $Infer: {
                body: {
                    tenantId: string;
                };
            };
            openapi: object;
        };
        method: "POST";
    } & object, {
        erased: number;
    }>;
    getTenant: _$better_call0.StrictEndpoint<"/tenant/get", {
        metadata: {
            $Infer: object;
            openapi: object;
        };
        method: "GET";
    } & {
        query: _$better_call0.StandardSchemaV1<undefined | {
            id: string;
            slug?: undefined;
        } | {
            id?: undefined;
            slug: string;
        } | {
            id?: undefined;
            slug?: undefined;
        }, undefined | {
            id: string;
            slug?: undefined;
        } | {
            id?: undefined;
            slug: string;
        } | {
            id?: undefined;
            slug?: undefined;
        }>;
    }, {
        createdAt: Date;
        id: string;
        metadata: Record<string, unknown> | null;
        name: string;
        slug: string;
        suspendedAt?: Date | undefined;
        updatedAt: Date;
    }>;
    getTenantPolicy: _$better_call0.StrictEndpoint<"/tenant/policy/get", {
        metadata: {
            $Infer: object;
            openapi: object;
        };
        method: "GET";
    } & {
        query: _$better_call0.StandardSchemaV1<undefined | {
            tenantId?: string | undefined;
        }, undefined | {
            tenantId?: string | undefined;
        }>;
    }, {
        password: {
            minLength: null | number;
            rejectBreached: boolean;
        };
        secondFactor: {
            required: boolean;
        };
        session: {
            idleTime: null | number;
            lifetime: null | number;
        };
        signIn: {
            fallbackToGlobal: boolean;
            methods: ("anonymous" | "email-otp" | "magic-link" | "passkey" | "password" | "phone-number" | "siwe" | "social" | "sso")[] | null;
            providers: null | string[];
        };
        signUp: {
            emailDomains: null | string[];
            mode: "closed" | "invite" | "open";
        };
    }>;
    getTenantUser: _$better_call0.StrictEndpoint<"/tenant/user/get", {
        metadata: {
            $Infer: object;
            openapi: object;
        };
        method: "GET";
    } & {
        query: _$better_call0.StandardSchemaV1<{
            tenantId?: string | undefined;
            userId: string;
        }, {
            tenantId?: string | undefined;
            userId: string;
        }>;
    }, {
        accounts: {
            accountId: string;
            createdAt: Date;
            id: string;
            providerId: string;
        }[];
        passkeys: {
            backedUp: boolean;
            createdAt: Date | null;
            id: string;
            name: null | string;
        }[];
        sessions: {
            createdAt: Date;
            expiresAt: Date;
            id: string;
            impersonatedBy: null | string;
            ipAddress: null | string;
            updatedAt: Date;
            user: {
                email: string;
                id: string;
                name: string;
                role: string;
            };
            userAgent: null | string;
            userId: string;
        }[];
        user: TenantUser;
    }>;
    impersonateTenantUser: _$better_call0.StrictEndpoint<"/tenant/user/impersonate", {
        metadata: {
            $Infer: {
                body: {
                    reason: string;
                    setCookie?: boolean | undefined;
                    tenantId?: string | undefined;
                    userId: string;
                };
            };
            openapi: object;
        };
        method: "POST";
    } & object, {
        session: {
            createdAt: Date;
            expiresAt: Date;
            id: string;
            impersonatedBy: null | string;
            ipAddress: null | string;
            updatedAt: Date;
            user: {
                email: string;
                id: string;
                name: string;
                role: string;
            };
            userAgent: null | string;
            userId: string;
        };
        token: string;
        user: TenantUser;
    }>;
    listTenantAuditEvents: _$better_call0.StrictEndpoint<"/tenant/audit/list", {
        metadata: {
            $Infer: object;
            openapi: object;
        };
        method: "GET";
    } & {
        query: _$better_call0.StandardSchemaV1<undefined | {
            action?: string | undefined;
            actorId?: string | undefined;
            cursor?: string | undefined;
            limit?: number | string | undefined;
            offset?: number | string | undefined;
            order?: "newest" | "oldest" | undefined;
            since?: string | undefined;
            targetId?: string | undefined;
            tenantId?: string | undefined;
            total?: "exact" | "none" | undefined;
            until?: string | undefined;
        }, undefined | {
            action?: string | undefined;
            actorId?: string | undefined;
            cursor?: string | undefined;
            limit?: number | undefined;
            offset?: number | undefined;
            order?: "newest" | "oldest" | undefined;
            since?: string | undefined;
            targetId?: string | undefined;
            tenantId?: string | undefined;
            total?: "exact" | "none" | undefined;
            until?: string | undefined;
        }>;
    }, ListPart<{
        action: `${string}:${string}` | `admin:${string}` | `app:${string}`;
        actor: {
            id: null | string;
            kind: "administrator" | "host" | "key" | "member" | "server";
            name?: string | undefined;
        };
        createdAt: Date;
        detail: Record<string, unknown> | null;
        id: string;
        ipAddress: null | string;
        targetId: null | string;
        tenantId: null | string;
        userAgent: null | string;
    }>>;
    listTenantOAuthConfigs: _$better_call0.StrictEndpoint<"/tenant/oauth-config/list", {
        metadata: {
            $Infer: object;
            openapi: object;
        };
        method: "GET";
    } & {
        query: _$better_call0.StandardSchemaV1<undefined | {
            tenantId?: string | undefined;
        }, undefined | {
            tenantId?: string | undefined;
        }>;
    }, {
        clientId: string;
        clientIds: string[];
        createdAt: Date;
        enabled: boolean;
        id: string;
        options: Record<string, unknown> | null;
        providerId: TenantProviderId;
        redirectURI: null | string;
        scopes: string[];
        tenantId: string;
        trustEmails: string[];
        updatedAt: Date;
    }[]>;
    listTenantSessions: _$better_call0.StrictEndpoint<"/tenant/session/list", {
        metadata: {
            $Infer: object;
            openapi: object;
        };
        method: "GET";
    } & {
        query: _$better_call0.StandardSchemaV1<undefined | {
            cursor?: string | undefined;
            limit?: number | string | undefined;
            offset?: number | string | undefined;
            order?: "newest" | "oldest" | undefined;
            search?: string | undefined;
            tenantId?: string | undefined;
            total?: "exact" | "none" | undefined;
        }, undefined | {
            cursor?: string | undefined;
            limit?: number | undefined;
            offset?: number | undefined;
            order?: "newest" | "oldest" | undefined;
            search?: string | undefined;
            tenantId?: string | undefined;
            total?: "exact" | "none" | undefined;
        }>;
    }, ListPart<{
        createdAt: Date;
        expiresAt: Date;
        id: string;
        impersonatedBy: null | string;
        ipAddress: null | string;
        updatedAt: Date;
        user: {
            email: string;
            id: string;
            name: string;
            role: string;
        };
        userAgent: null | string;
        userId: string;
    }>>;
    listTenantUsers: _$better_call0.StrictEndpoint<"/tenant/user/list", {
        metadata: {
            $Infer: object;
            openapi: object;
        };
        method: "GET";
    } & {
        query: _$better_call0.StandardSchemaV1<undefined | {
            cursor?: string | undefined;
            ids?: string | undefined;
            limit?: number | string | undefined;
            offset?: number | string | undefined;
            order?: "newest" | "oldest" | undefined;
            role?: string | undefined;
            search?: string | undefined;
            sort?: "-email" | "-name" | "email" | "name" | undefined;
            status?: "active" | "disabled" | "unverified" | undefined;
            tenantId?: string | undefined;
            total?: "exact" | "none" | undefined;
        }, undefined | {
            cursor?: string | undefined;
            ids?: string | undefined;
            limit?: number | undefined;
            offset?: number | undefined;
            order?: "newest" | "oldest" | undefined;
            role?: string | undefined;
            search?: string | undefined;
            sort?: "-email" | "-name" | "email" | "name" | undefined;
            status?: "active" | "disabled" | "unverified" | undefined;
            tenantId?: string | undefined;
            total?: "exact" | "none" | undefined;
        }>;
    }, ListPart<TenantUser>>;
    listTenants: _$better_call0.StrictEndpoint<"/tenant/list", {
        metadata: {
            $Infer: object;
            openapi: object;
        };
        method: "GET";
    } & {
        query: _$better_call0.StandardSchemaV1<undefined | {
            cursor?: string | undefined;
            limit?: number | string | undefined;
            offset?: number | string | undefined;
            order?: "newest" | "oldest" | undefined;
            search?: string | undefined;
            sort?: "-name" | "-slug" | "name" | "slug" | undefined;
            status?: "open" | "suspended" | undefined;
            total?: "exact" | "none" | undefined;
        }, undefined | {
            cursor?: string | undefined;
            limit?: number | undefined;
            offset?: number | undefined;
            order?: "newest" | "oldest" | undefined;
            search?: string | undefined;
            sort?: "-name" | "-slug" | "name" | "slug" | undefined;
            status?: "open" | "suspended" | undefined;
            total?: "exact" | "none" | undefined;
        }>;
    }, ListPart<{
        createdAt: Date;
        id: string;
        metadata: Record<string, unknown> | null;
        name: string;
        slug: string;
        suspendedAt?: Date | undefined;
        updatedAt: Date;
    }>>;
    openTenantSignInLink: _$better_call0.StrictEndpoint<"/tenant/sign-in-link", {
        metadata: {
            openapi: {
                description: string;
                operationId: string;
                parameters: {
                    in: "query";
                    name: string;
                    required: true;
                    schema: {
                        type: "string";
                    };
                }[];
                responses: {
                    "302": {
                        description: string;
                    };
                };
            };
            scope: "server";
        };
        method: "GET";
        query: z.ZodOptional<z.ZodRecord<z.ZodString, z.ZodUnknown>>;
    }, never>;
    registerTenantOAuthConfig: _$better_call0.StrictEndpoint<"/tenant/oauth-config/register", {
        metadata: {
            $Infer: {
                body: {
                    clientId: string | string[];
                    clientSecret: string;
                    enabled?: boolean | undefined;
                    options?: Record<string, unknown> | undefined;
                    providerId: TenantProviderId;
                    redirectURI?: string | undefined;
                    scopes?: string[] | undefined;
                    tenantId?: string | undefined;
                    trustEmails?: string[] | undefined;
                };
            };
            openapi: object;
        };
        method: "POST";
    } & object, {
        clientId: string;
        clientIds: string[];
        createdAt: Date;
        enabled: boolean;
        id: string;
        options: Record<string, unknown> | null;
        providerId: TenantProviderId;
        redirectURI: null | string;
        scopes: string[];
        tenantId: string;
        trustEmails: string[];
        updatedAt: Date;
    }>;
    removeTenantPasskeys: _$better_call0.StrictEndpoint<"/tenant/user/remove-passkeys", {
        metadata: {
            $Infer: {
                body: {
                    passkeyId?: string | undefined;
                    tenantId?: string | undefined;
                    userId: string;
                };
            };
            openapi: object;
        };
        method: "POST";
    } & object, {
        removed: number;
    }>;
    removeTenantSecondFactor: _$better_call0.StrictEndpoint<"/tenant/user/remove-second-factor", {
        metadata: {
            $Infer: {
                body: {
                    tenantId?: string | undefined;
                    userId: string;
                };
            };
            openapi: object;
        };
        method: "POST";
    } & object, TenantUser>;
    resumeTenant: _$better_call0.StrictEndpoint<"/tenant/resume", {
        metadata: {
            $Infer: {
                body: {
                    tenantId?: string | undefined;
                };
            };
            openapi: object;
        };
        method: "POST";
    } & object, {
        createdAt: Date;
        id: string;
        metadata: Record<string, unknown> | null;
        name: string;
        slug: string;
        suspendedAt?: Date | undefined;
        updatedAt: Date;
    }>;
    revokeTenantSession: _$better_call0.StrictEndpoint<"/tenant/session/revoke", {
        metadata: {
            $Infer: {
                body: {
                    sessionId: string;
                    tenantId?: string | undefined;
                    userId: string;
                };
            };
            openapi: object;
        };
        method: "POST";
    } & object, {
        success: true;
    }>;
    revokeTenantUserSessions: _$better_call0.StrictEndpoint<"/tenant/user/revoke-sessions", {
        metadata: {
            $Infer: {
                body: {
                    tenantId?: string | undefined;
                    userId: string;
                };
            };
            openapi: object;
        };
        method: "POST";
    } & object, {
        success: true;
    }>;
    sendTenantPasswordReset: _$better_call0.StrictEndpoint<"/tenant/user/send-password-reset", {
        metadata: {
            $Infer: {
                body: {
                    redirectTo?: string | undefined;
                    tenantId?: string | undefined;
                    userId: string;
                };
            };
            openapi: object;
        };
        method: "POST";
    } & object, {
        success: true;
    }>;
    signInEmailTenant: _$better_call0.StrictEndpoint<"/tenant/sign-in/email", {
        metadata: {
            $Infer: {
                body: z.input<z.ZodObject<{
                    callbackURL: z.ZodOptional<z.ZodString>;
                    email: z.ZodString;
                    password: z.ZodString;
                    rememberMe: z.ZodOptional<z.ZodBoolean>;
                    tenantId: z.ZodOptional<z.ZodString>;
                }, _$zod_v4_core0.$strip>>;
            };
            openapi: object;
        };
        method: "POST";
    } & object, ({
        redirect?: boolean | undefined;
        secondFactorRequired?: true | undefined;
        session: ({
            createdAt: Date;
            expiresAt: Date;
            id: string;
            ipAddress?: null | string | undefined;
            token: string;
            updatedAt: Date;
            userAgent?: null | string | undefined;
            userId: string;
        } & {
            tenantId: string;
        }) | null;
        token: null | string;
        url?: string | undefined;
        user: TenantUser;
    } & {
        twoFactorMethods?: undefined;
        twoFactorRedirect?: undefined;
    }) | ({
        twoFactorMethods: string[];
        twoFactorRedirect: true;
    } & {
        session?: undefined;
        token?: undefined;
        user?: undefined;
    })>;
    signInSocialTenant: _$better_call0.StrictEndpoint<"/tenant/sign-in/social", {
        metadata: {
            $Infer: {
                body: {
                    additionalData?: Record<string, unknown> | undefined;
                    additionalParams?: Record<string, string> | undefined;
                    callbackURL?: string | undefined;
                    disableRedirect?: boolean | undefined;
                    errorCallbackURL?: string | undefined;
                    idToken?: undefined | {
                        accessToken?: string | undefined;
                        expiresAt?: number | undefined;
                        nonce?: string | undefined;
                        refreshToken?: string | undefined;
                        token: string;
                        user?: undefined | {
                            [x: string]: unknown;
                            email?: string | undefined;
                            name?: undefined | {
                                [x: string]: unknown;
                                firstName?: string | undefined;
                                lastName?: string | undefined;
                            };
                        };
                    };
                    loginHint?: string | undefined;
                    newUserCallbackURL?: string | undefined;
                    provider: string;
                    requestSignUp?: boolean | undefined;
                    scopes?: string[] | undefined;
                    tenantId?: string | undefined;
                };
            };
            openapi: object;
        };
        method: "POST";
    } & object, {
        redirect: boolean;
        url: string;
    } | {
        redirect?: boolean | undefined;
        secondFactorRequired?: true | undefined;
        session: ({
            createdAt: Date;
            expiresAt: Date;
            id: string;
            ipAddress?: null | string | undefined;
            token: string;
            updatedAt: Date;
            userAgent?: null | string | undefined;
            userId: string;
        } & {
            tenantId: string;
        }) | null;
        token: null | string;
        url?: string | undefined;
        user: TenantUser;
    }>;
    signUpEmailTenant: _$better_call0.StrictEndpoint<"/tenant/sign-up/email", {
        metadata: {
            $Infer: {
                body: z.input<z.ZodObject<{
                    callbackURL: z.ZodOptional<z.ZodString>;
                    email: z.ZodEmail;
                    image: z.ZodOptional<z.ZodString>;
                    name: z.ZodString;
                    password: z.ZodString;
                    rememberMe: z.ZodOptional<z.ZodBoolean>;
                    tenantId: z.ZodOptional<z.ZodString>;
                }, _$zod_v4_core0.$strip>>;
            };
            openapi: object;
        };
        method: "POST";
    } & object, {
        redirect?: boolean | undefined;
        secondFactorRequired?: true | undefined;
        session: ({
            createdAt: Date;
            expiresAt: Date;
            id: string;
            ipAddress?: null | string | undefined;
            token: string;
            updatedAt: Date;
            userAgent?: null | string | undefined;
            userId: string;
        } & {
            tenantId: string;
        }) | null;
        token: null | string;
        url?: string | undefined;
        user: TenantUser;
    }>;
    suspendTenant: _$better_call0.StrictEndpoint<"/tenant/suspend", {
        metadata: {
            $Infer: {
                body: {
                    tenantId?: string | undefined;
                };
            };
            openapi: object;
        };
        method: "POST";
    } & object, {
        createdAt: Date;
        id: string;
        metadata: Record<string, unknown> | null;
        name: string;
        slug: string;
        suspendedAt?: Date | undefined;
        updatedAt: Date;
    }>;
    tenantLoginOptions: _$better_call0.StrictEndpoint<"/tenant/login-options", {
        metadata: {
            $Infer: object;
            openapi: object;
        };
        method: "GET";
    } & {
        query: _$better_call0.StandardSchemaV1<undefined | {
            slug: string;
            tenantId?: undefined;
        } | {
            slug?: undefined;
            tenantId: string;
        } | {
            slug?: undefined;
            tenantId?: undefined;
        }, undefined | {
            slug: string;
            tenantId?: undefined;
        } | {
            slug?: undefined;
            tenantId: string;
        } | {
            slug?: undefined;
            tenantId?: undefined;
        }>;
    }, {
        branding: {
            darkLogoUrl?: string | undefined;
            faviconUrl?: string | undefined;
            logoUrl?: string | undefined;
            primaryColor?: string | undefined;
            privacyUrl?: string | undefined;
            supportEmail?: string | undefined;
            tagline?: string | undefined;
            termsUrl?: string | undefined;
        };
        email: {
            reset: boolean;
            signIn: boolean;
            signUp: boolean;
            verification: boolean;
        };
        methods: ("anonymous" | "email-otp" | "magic-link" | "passkey" | "password" | "phone-number" | "siwe" | "social" | "sso")[];
        password: {
            maxLength: number;
            minLength: number;
        };
        providerNames?: Record<string, string> | undefined;
        providers: string[];
        secondFactorRequired: boolean;
        signUp: "closed" | "invite" | "open";
        tenant: {
            id: string;
            name: string;
            slug: string;
        };
    }>;
    tenantOAuthCallback: _$better_call0.StrictEndpoint<"/tenant/callback/:providerId", {
        body: z.ZodOptional<z.ZodRecord<z.ZodString, z.ZodUnknown>>;
        metadata: {
            allowedMediaTypes: string[];
            openapi: {
                description: string;
                operationId: string;
                parameters: ({
                    in: "path";
                    name: string;
                    required: true;
                    schema: {
                        type: "string";
                    };
                } | {
                    in: "query";
                    name: string;
                    schema: {
                        type: "string";
                    };
                })[];
                responses: {
                    "302": {
                        description: string;
                    };
                };
            };
            scope: "server";
        };
        method: ("GET" | "POST")[];
        query: z.ZodOptional<z.ZodRecord<z.ZodString, z.ZodUnknown>>;
    }, unknown>;
    tenantPermissions: _$better_call0.StrictEndpoint<"/tenant/permissions", {
        metadata: {
            $Infer: object;
            openapi: object;
        };
        method: "GET";
    } & {
        query: _$better_call0.StandardSchemaV1<undefined | {
            tenantId?: string | undefined;
        }, undefined | {
            tenantId?: string | undefined;
        }>;
    }, {
        actions: `${string}:${string}`[];
        role: null | string;
        roles: string[];
    }>;
    updateTenant: _$better_call0.StrictEndpoint<"/tenant/update", {
        metadata: {
            $Infer: {
                body: {
                    metadata?: Record<string, unknown> | null | undefined;
                    name?: string | undefined;
                    releaseSlug?: boolean | undefined;
                    slug?: string | undefined;
                    tenantId?: string | undefined;
                };
            };
            openapi: object;
        };
        method: "POST";
    } & object, {
        createdAt: Date;
        id: string;
        metadata: Record<string, unknown> | null;
        name: string;
        slug: string;
        suspendedAt?: Date | undefined;
        updatedAt: Date;
    }>;
    updateTenantOAuthConfig: _$better_call0.StrictEndpoint<"/tenant/oauth-config/update", {
        metadata: {
            $Infer: {
                body: {
                    clientId?: string | string[] | undefined;
                    clientSecret?: string | undefined;
                    enabled?: boolean | undefined;
                    options?: Record<string, unknown> | null | undefined;
                    providerId: TenantProviderId;
                    redirectURI?: null | string | undefined;
                    scopes?: string[] | undefined;
                    tenantId?: string | undefined;
                    trustEmails?: string[] | undefined;
                };
            };
            openapi: object;
        };
        method: "POST";
    } & object, {
        clientId: string;
        clientIds: string[];
        createdAt: Date;
        enabled: boolean;
        id: string;
        options: Record<string, unknown> | null;
        providerId: TenantProviderId;
        redirectURI: null | string;
        scopes: string[];
        tenantId: string;
        trustEmails: string[];
        updatedAt: Date;
    }>;
    updateTenantPolicy: _$better_call0.StrictEndpoint<"/tenant/policy/update", {
        metadata: {
            $Infer: {
                body: {
                    password?: undefined | {
                        minLength?: null | number | undefined;
                        rejectBreached?: boolean | undefined;
                    };
                    secondFactor?: undefined | {
                        required?: boolean | undefined;
                    };
                    session?: undefined | {
                        idleTime?: null | number | undefined;
                        lifetime?: null | number | undefined;
                    };
                    signIn?: undefined | {
                        fallbackToGlobal?: boolean | undefined;
                        methods?: ("anonymous" | "email-otp" | "magic-link" | "passkey" | "password" | "phone-number" | "siwe" | "social" | "sso")[] | null | undefined;
                        providers?: null | string[] | undefined;
                    };
                    signUp?: undefined | {
                        emailDomains?: null | string[] | undefined;
                        mode?: "closed" | "invite" | "open" | undefined;
                    };
                    tenantId?: string | undefined;
                };
            };
            openapi: object;
        };
        method: "POST";
    } & object, {
        password: {
            minLength: null | number;
            rejectBreached: boolean;
        };
        secondFactor: {
            required: boolean;
        };
        session: {
            idleTime: null | number;
            lifetime: null | number;
        };
        signIn: {
            fallbackToGlobal: boolean;
            methods: ("anonymous" | "email-otp" | "magic-link" | "passkey" | "password" | "phone-number" | "siwe" | "social" | "sso")[] | null;
            providers: null | string[];
        };
        signUp: {
            emailDomains: null | string[];
            mode: "closed" | "invite" | "open";
        };
    }>;
    updateTenantUser: _$better_call0.StrictEndpoint<"/tenant/user/update", {
        metadata: {
            $Infer: {
                body: {
                    email?: string | undefined;
                    emailVerified?: boolean | undefined;
                    image?: null | string | undefined;
                    name?: string | undefined;
                    role?: string | undefined;
                    tenantId?: string | undefined;
                    userId: string;
                };
            };
            openapi: object;
        };
        method: "POST";
    } & object, TenantUser>;
};
declare function forgetUser({ adapter }: Pick<AuthContext, "adapter">, { id, tenantId }: {
    id: string;
    tenantId: string;
}): Promise<void>;
declare const importLineSchema: z.ZodObject<{
    accounts: z.ZodOptional<z.ZodArray<z.ZodObject<{
        accountId: z.ZodString;
        providerId: z.ZodString;
    }, z.core.$strict>>>;
    createdAt: z.ZodOptional<z.ZodISODateTime>;
    disabled: z.ZodOptional<z.ZodBoolean>;
    email: z.ZodEmail;
    emailVerified: z.ZodOptional<z.ZodBoolean>;
    externalId: z.ZodString;
    fields: z.ZodOptional<z.ZodRecord<z.ZodString, z.ZodUnknown>>;
    image: z.ZodOptional<z.ZodNullable<z.ZodString>>;
    name: z.ZodOptional<z.ZodString>;
    password: z.ZodOptional<z.ZodObject<{
        hash: z.ZodString;
        kind: z.ZodString;
    }, z.core.$strict>>;
    phoneNumber: z.ZodOptional<z.ZodString>;
    phoneNumberVerified: z.ZodOptional<z.ZodBoolean>;
    role: z.ZodOptional<z.ZodString>;
    totpSecret: z.ZodOptional<z.ZodString>;
    username: z.ZodOptional<z.ZodString>;
}, z.core.$strict>;
declare const importResultSchema: z.ZodObject<{
    code: z.ZodNullable<z.ZodEnum<{
        ACCOUNT_TAKEN: "ACCOUNT_TAKEN";
        EMAIL_TAKEN: "EMAIL_TAKEN";
        EXTERNAL_ID_TAKEN: "EXTERNAL_ID_TAKEN";
        INVALID_JSON: "INVALID_JSON";
        LAST_OWNER: "LAST_OWNER";
        PASSWORD_HASH_TOO_COSTLY: "PASSWORD_HASH_TOO_COSTLY";
        PROVIDER_NOT_FOUND: "PROVIDER_NOT_FOUND";
        ROLE_NOT_FOUND: "ROLE_NOT_FOUND";
        UNSUPPORTED_PASSWORD_HASH: "UNSUPPORTED_PASSWORD_HASH";
        VALIDATION_ERROR: "VALIDATION_ERROR";
        VALUE_TAKEN: "VALUE_TAKEN";
        WRITE_CONFLICT: "WRITE_CONFLICT";
    }>>;
    externalId: z.ZodNullable<z.ZodString>;
    line: z.ZodNumber;
    message: z.ZodNullable<z.ZodString>;
    status: z.ZodEnum<{
        created: "created";
        failed: "failed";
        unchanged: "unchanged";
        updated: "updated";
    }>;
    userId: z.ZodNullable<z.ZodString>;
}, z.core.$strip>;
declare const invitationSchema: z.ZodObject<{
    acceptedAt: z.ZodNullable<z.ZodDate>;
    createdAt: z.ZodDate;
    email: z.ZodString;
    expiresAt: z.ZodDate;
    id: z.ZodString;
    invitedBy: z.ZodNullable<z.ZodString>;
    revokedAt: z.ZodNullable<z.ZodDate>;
    role: z.ZodString;
    sentAt: z.ZodNullable<z.ZodDate>;
    status: z.ZodEnum<{
        accepted: "accepted";
        expired: "expired";
        pending: "pending";
        revoked: "revoked";
    }>;
    tenantId: z.ZodString;
}, z.core.$strip>;
declare const linkedUserSchema: z.ZodObject<{
    current: z.ZodBoolean;
    tenant: z.ZodObject<{
        id: z.ZodString;
        name: z.ZodString;
        slug: z.ZodString;
    }, z.core.$strip>;
    user: z.ZodObject<{
        email: z.ZodString;
        image: z.ZodNullable<z.ZodString>;
        name: z.ZodString;
    }, z.core.$strip>;
}, z.core.$strip>;
declare const moveReportSchema: z.ZodObject<{
    conflicts: z.ZodArray<z.ZodObject<{
        code: z.ZodEnum<{
            ACCOUNT_TAKEN: "ACCOUNT_TAKEN";
            API_KEY_IN_STORAGE: "API_KEY_IN_STORAGE";
            EMAIL_TAKEN: "EMAIL_TAKEN";
            IN_SEVERAL_ORGANIZATIONS: "IN_SEVERAL_ORGANIZATIONS";
            PLATFORM_ADMIN: "PLATFORM_ADMIN";
            SHARED_ROW: "SHARED_ROW";
            UNSUPPORTED_ROW: "UNSUPPORTED_ROW";
            USER_IN_TENANT: "USER_IN_TENANT";
            USER_NOT_FOUND: "USER_NOT_FOUND";
            VALUE_TAKEN: "VALUE_TAKEN";
        }>;
        id: z.ZodNullable<z.ZodString>;
        message: z.ZodString;
        model: z.ZodNullable<z.ZodString>;
        userId: z.ZodNullable<z.ZodString>;
    }, z.core.$strip>>;
    endedSessions: z.ZodNumber;
    isDryRun: z.ZodBoolean;
    rows: z.ZodRecord<z.ZodString, z.ZodNumber>;
}, z.core.$strip>;
declare const oauthConfigSchema: z.ZodObject<{
    clientId: z.ZodString;
    clientIds: z.ZodArray<z.ZodString>;
    createdAt: z.ZodDate;
    enabled: z.ZodBoolean;
    id: z.ZodString;
    options: z.ZodNullable<z.ZodRecord<z.ZodString, z.ZodUnknown>>;
    providerId: z.ZodCustom<TenantProviderId, TenantProviderId>;
    redirectURI: z.ZodNullable<z.ZodString>;
    scopes: z.ZodArray<z.ZodString>;
    tenantId: z.ZodString;
    trustEmails: z.ZodArray<z.ZodString>;
    updatedAt: z.ZodDate;
}, z.core.$strip>;
declare const policyChangesSchema: z.ZodObject<{
    password: z.ZodOptional<z.ZodObject<{
        minLength: z.ZodOptional<z.ZodNullable<z.ZodInt>>;
        rejectBreached: z.ZodOptional<z.ZodBoolean>;
    }, z.core.$strict>>;
    secondFactor: z.ZodOptional<z.ZodObject<{
        required: z.ZodOptional<z.ZodBoolean>;
    }, z.core.$strict>>;
    session: z.ZodOptional<z.ZodObject<{
        idleTime: z.ZodOptional<z.ZodNullable<z.ZodInt>>;
        lifetime: z.ZodOptional<z.ZodNullable<z.ZodInt>>;
    }, z.core.$strict>>;
    signIn: z.ZodOptional<z.ZodObject<{
        fallbackToGlobal: z.ZodOptional<z.ZodBoolean>;
        methods: z.ZodOptional<z.ZodNullable<z.ZodPipe<z.ZodArray<z.ZodEnum<{
            "email-otp": "email-otp";
            "magic-link": "magic-link";
            "phone-number": "phone-number";
            anonymous: "anonymous";
            passkey: "passkey";
            password: "password";
            siwe: "siwe";
            social: "social";
            sso: "sso";
        }>>, z.ZodTransform<("anonymous" | "email-otp" | "magic-link" | "passkey" | "password" | "phone-number" | "siwe" | "social" | "sso")[], ("anonymous" | "email-otp" | "magic-link" | "passkey" | "password" | "phone-number" | "siwe" | "social" | "sso")[]>>>>;
        providers: z.ZodOptional<z.ZodNullable<z.ZodPipe<z.ZodArray<z.ZodString>, z.ZodTransform<string[], string[]>>>>;
    }, z.core.$strict>>;
    signUp: z.ZodOptional<z.ZodObject<{
        emailDomains: z.ZodOptional<z.ZodNullable<z.ZodPipe<z.ZodArray<z.ZodPipe<z.ZodString, z.ZodTransform<string, string>>>, z.ZodTransform<string[], string[]>>>>;
        mode: z.ZodOptional<z.ZodEnum<{
            closed: "closed";
            invite: "invite";
            open: "open";
        }>>;
    }, z.core.$strict>>;
}, z.core.$strict>;
declare const policySchema: z.ZodObject<{
    password: z.ZodObject<{
        minLength: z.ZodNullable<z.ZodInt>;
        rejectBreached: z.ZodBoolean;
    }, z.core.$strict>;
    secondFactor: z.ZodObject<{
        required: z.ZodBoolean;
    }, z.core.$strict>;
    session: z.ZodObject<{
        idleTime: z.ZodNullable<z.ZodInt>;
        lifetime: z.ZodNullable<z.ZodInt>;
    }, z.core.$strict>;
    signIn: z.ZodObject<{
        fallbackToGlobal: z.ZodBoolean;
        methods: z.ZodNullable<z.ZodPipe<z.ZodArray<z.ZodEnum<{
            "email-otp": "email-otp";
            "magic-link": "magic-link";
            "phone-number": "phone-number";
            anonymous: "anonymous";
            passkey: "passkey";
            password: "password";
            siwe: "siwe";
            social: "social";
            sso: "sso";
        }>>, z.ZodTransform<("anonymous" | "email-otp" | "magic-link" | "passkey" | "password" | "phone-number" | "siwe" | "social" | "sso")[], ("anonymous" | "email-otp" | "magic-link" | "passkey" | "password" | "phone-number" | "siwe" | "social" | "sso")[]>>>;
        providers: z.ZodNullable<z.ZodPipe<z.ZodArray<z.ZodString>, z.ZodTransform<string[], string[]>>>;
    }, z.core.$strict>;
    signUp: z.ZodObject<{
        emailDomains: z.ZodNullable<z.ZodPipe<z.ZodArray<z.ZodPipe<z.ZodString, z.ZodTransform<string, string>>>, z.ZodTransform<string[], string[]>>>;
        mode: z.ZodEnum<{
            closed: "closed";
            invite: "invite";
            open: "open";
        }>;
    }, z.core.$strict>;
}, z.core.$strict>;
declare const response: z.ZodObject<{
    actions: z.ZodArray<z.ZodCustom<`${string}:${string}`, `${string}:${string}`>>;
    role: z.ZodNullable<z.ZodString>;
    roles: z.ZodArray<z.ZodString>;
}, z.core.$strip>;
declare const response$1: z.ZodObject<{
    branding: z.ZodObject<{
        darkLogoUrl: z.ZodOptional<z.ZodString>;
        faviconUrl: z.ZodOptional<z.ZodString>;
        logoUrl: z.ZodOptional<z.ZodString>;
        primaryColor: z.ZodOptional<z.ZodString>;
        privacyUrl: z.ZodOptional<z.ZodString>;
        supportEmail: z.ZodOptional<z.ZodString>;
        tagline: z.ZodOptional<z.ZodString>;
        termsUrl: z.ZodOptional<z.ZodString>;
    }, z.core.$strip>;
    id: z.ZodString;
    name: z.ZodString;
    slug: z.ZodString;
}, z.core.$strip>;
declare const signInSchema: z.ZodObject<{
    attempts: z.ZodInt;
    createdAt: z.ZodDate;
    id: z.ZodString;
    ipAddress: z.ZodNullable<z.ZodString>;
    method: z.ZodNullable<z.ZodString>;
    providerId: z.ZodNullable<z.ZodString>;
    reason: z.ZodNullable<z.ZodString>;
    result: z.ZodEnum<{
        challenged: "challenged";
        failed: "failed";
        succeeded: "succeeded";
    }>;
    user: z.ZodNullable<z.ZodObject<{
        email: z.ZodString;
        id: z.ZodString;
        name: z.ZodString;
    }, z.core.$strip>>;
    userAgent: z.ZodNullable<z.ZodString>;
}, z.core.$strip>;
declare const storedMetadata: z.ZodRecord<z.ZodString, z.ZodUnknown>;
declare const storedSettings: z.ZodRecord<z.ZodString, z.ZodUnknown>;
declare const tenantSchema: z.ZodObject<{
    createdAt: z.ZodDate;
    id: z.ZodString;
    metadata: z.ZodNullable<z.ZodRecord<z.ZodString, z.ZodUnknown>>;
    name: z.ZodString;
    slug: z.ZodString;
    suspendedAt: z.ZodOptional<z.ZodDate>;
    updatedAt: z.ZodDate;
}, z.core.$strip>;
declare const tenantSessionSchema: z.ZodObject<{
    createdAt: z.ZodDate;
    expiresAt: z.ZodDate;
    id: z.ZodString;
    impersonatedBy: z.ZodNullable<z.ZodString>;
    ipAddress: z.ZodNullable<z.ZodString>;
    updatedAt: z.ZodDate;
    user: z.ZodObject<{
        email: z.ZodString;
        id: z.ZodString;
        name: z.ZodString;
        role: z.ZodString;
    }, z.core.$strip>;
    userAgent: z.ZodNullable<z.ZodString>;
    userId: z.ZodString;
}, z.core.$strip>;
declare function verifyImported(ctx: AuthContext, input: StoredPassword): Promise<boolean | null>;
declare const webhookSchema: z.ZodObject<{
    createdAt: z.ZodDate;
    description: z.ZodNullable<z.ZodString>;
    disabledAt: z.ZodNullable<z.ZodDate>;
    enabled: z.ZodBoolean;
    eventTypes: z.ZodArray<z.ZodString>;
    failures: z.ZodInt;
    id: z.ZodString;
    previousSecretUntil: z.ZodNullable<z.ZodDate>;
    tenantId: z.ZodString;
    updatedAt: z.ZodDate;
    url: z.ZodString;
}, z.core.$strip>;
