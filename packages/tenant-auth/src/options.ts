import type { GenericEndpointContext } from "@better-auth/core";
import { BetterAuthError } from "@better-auth/core/error";
import {
	type PasswordQueueLimits,
	type PasswordQueueOptions,
	resolvePasswordQueue,
} from "./password-queue-options";
import type { ManagementAction } from "./routes";
import type { TenantAuthSchemaNames } from "./schema";
import { KnownTenants } from "./tenants/known-tenants";

type Awaitable<T> = T | Promise<T>;

export interface TenantAuthOptions {
	/**
	 * The first source of the tenant id, for example from the host name. A falsy answer falls
	 * through to the request's body, query and header.
	 *
	 * @example
	 * ```ts
	 * resolveTenantId: async (ctx) => tenantIdOfHost(ctx.request?.headers.get("host"))
	 * ```
	 */
	resolveTenantId?: (ctx: GenericEndpointContext) => Awaitable<string | null | undefined>;
	/**
	 * The request header that names the tenant.
	 *
	 * @default "x-tenant-id"
	 */
	tenantHeader?: string;
	/**
	 * Decides who may manage. It is asked when neither a management key nor a platform
	 * administrator was presented; anything but `true` refuses.
	 *
	 * @default nobody over HTTP
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
	) => Awaitable<boolean>;
	/**
	 * Secrets of visible ASCII, long and random (a short one is warned of). Whoever presents one as
	 * `Authorization: Bearer <key>` manages everything.
	 *
	 * @default []
	 */
	managementKeys?: string[];
	/**
	 * Platform users (users of no tenant) who manage everything through their session. At the
	 * endpoints of Better Auth's admin plugin they act in the tenant that they name.
	 *
	 * @default []
	 */
	adminUserIds?: string[];
	/**
	 * Roles of Better Auth's admin plugin that manage everything, as `adminUserIds` do. They count
	 * for platform users only, never for a tenant's.
	 *
	 * @default []
	 */
	adminRoles?: string[];
	/**
	 * Lets the `options` of an OAuth config point at http, loopback and private addresses. For
	 * tests and self-hosted networks.
	 *
	 * @default false
	 */
	allowPrivateProviderHosts?: boolean;
	/**
	 * Slugs that no tenant may have, in addition to the built-in list.
	 *
	 * @default []
	 */
	reservedSlugs?: string[];
	/**
	 * Further tables that hold tenant data, by their model's name. Those that are tied to the user, by
	 * foreign keys or by a field named after a table, are known without being told.
	 *
	 * @default []
	 */
	tenantTables?: string[];
	/**
	 * Tables that all tenants share although they are tied to the user.
	 *
	 * @default []
	 */
	sharedTables?: string[];
	/**
	 * The queue before the password hash, in which tenants take turns: a flood of one tenant's sign-ins
	 * does not make another's wait. `false` leaves the hash as it is.
	 *
	 * @default {}
	 */
	passwordQueue?: PasswordQueueOptions | false;
	/** Renames models and fields, as in Better Auth's own plugins. */
	schema?: TenantAuthSchemaNames;
}

export interface ResolvedOptions extends Omit<TenantAuthOptions, "passwordQueue"> {
	tenantHeader: string;
	managementKeys: string[];
	adminUserIds: string[];
	adminRoles: string[];
	allowPrivateProviderHosts: boolean;
	tenantTables: string[];
	sharedTables: string[];
	reservedSlugs: string[];
	passwordQueue: PasswordQueueLimits | false;
	/** Not the host's to set. */
	knownTenants: KnownTenants;
}

const GOOD_KEY_LENGTH = 16;
/** What a header carries unchanged and a bearer token may hold. */
const VISIBLE_ASCII = /^[\x21-\x7e]+$/;
const HEADER_NAME = /^[!#$%&'*+\-.^_`|~\dA-Za-z]+$/;

/** Fills in the defaults. A wrong option stops the start rather than the first request. */
export function resolveOptions(options: TenantAuthOptions): ResolvedOptions {
	const resolved = {
		...options,
		tenantHeader: options.tenantHeader ?? "x-tenant-id",
		managementKeys: options.managementKeys ?? [],
		adminUserIds: options.adminUserIds ?? [],
		adminRoles: options.adminRoles ?? [],
		allowPrivateProviderHosts: options.allowPrivateProviderHosts ?? false,
		tenantTables: options.tenantTables ?? [],
		sharedTables: options.sharedTables ?? [],
		reservedSlugs: (options.reservedSlugs ?? []).map((slug) => slug.toLowerCase()),
		passwordQueue: resolvePasswordQueue(options.passwordQueue),
		knownTenants: new KnownTenants(),
	};
	if (!HEADER_NAME.test(resolved.tenantHeader)) {
		throw new BetterAuthError(
			`tenantAuth: tenantHeader ${JSON.stringify(resolved.tenantHeader)} is not a header name`,
		);
	}
	if (!resolved.managementKeys.every(isUsableKey)) {
		throw new BetterAuthError(
			"tenantAuth: every one of managementKeys needs visible ASCII characters without spaces, and at least one",
		);
	}
	return resolved;
}

/** What is no text at all is, most likely, an environment variable that nobody set. */
function isUsableKey(key: unknown): boolean {
	return typeof key === "string" && VISIBLE_ASCII.test(key);
}

/** Short keys can be guessed. They are the host's choice, but not one to make unknowingly. */
export function hasShortKey({ managementKeys }: ResolvedOptions): boolean {
	return managementKeys.some((key) => key.length < GOOD_KEY_LENGTH);
}
