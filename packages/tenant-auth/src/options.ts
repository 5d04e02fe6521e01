import { BetterAuthError } from "@better-auth/core/error";
import type { Grant } from "./call/port/tenant-plugin";
import { requireKnownOptions } from "./known-options";
import type { TenantRoles } from "./management/access/roles";
import { MAX_JSON_BYTES, RESERVED_SLUGS } from "./rules";
import type {
	OAuthGrantOptions,
	PasswordQueueOptions,
	TenantAuthOptions,
} from "./tenant-auth-options";

export interface ResolvedOptions extends Omit<TenantAuthOptions, "passwordQueue" | "oauthGrants"> {
	tenantHeader: string;
	managementKeys: string[];
	adminUserIds: string[];
	adminRoles: string[];
	impersonationPaths: string[];
	roles: TenantRoles;
	/** Of all actions. Those of other plugins are known when all have started. */
	grants: Readonly<Record<string, Grant>>;
	allowPrivateProviderHosts: boolean;
	sharedTables: string[];
	signingKeysPerTenant: boolean;
	tenantInSessionTokens: boolean;
	checkedPlugins: string[];
	reservedSlugs: readonly string[];
	maxMetadataBytes: number;
	passwordQueue: PasswordQueueLimits | false;
	oauthGrants: Required<OAuthGrantOptions>;
}

const GOOD_KEY_LENGTH = 16;
/** What a header and a bearer token can contain. */
const VISIBLE_ASCII = /^[\x21-\x7e]+$/;
const HEADER_NAME = /^[!#$%&'*+\-.^_`|~\dA-Za-z]+$/;

/** Adds the defaults. A wrong option stops the start, not the first request. */
export function resolveOptions(options: TenantAuthOptions): ResolvedOptions {
	const { audit = {}, oauthGrants = {} } = options;
	requireKnownOptions("tenantAuth", options, KNOWN);
	requireKnownOptions("tenantAuth: audit", audit, { retentionDays: true });
	const grants = { maxDays: true, outlivesSession: true } as const;
	requireKnownOptions("tenantAuth: oauthGrants", oauthGrants, grants);
	const resolved = {
		...options,
		tenantHeader: options.tenantHeader ?? "x-tenant-id",
		managementKeys: options.managementKeys ?? [],
		adminUserIds: options.adminUserIds ?? [],
		adminRoles: options.adminRoles ?? [],
		impersonationPaths: options.impersonationPaths ?? [],
		roles: options.roles ?? {},
		grants: {},
		allowPrivateProviderHosts: options.allowPrivateProviderHosts ?? false,
		sharedTables: options.sharedTables ?? [],
		signingKeysPerTenant: options.signingKeysPerTenant ?? false,
		tenantInSessionTokens: options.tenantInSessionTokens ?? false,
		checkedPlugins: options.checkedPlugins ?? [],
		reservedSlugs: [
			...(options.reservedSlugs ?? RESERVED_SLUGS),
			...(options.hosts?.reservedSlugs ?? []),
		].map((slug) => slug.toLowerCase()),
		maxMetadataBytes: requireCount("maxMetadataBytes", options.maxMetadataBytes ?? MAX_JSON_BYTES),
		passwordQueue: resolvePasswordQueue(options.passwordQueue),
		oauthGrants: {
			maxDays: resolveMaxDays(oauthGrants.maxDays ?? 30),
			outlivesSession: oauthGrants.outlivesSession ?? (() => true),
		},
	};
	if (!HEADER_NAME.test(resolved.tenantHeader)) {
		throw new BetterAuthError(
			`tenantAuth: tenantHeader ${JSON.stringify(resolved.tenantHeader)} is not a header name`,
		);
	}
	for (const [at, key] of resolved.managementKeys.entries()) requireUsableKey(at, key);
	const { retentionDays } = audit;
	if (retentionDays !== undefined) requireCount("audit.retentionDays", retentionDays);
	return resolved;
}

type MaxDays = Required<OAuthGrantOptions>["maxDays"];

function resolveMaxDays(maxDays: MaxDays): MaxDays {
	return typeof maxDays === "function" ? maxDays : requireCount("oauthGrants.maxDays", maxDays);
}

export function requireCount(name: string, value: number, plugin = "tenantAuth"): number {
	if (Number.isSafeInteger(value) && value > 0) return value;
	throw new BetterAuthError(`${plugin}: ${name} is ${value}, which is not a positive integer`);
}

/** The message does not have the key. */
function requireUsableKey(at: number, key: unknown): void {
	if (typeof key === "string" && VISIBLE_ASCII.test(key)) return;
	const problem =
		typeof key === "string" && key !== ""
			? "has spaces or characters other than visible ASCII"
			: `is ${key === "" ? "empty" : String(key)}. Is its environment variable set?`;
	throw new BetterAuthError(`tenantAuth: managementKeys[${at}] ${problem}`);
}

const KNOWN: Record<keyof TenantAuthOptions, true> = {
	hosts: true,
	resolveTenantId: true,
	tenantHeader: true,
	canManageTenants: true,
	managementKeys: true,
	adminUserIds: true,
	adminRoles: true,
	isStaff: true,
	impersonationPaths: true,
	roles: true,
	allowPrivateProviderHosts: true,
	reservedSlugs: true,
	metadata: true,
	userFields: true,
	maxMetadataBytes: true,
	audit: true,
	isCommonPassword: true,
	isBreachedPassword: true,
	limitPolicy: true,
	onEvent: true,
	sharedTables: true,
	signingKeysPerTenant: true,
	tenantInSessionTokens: true,
	checkedPlugins: true,
	passwordQueue: true,
	oauthGrants: true,
	schema: true,
};

/** Short keys can be guessed. They are allowed, with a warning. */
export const isShortKey = (key: string): boolean => key.length < GOOD_KEY_LENGTH;

export type PasswordQueueLimits = Required<PasswordQueueOptions>;

/** Leaves one of the four threads of Node's pool for other work. */
const MAX_CONCURRENCY = 3;
/** Node 20 does not report it. */
const LIKELY_CORES = 2;

function resolvePasswordQueue(
	options: PasswordQueueOptions | false = {},
): PasswordQueueLimits | false {
	if (options === false) return false;
	const { navigator } = globalThis as { navigator?: { hardwareConcurrency?: number } };
	const cores = navigator?.hardwareConcurrency ?? LIKELY_CORES;
	const limits = {
		concurrency: options.concurrency ?? Math.min(cores, MAX_CONCURRENCY),
		maxWaitingPerTenant: options.maxWaitingPerTenant ?? 100,
		maxWaiting: options.maxWaiting ?? 1000,
	};
	const known = { concurrency: true, maxWaitingPerTenant: true, maxWaiting: true } as const;
	requireKnownOptions("tenantAuth: passwordQueue", options, known);
	for (const [name, limit] of Object.entries(limits)) {
		const least = name === "concurrency" ? 1 : 0;
		if (!Number.isSafeInteger(limit) || limit < least) {
			throw new BetterAuthError(
				`tenantAuth: passwordQueue.${name} is ${limit}, which is not a whole number of ${least} or more`,
			);
		}
	}
	return limits;
}
