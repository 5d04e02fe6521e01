import type { BetterAuthOptions, GenericEndpointContext } from "@better-auth/core";
import { BetterAuthError } from "@better-auth/core/error";
import type { ResolvedOptions } from "../../options";
import { tenantError } from "../../tenant-error";
import { requireState } from "./current-state";
import { isOurs, rulesOf } from "./endpoint-rules";
import { headersOf } from "./presented-sessions";
import { type HostResolution, resolveByHost } from "./tenant-hosts";

/** No generator makes longer ids. They are rejected before the database is asked. */
const MAX_ID_LENGTH = 128;

/** An id has no control characters, and PostgreSQL fails on a NUL in a parameter. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL = /[\u0000-\u001f\u007f]/;

/** Whether `id` could be an id of this database. Some databases fail when they are asked for others. */
export function isPossibleId({ advanced }: BetterAuthOptions, id: string): boolean {
	if (id === "" || id.length > MAX_ID_LENGTH || CONTROL.test(id)) return false;
	const kind = advanced?.database?.generateId;
	if (kind === "serial") return /^[1-9]\d{0,14}$/.test(id);
	if (kind === "uuid") return /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(id);
	return true;
}

/** An id that this database can be asked for, and that no row has. */
export function unusedId({ advanced }: BetterAuthOptions): string {
	const kind = advanced?.database?.generateId;
	if (kind === "uuid") return "00000000-0000-0000-0000-000000000000";
	return kind === "serial" ? "0" : "";
}

/** @throws APIError `TENANT_NOT_FOUND` for a text that cannot be an id */
export function requirePossibleId({ context }: GenericEndpointContext, id: string): string {
	if (!isPossibleId(context.options, id)) throw tenantError("TENANT_NOT_FOUND");
	return id;
}

function textOrUndefined(value: unknown): string | undefined {
	return typeof value === "string" && value !== "" ? value : undefined;
}

function fieldOf(source: unknown): string | undefined {
	if (source === null || typeof source !== "object") return undefined;
	return "tenantId" in source && Object.hasOwn(source, "tenantId")
		? textOrUndefined(source.tenantId)
		: undefined;
}

function fromHeader(ctx: GenericEndpointContext, options: ResolvedOptions): string | undefined {
	return textOrUndefined(headersOf(ctx)?.get(options.tenantHeader)?.trim());
}

/** What the app says before the client is asked: by the host, then by `resolveTenantId`. */
interface AppResolution {
	tenantId: string | undefined;
	/** Whether the host of the call decided. */
	byHost: boolean;
}

const APP_RESOLUTION = {};

function askApp(ctx: GenericEndpointContext, options: ResolvedOptions): Promise<AppResolution> {
	const ask = async (): Promise<AppResolution> => {
		const ofHost = options.hosts && (await resolveByHost(ctx, options.hosts));
		if (isGiven(ofHost)) return { tenantId: await requireIdOfHost(ctx, ofHost), byHost: true };
		const value: unknown = await options.resolveTenantId?.(ctx);
		return {
			tenantId: isGiven(value) ? await requireId(ctx, value) : undefined,
			byHost: false,
		};
	};
	// Our endpoints have a state of their own. The hook before them has asked already.
	return isOurs(ctx.path) ? requireState(ctx.context).slot(APP_RESOLUTION, ask) : ask();
}

/** An empty text names nothing, as in a body or a header. */
const isGiven = (value: unknown) => value !== null && value !== undefined && value !== "";

/** @throws APIError `TENANT_NOT_FOUND` also if no tenant has the host name */
async function requireIdOfHost(
	ctx: GenericEndpointContext,
	value: HostResolution,
): Promise<string> {
	if (typeof value !== "object" || !value || !("hostname" in value)) {
		return requireId(ctx, value);
	}
	const { context } = ctx;
	const tenant = await requireState(context).readTenantByHost(context, value.hostname);
	if (!tenant) throw tenantError("TENANT_NOT_FOUND");
	return tenant.id;
}

