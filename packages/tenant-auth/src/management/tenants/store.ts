import type { AuthContext, BetterAuthOptions, GenericEndpointContext } from "@better-auth/core";
import { getCurrentAdapter } from "@better-auth/core/context";
import type { Where } from "@better-auth/core/db/adapter";
import { APIError } from "@better-auth/core/error";
import { findState } from "../../call/context/current-state";
import { tenantNotFound } from "../../call/context/gate";
import { findTenantRow, TENANT_MODEL, type TenantRow } from "../../call/context/tenant";
import { isPossibleId } from "../../call/context/tenant-id";
import { isUniqueViolation } from "../../database/errors";
import { findSlugProblem } from "../../rules";
import { tenantError } from "../../tenant-error";
import { audited } from "../audit/audit-store";
import { reusesIds } from "../audit/retention";
import { forgetTenantOfSlugs, releaseSlug, requireOwnSlug, reserveSlug } from "./former-slugs";
import { type Tenant, type TenantMetadata, toTenant } from "./tenant";

/** What this store needs of Better Auth. */
export type StoreContext = Pick<AuthContext, "adapter">;

// Inside a transaction the current adapter is the transaction's: any other connection would wait.
const database = (ctx: StoreContext) => getCurrentAdapter(ctx.adapter);

const by = (field: "id" | "slug", value: string): Where[] => [{ field, value }];

export async function requireTenant(
	ctx: StoreContext,
	field: "id" | "slug",
	value: string,
): Promise<TenantRow> {
	const tenant = await findTenantRow(ctx, field, value);
	if (!tenant) throw tenantNotFound(field === "id" ? value : undefined);
	findState()?.noteTenant(tenant);
	return tenant;
}

/**
 * Call it inside a transaction. MySQL returns no row from an insert: for ids that the database counts,
 * the adapter asks for the last one, and another connection of the pool would return another id.
 */
export async function insertTenant(
	ctx: Pick<AuthContext, "adapter" | "options">,
	data: {
		id: string | undefined;
		name: string;
		slug: string;
		metadata: TenantMetadata | null | undefined;
		/** Whether to take a slug that another tenant had. */
		releaseSlug?: boolean | undefined;
	},
): Promise<Tenant> {
	const now = new Date();
	if (data.id !== undefined) await refuseUsedId(ctx, data.id);
	const id = data.id ?? (await findUnusedId(ctx));
	const db = await database(ctx);
	if (data.releaseSlug) await releaseSlug(db, data.slug);
	const row = await db
		.create<Omit<TenantRow, "id">, TenantRow>({
			model: TENANT_MODEL,
			forceAllowId: id !== undefined,
			data: {
				...(id === undefined ? {} : { id }),
				name: data.name,
				slug: data.slug,
				metadata: data.metadata ? JSON.stringify(data.metadata) : null,
				policy: null,
				createdAt: now,
				updatedAt: now,
				erasingSince: null,
				suspendedAt: null,
			},
		})
		.catch(refuseTaken);
	await requireOwnSlug(db, row);
	return toTenant(row);
}

/** Only the app knows its ids, so it must be able to look one up in this database. */
export function requireOwnId(options: BetterAuthOptions, id: string): void {
	const isCounted = options.advanced?.database?.generateId === "serial";
	if (!isCounted && isPossibleId(options, id)) return;
	throw new APIError("BAD_REQUEST", {
		code: "VALIDATION_ERROR",
		message: isCounted
			? "[body.id] The database counts the ids of tenants, so none can be chosen"
			: "[body.id] The ids of this database are UUIDs",
	});
}

/** See {@link findUnusedId}. The audit log is asked, because the tenant's row may be gone. */
async function refuseUsedId(ctx: StoreContext, id: string): Promise<void> {
	const db = await database(ctx);
	const where = [{ field: "tenantId", value: id }];
	const [event] = await db.findMany({ model: "tenantAuditEvent", where, limit: 1 });
	if (!event) return;
	const message = "A tenant with this id exists, or existed once";
	throw tenantError("TENANT_ALREADY_EXISTS", { message });
}

/**
 * Links, cookies and audit events of a deleted tenant would match a new one with the same id. The audit
 * log knows every tenant that ever existed.
 */
