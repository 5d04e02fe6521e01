import type { AuthContext } from "@better-auth/core";
import { getCurrentAdapter } from "@better-auth/core/context";
import type { Where } from "@better-auth/core/db/adapter";
import { APIError } from "@better-auth/core/error";
import { TENANT_AUTH_ERROR_CODES } from "../error-codes";
import { insertRow } from "../insert-row";
import { isUniqueViolation } from "../unique-violation";
import { type Tenant, type TenantMetadata, type TenantRow, toTenant } from "./tenant";

const MODEL = "tenant";

/** What this store needs of Better Auth. */
export type StoreContext = Pick<AuthContext, "adapter">;

// Inside a transaction the current adapter is the transaction's: any other connection would wait.
const database = (ctx: StoreContext) => getCurrentAdapter(ctx.adapter);

const by = (field: "id" | "slug", value: string): Where[] => [{ field, value }];

export async function findTenant(
	ctx: StoreContext,
	field: "id" | "slug",
	value: string,
): Promise<TenantRow | null> {
	const db = await database(ctx);
	const row = await db.findOne<TenantRow>({ model: MODEL, where: by(field, value) });
	// MySQL looks past case and trailing spaces: who may manage was asked about the text as given.
	return row?.[field] === value ? row : null;
}

export async function requireTenant(
	ctx: StoreContext,
	field: "id" | "slug",
	value: string,
): Promise<TenantRow> {
	const tenant = await findTenant(ctx, field, value);
	if (!tenant) throw notFound();
	return tenant;
}

export async function insertTenant(
	ctx: StoreContext,
	data: { name: string; slug: string; metadata: TenantMetadata | undefined },
): Promise<Tenant> {
	const now = new Date();
	const row = await insertRow<TenantRow>(ctx, MODEL, {
		name: data.name,
		slug: data.slug,
		metadata: data.metadata ? JSON.stringify(data.metadata) : null,
		createdAt: now,
		updatedAt: now,
		erasingSince: null,
	}).catch(refuseTakenSlug);
	return toTenant(row);
}

export async function updateTenantRow(
	ctx: StoreContext,
	tenantId: string,
	changes: { name?: string; slug?: string; metadata?: TenantMetadata },
): Promise<Tenant> {
	const { metadata, ...rest } = changes;
	const row = await (await database(ctx))
		.update<TenantRow>({
			model: MODEL,
			where: by("id", tenantId),
			update: {
				...rest,
				...(metadata ? { metadata: JSON.stringify(metadata) } : {}),
				updatedAt: new Date(),
			},
		})
		.catch(refuseTakenSlug);
	if (!row) throw notFound();
	return toTenant(row);
}

/** From now on the tenant accepts no sign-in and no sign-up. */
export async function markErasing(ctx: StoreContext, tenantId: string): Promise<void> {
	await (await database(ctx)).update<TenantRow>({
		model: MODEL,
		where: by("id", tenantId),
		update: { erasingSince: new Date() },
	});
}

/**
 * Refuses when the tenant is gone or being erased; else it stays until the running transaction ends.
 *
 * The update changes nothing, but takes the lock that {@link markErasing} needs: a user who is
 * created meanwhile is there when erasing begins.
 */
export async function holdTenant(
	database: Pick<AuthContext["adapter"], "updateMany" | "findOne">,
	tenantId: string,
): Promise<void> {
	const where: Where[] = [...by("id", tenantId), { field: "erasingSince", value: null }];
	const held = await database.updateMany({ model: MODEL, where, update: { erasingSince: null } });
	// Some drivers count only the rows whose values changed.
	if (held === 0 && !(await database.findOne({ model: MODEL, where }))) throw notFound();
}

export async function deleteTenantRow(ctx: StoreContext, tenantId: string): Promise<void> {
	await (await database(ctx)).delete({ model: MODEL, where: by("id", tenantId) });
}

function notFound() {
	return APIError.from("NOT_FOUND", TENANT_AUTH_ERROR_CODES.TENANT_NOT_FOUND);
}

/** The index decides who is first; a look before would only lose the race. */
function refuseTakenSlug(error: unknown): never {
	if (!isUniqueViolation(error)) throw error;
	throw APIError.from("CONFLICT", TENANT_AUTH_ERROR_CODES.TENANT_ALREADY_EXISTS);
}
