import * as z from "zod";

/** A tenant as the database holds it. */
export interface TenantRow {
	id: string;
	name: string;
	slug: string;
	metadata: string | null;
	createdAt: Date;
	updatedAt: Date;
	erasingSince: Date | null;
}

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
}

export function toTenant(row: TenantRow): Tenant {
	return {
		id: row.id,
		name: row.name,
		slug: row.slug,
		metadata: row.metadata ? (JSON.parse(row.metadata) as TenantMetadata) : null,
		createdAt: row.createdAt,
		updatedAt: row.updatedAt,
	};
}

const MAX_NAME_LENGTH = 200;
const MAX_METADATA_BYTES = 16 * 1024;
/** What can be stored but no longer answered would fail every list from then on. */
const MAX_METADATA_DEPTH = 1000;

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
const CONTROL = /[\u0000-\u001f\u007f]/;

export const nameSchema = z
	.string()
	.trim()
	.min(1, "name must not be empty")
	.max(MAX_NAME_LENGTH, `name has at most ${MAX_NAME_LENGTH} characters`)
	.refine((name) => !CONTROL.test(name), "name must not contain control characters");

export const metadataSchema = z
	.record(z.string(), z.unknown())
	.refine(
		(metadata) =>
			jsonBytes(metadata) <= MAX_METADATA_BYTES && isShallow(metadata, MAX_METADATA_DEPTH),
		`metadata has at most ${MAX_METADATA_BYTES} bytes as JSON and ${MAX_METADATA_DEPTH} levels`,
	);

/** Level by level: recursion would end where the stack does. */
function isShallow(value: object, maxDepth: number): boolean {
	let level: object[] = [value];
	for (let depth = 1; level.length > 0; depth += 1) {
		if (depth > maxDepth) return false;
		level = level.flatMap((parent) => Object.values(parent).filter(isObject));
	}
	return true;
}

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

function jsonBytes(value: unknown): number {
	try {
		return new TextEncoder().encode(JSON.stringify(value)).length;
	} catch {
		// Nested deeper than the engine can follow.
		return Number.POSITIVE_INFINITY;
	}
}

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