async function findUnusedId(
	ctx: Pick<AuthContext, "adapter" | "options">,
): Promise<string | undefined> {
	if (!reusesIds(ctx)) return undefined;
	const db = await database(ctx);
	const last = { limit: 1, sortBy: { field: "id", direction: "desc" } } as const;
	const [made] = await db.findMany<{ tenantId: string }>({
		model: "tenantAuditEvent",
		where: [{ field: "action", value: "tenant:create" }],
		...last,
	});
	const [highest] = await db.findMany<TenantRow>({ model: TENANT_MODEL, ...last });
	const next = Number(made?.tenantId ?? 0) + 1;
	return next > Number(highest?.id ?? 0) + 1 ? String(next) : undefined;
}

/** In a transaction it locks the row: of two changes at once, the second one sees the first. */
export async function writeTenant(
	ctx: StoreContext,
	tenantId: string,
	update: Partial<TenantRow>,
): Promise<TenantRow> {
	const where = by("id", tenantId);
	const row = await (await database(ctx)).update<TenantRow>({ model: TENANT_MODEL, where, update });
	if (!row) throw tenantError("TENANT_NOT_FOUND");
	return row;
}

export async function updateTenantRow(
	ctx: StoreContext,
	tenantId: string,
	changes: { name?: string | undefined; metadata?: TenantMetadata | null | undefined },
): Promise<Tenant> {
	const { name, metadata } = changes;
	const row = await writeTenant(ctx, tenantId, {
		...(name === undefined ? {} : { name }),
		...(metadata === undefined ? {} : { metadata: metadata && JSON.stringify(metadata) }),
		updatedAt: new Date(),
	});
	return toTenant(row);
}

/**
 * Gives a tenant another slug, and keeps the old one for it. Call it inside a transaction.
 *
 * @param releases whether to take a slug that another tenant had
 */
export async function changeSlug(
	ctx: StoreContext,
	tenantId: string,
	slug: string,
	{ releases = false } = {},
): Promise<void> {
	const db = await database(ctx);
	// A concurrent call may have changed the slug since it was read.
	const before = await writeTenant(ctx, tenantId, { updatedAt: new Date() });
	if (before.slug === slug) return;
	if (releases) await releaseSlug(db, slug);
	await reserveSlug(db, before);
	await writeTenant(ctx, tenantId, { slug }).catch(refuseTaken);
	await requireOwnSlug(db, { id: tenantId, slug });
}

/** From now on the gate refuses the tenant, and its slug is kept. */
export async function startDeletion(
	ctx: StoreContext,
	{ id: tenantId, slug }: Pick<TenantRow, "id" | "slug">,
): Promise<void> {
	const db = await database(ctx);
	// It locks the row, so of two calls at once the second one finds the slug reserved.
	await db.update<TenantRow>({
		model: TENANT_MODEL,
		where: by("id", tenantId),
		update: { erasingSince: new Date() },
	});
	await reserveSlug(db, { id: tenantId, slug });
}

export async function deleteTenantRow(ctx: StoreContext, tenantId: string): Promise<void> {
	const db = await database(ctx);
	await db.delete({ model: TENANT_MODEL, where: by("id", tenantId) });
	await forgetTenantOfSlugs(db, tenantId);
}

/** The index decides who is first. A look before the insert would lose the race. */
function refuseTaken(error: unknown): never {
	if (!isUniqueViolation(error)) throw error;
	throw tenantError("TENANT_ALREADY_EXISTS");
}

/** The unique index of the database decides whether a slug is taken. */
export function requireUsableSlug(slug: string, reserved: readonly string[]): void {
	const problem = findSlugProblem(slug, reserved);
	if (problem) throw tenantError(problem.code);
}

/**
 * Suspends or resumes a tenant, with one update of one row: the gate reads it at every request. A tenant
 * that is already suspended keeps its date.
 */
export async function changeSuspension(
	ctx: GenericEndpointContext,
	tenantId: string,
	change: "suspend" | "resume",
): Promise<TenantRow> {
	return audited(
		ctx,
		async () => {
			const { suspendedAt } = await requireTenant(ctx.context, "id", tenantId);
			const since = change === "suspend" ? (suspendedAt ?? new Date()) : null;
			return writeTenant(ctx.context, tenantId, { suspendedAt: since });
		},
		() => ({ action: `tenant:${change}`, tenantId }),
	);
}
