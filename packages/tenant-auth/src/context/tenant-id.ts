import type { GenericEndpointContext } from "@better-auth/core";
import { APIError, BetterAuthError } from "@better-auth/core/error";
import { TENANT_AUTH_ERROR_CODES } from "../error-codes";
import type { ResolvedOptions } from "../options";
import { tenantNotFound } from "../tenants/tenant-errors";
import { headersOf } from "./request-headers";

/** Longer ids are made by no generator; they are refused before the database is asked. */
const MAX_ID_LENGTH = 128;

/** Control characters cannot be part of an id, and PostgreSQL fails on a NUL in a parameter. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL = /[\u0000-\u001f\u007f]/;

/** Whether `id` could be an id of this database at all. */
export function isPossibleId(ctx: GenericEndpointContext, id: string): boolean {
	if (id === "" || id.length > MAX_ID_LENGTH || CONTROL.test(id)) return false;
	const kind = ctx.context.options.advanced?.database?.generateId;
	if (kind === "serial") return /^[1-9]\d{0,14}$/.test(id);
	if (kind === "uuid") return /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(id);
	return true;
}

/** An id that cannot be one names no tenant; some databases fail when they are asked for it. */
export function requirePossibleId(ctx: GenericEndpointContext, id: string): string {
	if (!isPossibleId(ctx, id)) {
		throw tenantNotFound();
	}
	return id;
}

/** For a call of one of our endpoints, which must name a tenant. */
export function requireNamed(tenantId: string | undefined): string {
	if (tenantId) return tenantId;
	throw APIError.from("BAD_REQUEST", TENANT_AUTH_ERROR_CODES.TENANT_ID_REQUIRED);
}

function textOrUndefined(value: unknown): string | undefined {
	return typeof value === "string" && value !== "" ? value : undefined;
}

function fieldOf(source: unknown): string | undefined {
	return source !== null && typeof source === "object" && Object.hasOwn(source, "tenantId")
		? textOrUndefined((source as { tenantId: unknown }).tenantId)
		: undefined;
}

function fromHeader(ctx: GenericEndpointContext, options: ResolvedOptions): string | undefined {
	return textOrUndefined(headersOf(ctx)?.get(options.tenantHeader)?.trim());
}

async function fromOption(
	ctx: GenericEndpointContext,
	options: ResolvedOptions,
): Promise<string | undefined> {
	const named: unknown = await options.resolveTenantId?.(ctx);
	if (!named) return undefined;
	if (typeof named === "string" || typeof named === "number") return String(named);
	// Passed over, it would let the client say which tenant it is.
	throw new BetterAuthError("tenantAuth: resolveTenantId must give a tenant's id, or nothing");
}

/** The tenant that a call of one of our endpoints names: option, body, query, header. */
export async function findNamedTenantId(
	ctx: GenericEndpointContext,
	options: ResolvedOptions,
): Promise<string | undefined> {
	return (
		(await fromOption(ctx, options)) ??
		fieldOf(ctx.body) ??
		fieldOf(ctx.query) ??
		fromHeader(ctx, options)
	);
}

/**
 * The tenant that a call of somebody else's endpoint names: option, header.
 *
 * Body and query do not count there. A body's `tenantId` may be a field of the host's own, and a
 * query can be put into a link that a victim is made to click.
 */
export async function findAmbientTenantId(
	ctx: GenericEndpointContext,
	options: ResolvedOptions,
): Promise<string | undefined> {
	return (await fromOption(ctx, options)) ?? fromHeader(ctx, options);
}
