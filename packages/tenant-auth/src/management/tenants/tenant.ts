import type { Where } from "@better-auth/core/db/adapter";
import { APIError } from "@better-auth/core/error";
import * as z from "zod";
import type { TenantRow } from "../../call/context/tenant";
import { jsonBytes, shallowObject } from "../../database/json-object";
import { date, text } from "../../described";
import { MAX_NAME_LENGTH } from "../../rules";

const storedMetadata = z.record(z.string(), z.unknown());

export const tenantSchema = z.object({
	id: text("Unique id"),
	name: text("Display name"),
	slug: text("Unique name for URLs"),
	metadata: storedMetadata.nullable().meta({ description: "Any JSON object of your app" }),
	createdAt: date("When the tenant was created"),
	updatedAt: date("When the tenant was last updated"),
	/** Present while the tenant is suspended. */
	suspendedAt: date("When the tenant was suspended; missing if it is not").optional(),
});

/** A tenant as callers see it. */
export type Tenant = z.output<typeof tenantSchema>;

/** Any JSON object. */
export type TenantMetadata = z.output<typeof storedMetadata>;

/** A tenant with metadata of a type that the app declares. */
export type TenantWith<Metadata> = TenantMetadata extends Metadata
	? Tenant
	: Omit<Tenant, "metadata"> & { metadata: Metadata | null };

/**
 * What an email callback of your app gets: Better Auth's data, and the tenant of the user (`null` for
 * the platform). `withTenant()` gives a callback this type.
 */
export type WithTenant<T> = T & { tenant: Tenant | null };

export function toTenant(row: TenantRow): Tenant {
	return {
		id: row.id,
		name: row.name,
		slug: row.slug,
		metadata: row.metadata ? storedMetadata.parse(JSON.parse(row.metadata)) : null,
		createdAt: row.createdAt,
		updatedAt: row.updatedAt,
		...(row.suspendedAt ? { suspendedAt: row.suspendedAt } : {}),
	};
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is rejected
const CONTROL = /[\u0000-\u001f\u007f]/;

export const nameSchema = z
	.string()
	.trim()
	.min(1, "name must not be empty")
	.max(MAX_NAME_LENGTH, `name has at most ${MAX_NAME_LENGTH} characters`)
	.refine((name) => !CONTROL.test(name), "name must not contain control characters");

/** `requireMetadataSize` checks the size, which is an option. */
export const metadataSchema = shallowObject("metadata");

export function requireMetadataSize(
	metadata: TenantMetadata | null | undefined,
	maxBytes: number,
): void {
	if (!metadata || jsonBytes(metadata) <= maxBytes) return;
	throw new APIError("BAD_REQUEST", {
		code: "VALIDATION_ERROR",
		message: `[body.metadata] metadata has at most ${maxBytes} bytes as JSON`,
	});
}

/** The limits of any id in a request. */
export const idSchema = z
	.string()
	.min(1)
	.max(128)
	.refine((id) => !CONTROL.test(id), "an id must not contain control characters");

/** An id that the app chooses: it fits into a header and into the id columns of every database. */
export const ownIdSchema = z
	.string()
	.regex(
		/^[a-z\d][\w.:~-]{0,35}$/i,
		"an id has at most 36 letters, digits and . _ ~ : - and starts with a letter or digit",
	);

/** The optional `tenantId` of our endpoints. An empty one is treated as missing. */
export const namedTenantSchema = z
	.string()
	.max(128)
	.meta({ description: "The tenant, if nothing else in the request names it" })
	.optional();

export const TENANT_STATUSES = ["open", "suspended"] as const;

export type TenantStatus = (typeof TENANT_STATUSES)[number];

/** For lists. Whether a request may enter a tenant is decided by the gate. */
export const STATUS_CONDITIONS: Record<TenantStatus, Where> = {
	open: { field: "suspendedAt", value: null, connector: "AND" },
	// Not `ne` null: the memory adapter leaves the field out of tenants that were never suspended.
	suspended: { field: "suspendedAt", operator: "gt", value: new Date(0), connector: "AND" },
};
