import type { GenericEndpointContext } from "@better-auth/core";
import type { DBFieldAttribute } from "@better-auth/core/db";
import type { DBTransactionAdapter } from "@better-auth/core/db/adapter";
import type { TenantHosts, TenantResolution } from "./call/context/tenant-hosts";
import type { TenantPolicy } from "./call/policy/tenant-policy";
import type { TenantRoles } from "./management/access/roles";
import type { OnEvent } from "./management/events/event-types";
import type { StandardSchema } from "./management/tenants/metadata-schema";
import type { ManagementAction } from "./routes";
import type { TenantAuthSchemaNames } from "./schema";

/** Additional fields of users, as Better Auth's option `user.additionalFields` has them. */
export type UserFields = Record<string, DBFieldAttribute>;

type Awaitable<T> = T | Promise<T>;

/** @typeParam Metadata the type of a tenant's metadata: that of the option `metadata` */
export interface TenantAuthOptions<Metadata extends object = object> {
	/**
	 * Tenants by host name: what `tenantHosts()` returns. Then `baseURL` must be `hosts.baseURL`. The host
	 * decides before all other sources.
	 *
	 * @default tenants have no hosts of their own
	 * @example
	 * ```ts
	 * const hosts = tenantHosts({ domain: "example.com" });
	 * betterAuth({ baseURL: hosts.baseURL, plugins: [tenantAuth({ hosts })] });
	 * ```
	 */
	hosts?: TenantHosts;
	/**
	 * Names the tenant of a request before the client can. It returns
	 *
	 * - the tenant's id, or its slug as `{ slug }`,
	 * - `false` to refuse the request with 404 `TENANT_NOT_FOUND`, for example for an unknown name,
	 * - `null`, `undefined` or an empty text for no opinion. Then body, query and header are used, and if
	 *   they name no tenant, the session or the platform.
	 *
	 * Any other value fails the request. For host names, use `hosts`.
	 *
	 * Read `ctx.headers`. `ctx.request` is missing in server code such as
	 * `auth.api.getSession({ headers })`, and both are missing in calls without headers.
	 *
	 * @example
	 * ```ts
	 * resolveTenantId: (ctx) => {
	 *   const workspace = ctx.headers?.get("x-workspace");
	 *   return workspace ? { slug: workspace } : null;
	 * }
	 * ```
	 */
	resolveTenantId?: (ctx: GenericEndpointContext) => Awaitable<TenantResolution>;
	/**
	 * The request header that names the tenant.
	 *
	 * @default "x-tenant-id"
	 */
	tenantHeader?: string;
	/**
	 * Decides who may manage. It is called if the request has neither a management key, nor a session of a
	 * platform admin, nor a session of a user whose role in the tenant permits the action. Only `true` and
	 * a {@link ManagementCaller} allow.
	 *
	 * @default no one over HTTP
	 * @example
	 * ```ts
	 * canManageTenants: async (ctx, { action, tenantId }) => {
	 *   const session = await getSessionFromCtx(ctx);
	 *   return action.startsWith("oauth-config:") && isOwner(session?.user.id, tenantId);
	 * }
	 * ```
	 */
	canManageTenants?: (
		ctx: GenericEndpointContext,
		request: { action: ManagementAction; tenantId: string | null },
	) => Awaitable<boolean | ManagementCaller>;
	/**
	 * Secrets of visible ASCII characters, long and random. A caller that sends one as
	 * `Authorization: Bearer <key>` manages everything. A short key is logged as a warning.
	 *
	 * @default []
	 */
	managementKeys?: string[];
	/**
	 * Platform users (users of no tenant) who manage everything through their session. At the endpoints
	 * of Better Auth's admin plugin they act in the tenant that the request names. Not with `serial` ids
	 * on SQLite, which uses the id of a deleted user again: the start is refused.
	 *
	 * @default []
	 */
	adminUserIds?: string[];
	/**
	 * Roles of Better Auth's admin plugin that manage everything, like `adminUserIds`. They apply to
	 * platform users only, never for users of a tenant. The start is refused if the user has no `role`, or
	 * if clients can write it.
	 *
	 * @default []
	 */
	adminRoles?: string[];
	/**
	 * Whether a user of the platform works for your app, if neither `adminUserIds` nor `adminRoles` say it.
	 * Staff are not moved into a tenant. It runs in the transaction of the move: read with `adapter` only.
	 *
	 * @example
	 * isStaff: (userId, { adapter }) =>
	 *   adapter.findOne({ model: "staff", where: [{ field: "userId", value: userId }] }).then(Boolean),
	 */
	isStaff?: (
		userId: string,
		context: { adapter: Pick<DBTransactionAdapter, "findOne"> },
	) => boolean | Promise<boolean>;
	/**
	 * Endpoints of your own plugins at which a session is valid in which somebody impersonates the user, such
	 * as `/my-plugin/invoices`. List only what reads: what somebody creates there outlives the impersonation.
	 *
	 * @default []
	 */
	impersonationPaths?: string[];
	/**
	 * Roles that users can have in their tenant, beside `owner`, `admin` and `member`. A user whose role
	 * permits an action manages their own tenant, and no other. `admin` and `member` can be replaced too. An
	 * owner has every permission of all roles.
	 *
	 * @default an owner and an admin manage their tenant, a member does not
	 * @example
	 * ```ts
	 * roles: { support: tenantAccess.newRole({ user: ["list", "get"], session: ["list", "revoke"] }) }
	 * ```
	 */
	roles?: TenantRoles;
	/**
	 * Allows http URLs and private or loopback hosts in the `options` of an OAuth config and in the URL of
	 * a webhook. For tests and self-hosted networks.
	 *
	 * @default false
	 */
	allowPrivateProviderHosts?: boolean;
	/**
	 * Slugs that no tenant may have. It replaces the built-in list, which is `RESERVED_SLUGS` of
	 * `better-auth-tenant/rules`.
	 *
	 * @default RESERVED_SLUGS
	 * @example
	 * ```ts
	 * reservedSlugs: [...RESERVED_SLUGS, "docs", "status"]
	 * ```
	 */
	reservedSlugs?: readonly string[];
	/**
	 * A schema for the metadata of tenants, of Zod, Valibot, ArkType or any other library with Standard
	 * Schema. Metadata that does not match is refused with 400, and the types of all calls have it. The
	 * schema need not have `branding`: it is kept beside it.
	 *
	 * @default any JSON object
	 * @example
	 * ```ts
	 * metadata: z.object({ plan: z.enum(["free", "pro"]) })
	 * ```
	 */
	metadata?: StandardSchema<Metadata>;
	/**
	 * The additional fields of your users: the same object as Better Auth's `user.additionalFields`. It is
	 * for the types only. With it, `auth.api.signUpEmailTenant` and `createTenantUser` take the fields, and
	 * the users in responses have them.
	 *
	 * @default none
	 * @example
	 * ```ts
	 * const userFields = { company: { type: "string", required: true } } as const;
	 * betterAuth({
	 *   user: { additionalFields: userFields },
	 *   plugins: [tenantAuth({ userFields })],
	 * });
	 * ```
	 */
	userFields?: UserFields;
	/**
	 * The largest metadata of a tenant, in bytes of its JSON. MySQL stores at most 65,535 bytes.
	 *
	 * @default 16_384
	 */
	maxMetadataBytes?: number;
	/** How long audit events are kept. */
	audit?: AuditOptions;
	/**
	 * Whether a password is one of those that people choose most often. New ones are refused with
	 * `PASSWORD_COMPROMISED`, in all tenants and on the platform, whatever a tenant's policy is.
	 *
	 * @default accepts common passwords
	 */
	isCommonPassword?: (password: string) => Awaitable<boolean>;
	/**
	 * Whether a password is in a known breach, for tenants whose policy has
	 * `password.rejectBreached`. If it throws, the password is refused with 503.
	 *
	 * @default asks the range API of Have I Been Pwned, which gets five digits of the password's SHA-1
	 */
	isBreachedPassword?: (password: string) => Awaitable<boolean>;
	/**
	 * Limits the policies that a tenant's own users may choose: those whose role or whom
	 * `canManageTenants` allows it. Return a sentence that says what is not allowed, or nothing. Server
	 * code, management keys and platform admins are not limited.
	 *
	 * @default they may choose any policy
	 * @example
	 * ```ts
	 * limitPolicy: ({ session }) =>
	 *   session.lifetime && session.lifetime > 86_400 ? "A session lasts at most a day." : undefined
	 * ```
	 */
	limitPolicy?: (
		policy: TenantPolicy,
		tenant: { tenantId: string },
	) => Awaitable<string | undefined>;
	/**
	 * Called with every event of a tenant, after the change is committed. Its errors are logged and fail
	 * no request. It runs as other background work of Better Auth: with
	 * `advanced.backgroundTasks.handler` the response does not wait for it, without it the response does.
	 *
	 * @example
	 * ```ts
	 * onEvent: async (event) => {
	 *   if (event.type === "user.created") await crm.addContact(event.data.email);
	 * }
	 * ```
	 */
	onEvent?: OnEvent;
	/**
	 * Tables of your app or of other plugins that all tenants share, by their model name. Every other
	 * table holds tenant data, except `jwks` (see `signingKeysPerTenant`), `rateLimit` and `oauthResource`.
	 * Share only tables without credentials and without personal data.
	 *
	 * @default []
	 * @example
	 * ```ts
	 * sharedTables: ["country"]
	 * ```
	 */
	sharedTables?: string[];
	/**
	 * Whether each tenant has signing keys of its own for Better Auth's `jwt` and `oauth-provider` plugins.
	 * Then `/jwks` publishes the keys of the tenant that the request names, and a token of one tenant
	 * cannot be verified with the keys of another. Keys that exist already belong to the platform.
	 *
	 * @default false: one key set signs for all tenants
	 */
	signingKeysPerTenant?: boolean;
	/**
	 * Whether the tokens of new sessions end with the id of their tenant. Then a session is looked up by
	 * token and tenant, so a database with partitions or shards by tenant asks one of them.
	 *
	 * @default false
	 */
	tenantInSessionTokens?: boolean;
	/**
	 * Ids of plugins that you have checked with `assertTenantIsolation`. At start, a warning names every
	 * plugin that is neither here nor tested with `tenantAuth()`. Also ids of client discoveries of the
	 * OAuth provider plugin that store nothing: others stop the start.
	 *
	 * @default []
	 */
	checkedPlugins?: string[];
	/**
	 * The queue before the password hash. Tenants take turns in it, so many sign-ins of one tenant do not
	 * delay those of another. `false` turns it off. It is always off in Cloudflare Workers.
	 *
	 * @default {}
	 */
	passwordQueue?: PasswordQueueOptions | false;
	/** How long refresh tokens of Better Auth's `oauth-provider` plugin are valid. */
	oauthGrants?: OAuthGrantOptions;
	/**
	 * Renames models and fields in the database, as in Better Auth's own plugins. Needed if your app has a
	 * table or a column of the same name: the start and the upgrade stop then.
	 *
	 * @example
	 * ```ts
	 * schema: {
	 *   tenant: { modelName: "authTenant" },
	 *   user: { fields: { tenantId: "authTenantId" } },
	 * }
	 * ```
	 */
	schema?: TenantAuthSchemaNames;
}

