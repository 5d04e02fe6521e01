import * as z from "zod";
import type { TenantRow } from "../context/tenant-row";
import { jsonObject } from "../database/json-object";

/** Any JSON object. */
export type TenantMetadata = Record<string, unknown>;

/** A tenant as callers see it. */
export interface Tenant {
	id: string;
	name: string;
	slug: string;
	metadata: TenantMetadata | null;
	createdAt: Date;
	updatedAt: Date;
	/** There while the tenant is suspended. */
	suspendedAt?: Date;
}

export function toTenant(row: TenantRow): Tenant {
	return {
		id: row.id,
		name: row.name,
		slug: row.slug,
		metadata: row.metadata ? (JSON.parse(row.metadata) as TenantMetadata) : null,
		createdAt: row.createdAt,
		updatedAt: row.updatedAt,
		...(row.suspendedAt ? { suspendedAt: row.suspendedAt } : {}),
	};
}

const MAX_NAME_LENGTH = 200;

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
const CONTROL = /[\u0000-\u001f\u007f]/;

export const nameSchema = z
	.string()
	.trim()
	.min(1, "name must not be empty")
	.max(MAX_NAME_LENGTH, `name has at most ${MAX_NAME_LENGTH} characters`)
	.refine((name) => !CONTROL.test(name), "name must not contain control characters");

export const metadataSchema = jsonObject("metadata");

/** The bounds of any id in a request. */
export const idSchema = z
	.string()
	.min(1)
	.max(128)
	.refine((id) => !CONTROL.test(id), "an id must not contain control characters");

/** The optional `tenantId` of our endpoints; an empty one counts as none. */
export const namedTenantSchema = z
	.string()
	.max(128)
	.meta({ description: "The tenant, unless the request names it otherwise" })
	.optional();