/** @throws APIError `TENANT_NOT_FOUND` if the app refuses, or no tenant has the slug */
async function requireId(ctx: GenericEndpointContext, value: unknown): Promise<string> {
	if (value === false) throw tenantError("TENANT_NOT_FOUND");
	if (typeof value === "string" || typeof value === "number") return String(value);
	if (typeof value === "object" && value && "slug" in value && typeof value.slug === "string") {
		const tenant = await requireState(ctx.context).readTenantBySlug(value.slug);
		if (!tenant) throw tenantError("TENANT_NOT_FOUND");
		return tenant.id;
	}
	// If it were ignored, the client could name the tenant.
	throw new BetterAuthError(
		"tenantAuth: resolveTenantId and findTenant must return a tenant's id, { slug }, false to refuse the request, or null",
	);
}

/**
 * Refuses a call at an endpoint where the app's resolver does not decide the tenant, if the app refuses
 * it. Returns the tenant whose host was called.
 */
export async function findTenantIdOfHost(
	ctx: GenericEndpointContext,
	options: ResolvedOptions,
): Promise<string | null> {
	const { tenantId, byHost } = await askApp(ctx, options);
	return (byHost && tenantId) || null;
}

/** The tenant of a call as the app says it, by the host or by its resolver. The client has no say. */
export async function findTenantIdOfApp(
	ctx: GenericEndpointContext,
	options: ResolvedOptions,
): Promise<string | null> {
	return (await askApp(ctx, options)).tenantId ?? null;
}

/**
 * The tenant that a call of one of our endpoints names: host, resolver, body, query, header.
 *
 * @throws APIError `TENANT_NOT_FOUND` at the host of one tenant, if body or query name another
 */
export async function findNamedTenantId(
	ctx: GenericEndpointContext,
	options: ResolvedOptions,
): Promise<string | undefined> {
	const { tenantId } = await askApp(ctx, options);
	const named = fieldOf(ctx.body) ?? fieldOf(ctx.query);
	if (named) await requireSameHost(ctx, options, named);
	return tenantId ?? named ?? fromHeader(ctx, options);
}

/**
 * At the host of one tenant, other tenants do not exist. If the host silently won, an operator who names
 * another tenant would change the wrong one.
 */
export async function requireSameHost(
	ctx: GenericEndpointContext,
	options: ResolvedOptions,
	tenantId: string,
): Promise<void> {
	// Server code that passes no headers calls no host.
	const ofHost = headersOf(ctx) ? await findTenantIdOfHost(ctx, options) : null;
	if (ofHost !== null && ofHost !== tenantId) throw tenantError("TENANT_NOT_FOUND");
}

/** @throws APIError `TENANT_ID_REQUIRED` if the call names no tenant */
export async function requireNamedTenantId(
	ctx: GenericEndpointContext,
	options: ResolvedOptions,
): Promise<string> {
	const tenantId = await findNamedTenantId(ctx, options);
	if (tenantId) return tenantId;
	throw tenantError("TENANT_ID_REQUIRED");
}

/**
 * The tenant that a call of another endpoint names: host, resolver, header.
 *
 * Body and query are not used there. A `tenantId` in a body may be a field of the app's own, and a
 * query can be put into a link that a victim is made to click. The exceptions are endpoints that are
 * opened by a URL alone, so that nothing else could name the tenant. They use no session. They start a
 * sign-in, or what they accept must be signed for that tenant.
 */
export async function findAmbientTenantId(
	ctx: GenericEndpointContext,
	options: ResolvedOptions,
): Promise<string | undefined> {
	const fromQuery = () => (rulesOf(ctx.path).tenantInQuery ? fieldOf(ctx.query) : undefined);
	return (await askApp(ctx, options)).tenantId ?? fromQuery() ?? fromHeader(ctx, options);
}
