import { getCurrentAdapter } from "@better-auth/core/context";
import type { Where } from "@better-auth/core/db/adapter";
import type { TenantRow } from "../context/tenant";
import { createThrottle, type Throttle } from "../database/throttle";
import type { StoreContext } from "./store";

const MODEL = "tenant";
const BATCH = 250;

/**
 * Lists tenants from `offset` on: oldest first, and by id if several were created in one millisecond.
 *
 * An adapter sorts by one field only. The database orders equal values as it likes, and differently for
 * each query. So tenants of one millisecond are ordered by a query of their own. Each batch starts after
 * the last one: all batches cost the same, and none is skipped when a tenant is deleted meanwhile.
 */
export async function* walkTenants(
	ctx: StoreContext,
	where: Where[],
	{ offset, limit }: { offset: number; limit: number },
): AsyncGenerator<TenantRow[]> {
	const start = await findStart(ctx, where, offset);
	if (!start) return;
	const { moment, skip } = start;
	yield* sliceBatches(batchesFrom(ctx, where, moment, skip + limit + 1), { offset: skip, limit });
}

/** The creation time of the tenant at `offset`, and how many of the same time come before it. */
async function findStart(ctx: StoreContext, where: Where[], offset: number) {
	if (offset === 0) return { moment: 0, skip: 0 };
	const [before, first] = await findByAge(ctx, where, 2, offset - 1);
	if (!before || !first) return null;
	const moment = momentOf(first);
	if (momentOf(before) < moment) return { moment, skip: 0 };
	const older = [...where, createdAt("lt", moment)];
	const db = await getCurrentAdapter(ctx.adapter);
	return { moment, skip: offset - (await db.count({ model: MODEL, where: older })) };
}

async function* batchesFrom(
	ctx: StoreContext,
	where: Where[],
	start: number,
	wanted: number,
): AsyncGenerator<TenantRow[]> {
	const throttle = createThrottle();
	const size = Math.min(wanted, BATCH);
	let from = start;
	for (;;) {
		const later = from === 0 ? where : [...where, createdAt("gte", from)];
		const rows = await findByAge(ctx, later, size, 0);
		const lastRow = rows.at(-1);
		if (!lastRow || rows.length < size) {
			yield await putInOrder(ctx, where, rows);
			return;
		}
		// There may be more of the last millisecond.
		const last = momentOf(lastRow);
		yield await putInOrder(
			ctx,
			where,
			rows.filter((row) => momentOf(row) < last),
		);
		yield* ofMoment(ctx, where, last, throttle);
		from = last + 1;
		await throttle();
	}
}

/** In batches too: a whole import may have the same creation time. */
async function* ofMoment(
	ctx: StoreContext,
	where: Where[],
	moment: number,
	throttle: Throttle,
): AsyncGenerator<TenantRow[]> {
	let behind: Where[] = [];
	for (;;) {
		const rows = await findById(ctx, [...where, ...during(moment, moment), ...behind], BATCH);
		yield rows;
		const last = rows.at(-1);
		if (!last || rows.length < BATCH) return;
		behind = [{ field: "id", operator: "gt", value: last.id, connector: "AND" }];
		await throttle();
	}
}

/** Orders all tenants of one or more milliseconds. */
async function putInOrder(ctx: StoreContext, where: Where[], rows: TenantRow[]) {
	const moments = rows.map(momentOf);
	const [first = 0, last = 0] = [moments[0], moments.at(-1)];
	if (new Set(moments).size === rows.length) return rows;
	// Only the database knows its order of ids.
	const byId = await findById(ctx, [...where, ...during(first, last)], rows.length);
	const rank = new Map(byId.map(({ id }, index) => [id, index]));
	const rankOf = ({ id }: TenantRow) => rank.get(id) ?? rows.length;
	return [...rows].sort((a, b) => momentOf(a) - momentOf(b) || rankOf(a) - rankOf(b));
}

/** Some databases store fractions of a millisecond. */
const momentOf = ({ createdAt }: TenantRow) => createdAt.getTime();

function createdAt(operator: "gte" | "lt", moment: number): Where {
	return { field: "createdAt", operator, value: new Date(moment), connector: "AND" };
}

const during = (first: number, last: number) => [
	createdAt("gte", first),
	createdAt("lt", last + 1),
];

async function findByAge(ctx: StoreContext, where: Where[], limit: number, offset: number) {
	const sortBy = { field: "createdAt", direction: "asc" } as const;
	const db = await getCurrentAdapter(ctx.adapter);
	return db.findMany<TenantRow>({ model: MODEL, where, sortBy, limit, offset });
}

async function findById(ctx: StoreContext, where: Where[], limit: number) {
	const sortBy = { field: "id", direction: "asc" } as const;
	const db = await getCurrentAdapter(ctx.adapter);
	return db.findMany<TenantRow>({ model: MODEL, where, sortBy, limit });
}

/** Works like `slice` on all items together, and stops early. */
export async function* sliceBatches<T>(
	batches: AsyncIterable<T[]>,
	{ offset, limit }: { offset: number; limit: number },
): AsyncGenerator<T[]> {
	if (limit === 0) return;
	let [skip, left] = [offset, limit];
	for await (const items of batches) {
		const wanted = items.slice(skip, skip + left);
		skip = Math.max(0, skip - items.length);
		left -= wanted.length;
		if (wanted.length > 0) yield wanted;
		if (left === 0) return;
	}
}
