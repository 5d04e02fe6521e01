import type { AuthContext } from "@better-auth/core";
import {
	type DBTransactionAdapter,
	initGetFieldName,
	initGetModelName,
	type Where,
} from "@better-auth/core/db/adapter";
import { type KyselyLike, rawSql } from "../../database/kysely";
import type { AtStart } from "../../database/transactions";
import { tenantError } from "../../tenant-error";
import { requireOpen } from "./gate";
import { TENANT_MODEL, type TenantRow } from "./tenant";

// Two locks of a tenant's row, until the running transaction ends. One changes the row, and is for rules
// over several rows, such as the last owner. The other one is for those who only need the tenant to stay
// open: on PostgreSQL, MySQL and MariaDB they share it.

type Writer = Pick<DBTransactionAdapter, "updateMany">;
type LockingAdapter = Pick<DBTransactionAdapter, "updateMany" | "findOne">;

const by = (id: string): Where[] => [{ field: "id", value: id }];
const isNull = (field: string): Where => ({ field, value: null });

/**
 * Locks a tenant's row, whether it is open or not. It must be the first statement of the transaction:
 * MySQL reads as of the first read.
 *
 * The row changes, because a cluster such as Galera locks rows on one node only. Two transactions on two
 * nodes collide if both change a row.
 */
export async function lockTenantRow(database: Writer, tenantId: string): Promise<void> {
	const update = { updatedAt: new Date() };
	await database.updateMany({ model: TENANT_MODEL, where: by(tenantId), update });
}

/**
 * Locks the row of an open tenant, or throws. Suspending and deleting wait for the lock: a user who is
 * created in this transaction is there when they start.
 *
 * A transaction that also changes the row must do that first. Two that share the lock and then change the
 * row would wait for each other.
 */
export async function lockOpenTenant(database: LockingAdapter, tenantId: string): Promise<void> {
	const shared = await (database as Partial<Locking>)[SHARED]?.(tenantId);
	if (shared === undefined) await lockByUpdate(database, tenantId);
	else requireOpen(shared);
}

/** The update changes nothing, but it takes the lock. */
async function lockByUpdate(database: LockingAdapter, tenantId: string): Promise<void> {
	const open = { erasingSince: null, suspendedAt: null };
	const where = [...by(tenantId), isNull("erasingSince"), isNull("suspendedAt")];
	if ((await database.updateMany({ model: TENANT_MODEL, where, update: open })) > 0) return;
	const row = await database.findOne<TenantRow>({ model: TENANT_MODEL, where: by(tenantId) });
	await refuseSnapshot(database, requireOpen(row).tenant);
}

/**
 * The transaction reads an open tenant, and yet the update matched nothing. Either the driver counts
 * only rows whose values changed, or the transaction reads an older snapshot, as in MySQL, where only
 * updates see the present. If an update without further conditions matches, it is the latter.
 */
async function refuseSnapshot(database: LockingAdapter, { id, createdAt }: TenantRow) {
	const matches = async (...more: Where[]) =>
		(await database.updateMany({
			model: TENANT_MODEL,
			where: [...by(id), ...more],
			update: { createdAt },
		})) > 0;
	if (!(await matches())) return;
	throw (await matches(isNull("erasingSince")))
		? tenantError("TENANT_SUSPENDED")
		: tenantError("TENANT_NOT_FOUND");
}

/** It is a property of the adapter, because adapters are copied. */
const SHARED = Symbol("shared lock of a tenant");

interface Locking {
	/** `undefined` if the engine has no such lock. */
	[SHARED](tenantId: string): Promise<TenantRow | null | undefined>;
}

/** Gives transactions the shared lock, if Kysely runs them on a database that has one. */
export function tenantLocks(ctx: AuthContext): AtStart {
	const type: unknown = ctx.adapter.options?.type;
	// SQLite locks the whole database at the first write, so there the update comes first.
	if (type !== "postgres" && type !== "mysql") return () => {};
	const names = {
		usePlural: ctx.adapter.options?.adapterConfig.usePlural ?? false,
		schema: ctx.tables,
	};
	const table = initGetModelName(names)(TENANT_MODEL);
	const columnOf = initGetFieldName(names);
	// A plugin of Kysely may rename columns of a result. It leaves these names as they are.
	const columns = ["erasingSince", "suspendedAt"].map(
		(field, index) => `${columnOf({ model: TENANT_MODEL, field })} as c${index}`,
	);
	const isPostgres = type === "postgres";

	let known: boolean | undefined = isPostgres ? undefined : true;
	const hasTurns = async (kysely: KyselyLike): Promise<boolean> => {
		known ??= await isRealPostgres(kysely);
		return known;
	};

	return (trx, kysely) => {
		if (!kysely) return;
		const lock: Locking[typeof SHARED] = async (id) => {
			if (!(await hasTurns(kysely))) return;
			const query = kysely.selectFrom(table).select(columns).where("id", "=", id);
			const row = await (isPostgres
				? query.select((build) => [turn(build, "pg_advisory_xact_lock_shared", id)]).forShare()
				: // MySQL 8 has `for share` too, MariaDB only this.
					query.modifyEnd(rawSql("lock in share mode"))
			).executeTakeFirst();
			return row ? ({ id, erasingSince: row.c0, suspendedAt: row.c1 } as TenantRow) : null;
		};
		Object.assign(trx, { [SHARED]: lock } satisfies Locking);
		if (isPostgres) waitForTurn(trx, kysely, () => hasTurns(kysely));
	};
}

/** CockroachDB and YugabyteDB speak the same protocol, but most of their versions have no advisory locks. */
async function isRealPostgres(kysely: KyselyLike): Promise<boolean> {
	const row = await kysely
		.selectNoFrom((build) => [build.fn("version", []).as("version")])
		.executeTakeFirst();
	return /^PostgreSQL (?!.*-YB-)/.test(String(row?.version));
}

type ExpressionBuilder = Parameters<Parameters<KyselyLike["selectNoFrom"]>[0]>[0];

/**
 * On PostgreSQL, those who share the lock of a row pass those who wait to change the row. While people
 * sign up all the time, nobody could suspend the tenant. Advisory locks are granted in turn, so both
 * take one of these first.
 */
function waitForTurn(
	trx: DBTransactionAdapter,
	kysely: KyselyLike,
	hasTurns: () => Promise<boolean>,
): void {
	const { update, updateMany } = trx;
	const wait = async ({ model, where }: { model: string; where: Where[] }) => {
		const id = where.find(({ field }) => field === "id")?.value;
		if (model !== TENANT_MODEL || typeof id !== "string" || !(await hasTurns())) return;
		await kysely
			.selectNoFrom((build) => [turn(build, "pg_advisory_xact_lock", id)])
			.executeTakeFirst();
	};
	Object.assign(trx, {
		update: async (query) => {
			await wait(query);
			return update(query);
		},
		updateMany: async (query) => {
			await wait(query);
			return updateMany(query);
		},
	} satisfies Pick<DBTransactionAdapter, "update" | "updateMany">);
}

/** The first number of our advisory locks. Any number that nothing else uses. */
const LOCKS = 1_952_804_449;

const turn = (build: ExpressionBuilder, lock: string, tenantId: string) =>
	build.fn(lock, [build.val(LOCKS), build.val(numberOf(tenantId))]).as("turn");

/** A 32-bit number (FNV-1a). Two tenants with the same one only wait for each other. */
function numberOf(text: string): number {
	let hash = 0x811c9dc5;
	for (let index = 0; index < text.length; index += 1) {
		hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
	}
	return hash | 0;
}