/**
 * A caller whom `canManageTenants` allows and who acts for your app, as a management key or a platform
 * admin does: one of your own administrators, or a key that your app made. The audit log names the
 * caller, and the limits for a tenant's own users do not apply.
 */
export interface ManagementCaller {
	actor: {
		kind: "administrator" | "key";
		/** The id of the user or of the key. */
		id: string;
		/** For the audit log. */
		name?: string | undefined;
	};
}

/** Whatever ends a session also ends the tokens that came from it. These limits come on top. */
export interface OAuthGrantOptions {
	/**
	 * How many days after the sign-in an application has to send the user to sign in again, however often it
	 * has refreshed its tokens. With a function, each application has its own limit.
	 *
	 * @default 30
	 */
	maxDays?: number | ((application: { clientId: string }) => Awaitable<number>);
	/**
	 * Whether an application may refresh its tokens after the session of the user has expired. Revoked
	 * sessions, a sign-out and a new password end its tokens anyway.
	 *
	 * @default true for all, as the scope `offline_access` says
	 */
	outlivesSession?: (application: { clientId: string }) => Awaitable<boolean>;
}

export interface AuditOptions {
	/**
	 * Audit events that are older are deleted: some with each new event, and all of them by
	 * `pruneAuditEvents()`.
	 *
	 * @default events are kept
	 */
	retentionDays?: number;
}

export interface PasswordQueueOptions {
	/**
	 * Maximum number of concurrent password hashes. Values above the number of CPU cores do not increase
	 * throughput and delay the event loop. Node hashes on a pool of four threads, which also resolves
	 * host names.
	 *
	 * @default the number of cores, at most three; two if the runtime does not report it
	 */
	concurrency?: number;
	/**
	 * Maximum number of waiting passwords per tenant. The platform is treated as one tenant.
	 *
	 * @default 100
	 */
	maxWaitingPerTenant?: number;
	/**
	 * Maximum number of waiting passwords of all tenants. If the queue is full, the tenant with the most
	 * loses a place to one with fewer.
	 *
	 * @default 1000
	 */
	maxWaiting?: number;
}
