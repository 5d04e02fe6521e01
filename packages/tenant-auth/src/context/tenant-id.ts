import type { BetterAuthOptions, GenericEndpointContext } from "@better-auth/core";
import { BetterAuthError } from "@better-auth/core/error";
import type { ResolvedOptions } from "../options";
import { tenantError } from "../tenant-error";
import { policyOf } from "./endpoint-policies";
import { headersOf } from "./presented-sessions";

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

async function fromResolver(
	ctx: GenericEndpointContext,
	options: ResolvedOptions,
): Promise<string | undefined> {
	const named: unknown = await options.resolveTenantId?.(ctx);
	if (!named) return undefined;
	if (typeof named === "string" || typeof named === "number") return String(named);
	// If it were ignored, the client could name the tenant.
	throw new BetterAuthError("tenantAuth: resolveTenantId must give a tenant's id, or nothing");
}

/** The tenant that a call of one of our endpoints names: resolver, body, query, header. */
export async function findNamedTenantId(
	ctx: GenericEndpointContext,
	options: ResolvedOptions,
): Promise<string | undefined> {
	return (
		(await fromResolver(ctx, options)) ??
		fieldOf(ctx.body) ??
		fieldOf(ctx.query) ??
		fromHeader(ctx, options)
	);
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
 * The tenant that a call of another endpoint names: resolver, header.
 *
 * Body and query do not count there. A `tenantId` in a body may be a field of the app's own, and a
 * query can be put into a link that a victim is made to click. The exceptions are endpoints that are
 * opened by a URL alone, so that nothing else could name the tenant. They use no session. They start a
 * sign-in, or what they accept must be signed for that tenant.
 */
export async function findAmbientTenantId(
	ctx: GenericEndpointContext,
	options: ResolvedOptions,
): Promise<string | undefined> {
	const fromQuery = () => (policyOf(ctx.path).tenantInQuery ? fieldOf(ctx.query) : undefined);
	return (await fromResolver(ctx, options)) ?? fromQuery() ?? fromHeader(ctx, options);
}
