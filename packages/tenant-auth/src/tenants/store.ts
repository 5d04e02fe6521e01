import type { AuthContext } from "@better-auth/core";
import { getCurrentAdapter } from "@better-auth/core/context";
import type { Where } from "@better-auth/core/db/adapter";
import { isUniqueViolation } from "../database/unique-violation";
import { tenantError } from "../tenant-error";
import { type Tenant, type TenantMetadata, type TenantRow, toTenant } from "./tenant";
import { tenantNotFound, tenantSuspended } from "./tenant-errors";

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
	if (!tenant) throw tenantNotFound();
	return tenant;
}

/**
 * To be called inside a transaction. MySQL returns no row from an insert: for ids that the database
 * counts, the adapter asks for the last one, and another connection of the pool would answer with the
 * id of another row.
 */
export async function insertTenant(
	ctx: Pick<AuthContext, "adapter" | "options">,
	data: { name: string; slug: string; metadata: TenantMetadata | undefined },
): Promise<Tenant> {
	const now = new Date();
	const id = await findUnusedId(ctx);
	const row = await (await database(ctx))
		.create<Omit<TenantRow, "id">, TenantRow>({
			model: MODEL,
			forceAllowId: id !== undefined,
			data: {
				...(id === undefined ? {} : { id }),
				name: data.name,
				slug: data.slug,
				metadata: data.metadata ? JSON.stringify(data.metadata) : null,
				createdAt: now,
				updatedAt: now,
				erasingSince: null,
				suspendedAt: null,
			},
		})
		.catch(refuseTakenSlug);
	return toTenant(row);
}

/**
 * SQLite counts on from the highest id that is there, and would give out that of a deleted tenant
 * again: mails, cookies and the audit log that name the old one would fit the new one. Every tenant
 * that was ever made is in the audit log.
 */
async function findUnusedId(
	ctx: Pick<AuthContext, "adapter" | "options">,
): Promise<string | undefined> {
	const { options } = ctx.adapter;
	const isSqlite = options?.type === "sqlite" || options?.provider === "sqlite";
	if (!isSqlite || ctx.options.advanced?.database?.generateId !== "serial") return undefined;
	const db = await database(ctx);
	const last = { limit: 1, sortBy: { field: "id", direction: "desc" } } as const;
	const [made] = await db.findMany<{ tenantId: string }>({
		model: "tenantAuditEvent",
		where: [{ field: "action", value: "tenant:create" }],
		...last,
	});
	const [highest] = await db.findMany<TenantRow>({ model: MODEL, ...last });
	const next = Number(made?.tenantId ?? 0) + 1;
	return next > Number(highest?.id ?? 0) + 1 ? String(next) : undefined;
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
	if (!row) throw tenantNotFound();
	return toTenant(row);
}

export async function setSuspendedAt(
	ctx: StoreContext,
	tenantId: string,
	suspendedAt: Date | null,
): Promise<TenantRow> {
	const row = await (await database(ctx)).update<TenantRow>({
		model: MODEL,
		where: by("id", tenantId),
		update: { suspendedAt },
	});
	if (!row) throw tenantNotFound();
	return row;
}

/** From now on the tenant accepts no sign-up, and is found by no name. */
export async function markErasing(ctx: StoreContext, tenantId: string): Promise<void> {
	await (await database(ctx)).update<TenantRow>({
		model: MODEL,
		where: by("id", tenantId),
		update: { erasingSince: new Date() },
	});
}

/**
 * Refuses when the tenant is gone, being erased or suspended; else it stays so until the running
 * transaction ends.
 *
 * The update changes nothing, but takes the lock that {@link markErasing} needs: a user who is
 * created meanwhile is there when erasing begins.
 */
export async function holdTenant(database: HoldingAdapter, tenantId: string): Promise<void> {
	const open = { erasingSince: null, suspendedAt: null };
	const where = [...by("id", tenantId), isNull("erasingSince"), isNull("suspendedAt")];
	if ((await database.updateMany({ model: MODEL, where, update: open })) > 0) return;
	const row = await database.findOne<TenantRow>({ model: MODEL, where: by("id", tenantId) });
	if (!row || row.erasingSince) throw tenantNotFound();
	if (row.suspendedAt) throw tenantSuspended();
	await refuseSnapshot(database, row);
}

type HoldingAdapter = Pick<AuthContext["adapter"], "updateMany" | "findOne">;

const isNull = (field: string): Where => ({ field, value: null });

/**
 * The tenant was open, as far as the transaction reads, and yet nothing was updated. Either the driver
 * counts only rows whose values changed, or the transaction reads a snapshot of before, as MySQL's do:
 * updates see the present. Where one without further conditions counts, it is the latter.
 */
async function refuseSnapshot(database: HoldingAdapter, { id, createdAt }: TenantRow) {
	const counts = async (...more: Where[]) =>
		(await database.updateMany({
			model: MODEL,
			where: [...by("id", id), ...more],
			update: { createdAt },
		})) > 0;
	if (!(await counts())) return;
	throw (await counts(isNull("erasingSince"))) ? tenantSuspended() : tenantNotFound();
}

export async function deleteTenantRow(ctx: StoreContext, tenantId: string): Promise<void> {
	await (await database(ctx)).delete({ model: MODEL, where: by("id", tenantId) });
}

/** The index decides who is first; a look before would only lose the race. */
function refuseTakenSlug(error: unknown): never {
	if (!isUniqueViolation(error)) throw error;
	throw tenantError("TENANT_ALREADY_EXISTS");
}
