import { APIError } from "@better-auth/core/error";
import * as z from "zod";
import { scopeOf, type TenantScope } from "../../call/context/tenant";
import {
	insertTenant,
	requireOwnId,
	requireTenant,
	requireUsableSlug,
} from "../../management/tenants/store";
import { nameSchema, ownIdSchema, type TenantMetadata } from "../../management/tenants/tenant";
import type { Moving } from "./move";

interface NewTenant {
	id: string | undefined;
	name: unknown;
	slug: unknown;
	metadata?: TenantMetadata;
	/** For the audit event: where the tenant comes from. */
	origin: Record<string, string>;
}

export interface CreatedTenant {
	scope: TenantScope;
	name: string;
	slug: string;
}

/**
 * Creates a tenant in the current transaction.
 *
 * @throws APIError `VALIDATION_ERROR`, `INVALID_SLUG`, `SLUG_RESERVED`, `TENANT_ALREADY_EXISTS`, …
 */
export async function createTenantIn(
	{ context, options, record }: Moving,
	given: NewTenant,
): Promise<CreatedTenant> {
	const id = given.id === undefined ? undefined : parse(ownIdSchema, "id", given.id);
	if (id !== undefined) requireOwnId(context.options, id);
	const name = parse(nameSchema, "name", given.name);
	const slug = parse(z.string(), "slug", given.slug);
	requireUsableSlug(slug, options.reservedSlugs);
	const tenant = await insertTenant(context, { id, name, slug, metadata: given.metadata });
	const detail = { name, slug, ...given.origin };
	await record({ action: "tenant:create", tenantId: tenant.id, detail });
	return { scope: scopeOf(await requireTenant(context, "id", tenant.id)), name, slug };
}

function parse<T>(schema: z.ZodType<T>, name: string, value: unknown): T {
	const { data, error } = schema.safeParse(value);
	if (!error) return data;
	throw new APIError("BAD_REQUEST", {
		code: "VALIDATION_ERROR",
		message: `[tenant.${name}] ${error.issues[0]?.message ?? "is not valid"}`,
	});
}
