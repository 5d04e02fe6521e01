import type { AuthContext } from "@better-auth/core";
import type { Where } from "@better-auth/core/db/adapter";
import { currentAdapter } from "./current-adapter";
import { createThrottle } from "./throttle";

const BATCH = 250;

/** Rows that a list may show. */
export interface DatedRow {
	id: string;
	createdAt: Date;
}

/** What is listed. */
export interface Listing<Row> {
	ctx: Pick<AuthContext, "adapter">;
	model: string;
	where: Where[];
	/** @default "newest" */
	first?: ListOrder;
	/** Whether ids of the same millisecond are in falling order, as in a list that is turned around. */
	fallingIds?: boolean;
	/** Filters the rows, if the database may find too many. */
	matches?: ((row: Row) => boolean) | undefined;
}

export type ListOrder = "oldest" | "newest";

/** Where a row is in a list. It stays valid if the row is deleted. */
export interface Position {
	/** What the list is sorted by: the time of creation in milliseconds, or a text. */
	key: number | string;
	id: string;
}

export interface Part {
	offset: number;
	limit: number;
	/** Starts after this position. The offset is not used then. */
	after?: Position | undefined;
}

export interface Page<Row> {
	rows: Row[];
	/** The position of the last row, if more rows follow. */
	next: Position | null;
}

const ALL_ROWS: Part = { offset: 0, limit: Number.POSITIVE_INFINITY };

/** A part of a list. Two parts never have a row in common, and together they have all rows. */
export async function findPage<Row extends DatedRow>(
	listing: Listing<Row>,
	part: Part,
): Promise<Page<Row>> {
	const found: Row[] = [];
	const oneMore = { ...part, limit: part.limit + 1 };
	for await (const rows of walkRows(listing, oneMore)) found.push(...rows);
	return toPage(found, part.limit);
}

/** `found` has one row more than the page, if there are more. */
export function toPage<Row extends DatedRow>(
	found: Row[],
	limit: number,
	keyOf: (row: Row) => Position["key"] = timestampOf,
): Page<Row> {
	const rows = found.slice(0, limit);
	const last = rows.at(-1);
	return { rows, next: last && found.length > limit ? { key: keyOf(last), id: last.id } : null };
}

export async function countRows<Row extends DatedRow>(listing: Listing<Row>): Promise<number> {
	const { ctx, model, where, matches } = listing;
	if (!matches) return currentAdapter(ctx.adapter).count({ model, where });
	let total = 0;
	for await (const rows of walkRows(listing, ALL_ROWS)) total += rows.length;
	return total;
}

/**
 * Lists rows from `offset` on, by the time of their creation, and by id if several were created in one
 * millisecond.
 *
 * An adapter sorts by one field only. The database orders equal values as it likes, and differently for
 * each query. So rows of one millisecond are ordered by a query of their own. Each batch starts after
 * the last one: all batches cost the same, and none is skipped when a row is deleted meanwhile.
 */
async function* walkRows<Row extends DatedRow>(
	listing: Listing<Row>,
	{ offset, limit, after }: Part,
): AsyncGenerator<Row[]> {
	const { matches } = listing;
	if (matches) {
		const all = after ? batchesAfter(listing, after) : batchesFrom(listing, []);
		yield* sliceBatches(filterBatches(all, matches), { offset: after ? 0 : offset, limit });
		return;
	}
	if (after) {
		yield* sliceBatches(batchesAfter(listing, after, limit + 1), { offset: 0, limit });
		return;
	}
	const start = await findStart(listing, offset);
	if (!start) return;
	const { timestamp, skip } = start;
	const where = timestamp === null ? [] : [fromOn(listing, timestamp)];
	yield* sliceBatches(batchesFrom(listing, where, skip + limit + 1), { offset: skip, limit });
}

interface Start {
	/** The time of the first row; `null` for the first of all. */
	timestamp: number | null;
	/** How many rows of the same time come before it. */
	skip: number;
}

/** Where the row at `offset` is. */
async function findStart<Row extends DatedRow>(
	listing: Listing<Row>,
	offset: number,
): Promise<Start | null> {
	if (offset === 0) return { timestamp: null, skip: 0 };
	const [before, first] = await findByTime(listing, [], 2, offset - 1);
	if (!before || !first) return null;
	const timestamp = timestampOf(first);
	if (timestampOf(before) !== timestamp) return { timestamp, skip: 0 };
	const db = currentAdapter(listing.ctx.adapter);
	const where = [...listing.where, earlierInList(listing, timestamp)];
	return { timestamp, skip: offset - (await db.count({ model: listing.model, where })) };
}

async function* batchesAfter<Row extends DatedRow>(
	listing: Listing<Row>,
	{ key, id }: Position,
	wanted?: number,
): AsyncGenerator<Row[]> {
	const timestamp = Number(key);
	yield* ofTimestamp(listing, timestamp, { after: id, wanted });
	yield* batchesFrom(listing, [laterInList(listing, timestamp)], wanted);
}

async function* batchesFrom<Row extends DatedRow>(
	listing: Listing<Row>,
	start: Where[],
	wanted: number = BATCH,
): AsyncGenerator<Row[]> {
	const throttle = createThrottle();
	const size = Math.min(wanted, BATCH);
	let rest = start;
	for (;;) {
		const rows = await findByTime(listing, rest, size, 0);
		const lastRow = rows.at(-1);
		if (!lastRow || rows.length < size) {
			yield await putInOrder(listing, rows);
			return;
		}
		// There may be more of the last millisecond.
		const last = timestampOf(lastRow);
		const complete = rows.filter((row) => timestampOf(row) !== last);
		yield await putInOrder(listing, complete);
		yield* ofTimestamp(listing, last);
		rest = [laterInList(listing, last)];
		await throttle();
	}
}

/** In batches too: a whole import may have the same creation time. */
async function* ofTimestamp<Row extends DatedRow>(
	listing: Listing<Row>,
	timestamp: number,
	{ after, wanted = BATCH }: { after?: string; wanted?: number | undefined } = {},
): AsyncGenerator<Row[]> {
	const throttle = createThrottle();
	const size = Math.min(wanted, BATCH);
	let behind = after === undefined ? [] : [behindId(listing, after)];
	for (;;) {
		const rows = await findById(listing, [...during(timestamp, timestamp), ...behind], size);
		yield rows;
		const last = rows.at(-1);
		if (!last || rows.length < size) return;
		behind = [behindId(listing, last.id)];
		await throttle();
	}
}

/** Orders all rows of one or more milliseconds. */
async function putInOrder<Row extends DatedRow>(
	listing: Listing<Row>,
	rows: Row[],
): Promise<Row[]> {
	const timestamps = rows.map(timestampOf);
	if (new Set(timestamps).size === rows.length) return rows;
	// Only the database knows its order of ids.
	const between = during(Math.min(...timestamps), Math.max(...timestamps));
	const byId = await findById(listing, between, rows.length);
	const rank = new Map(byId.map(({ id }, index) => [id, index]));
	const rankOf = ({ id }: Row) => rank.get(id) ?? rows.length;
	const sign = isOldestFirst(listing) ? 1 : -1;
	return [...rows].sort(
		(a, b) => sign * (timestampOf(a) - timestampOf(b)) || rankOf(a) - rankOf(b),
	);
}

const isOldestFirst = ({ first }: Order) => first === "oldest";

/** In milliseconds: some databases store fractions of them. */
const timestampOf = ({ createdAt }: DatedRow) => createdAt.getTime();

function createdAt(operator: "gte" | "lt", timestamp: number): Where {
	return { field: "createdAt", operator, value: new Date(timestamp), connector: "AND" };
}

const during = (first: number, last: number) => [
	createdAt("gte", first),
	createdAt("lt", last + 1),
];

type Order = Pick<Listing<never>, "first" | "fallingIds">;

const fromOn = (order: Order, timestamp: number) =>
	isOldestFirst(order) ? createdAt("gte", timestamp) : createdAt("lt", timestamp + 1);
const laterInList = (order: Order, timestamp: number) =>
	isOldestFirst(order) ? createdAt("gte", timestamp + 1) : createdAt("lt", timestamp);
const earlierInList = (order: Order, timestamp: number) =>
	isOldestFirst(order) ? createdAt("lt", timestamp) : createdAt("gte", timestamp + 1);

const behindId = ({ fallingIds }: Order, value: string): Where => ({
	field: "id",
	operator: fallingIds ? "lt" : "gt",
	value,
	connector: "AND",
});

/** Rows of a list that meet more conditions, in the order of one column. */
export const findRows = <Row>(
	{ ctx, model, where: ofList }: Pick<Listing<Row>, "ctx" | "model" | "where">,
	more: Where[],
	sortBy: { field: string; direction: "asc" | "desc" },
	limit: number,
	offset = 0,
): Promise<Row[]> => {
	const where = [...ofList, ...more];
	return currentAdapter(ctx.adapter).findMany<Row>({ model, where, sortBy, limit, offset });
};

function findByTime<Row>(listing: Listing<Row>, more: Where[], limit: number, offset: number) {
	const direction = isOldestFirst(listing) ? "asc" : "desc";
	return findRows<Row>(listing, more, { field: "createdAt", direction }, limit, offset);
}

function findById<Row>(listing: Listing<Row>, more: Where[], limit: number) {
	const direction = listing.fallingIds ? "desc" : "asc";
	return findRows<Row>(listing, more, { field: "id", direction }, limit);
}

async function* filterBatches<Row>(
	batches: AsyncIterable<Row[]>,
	matches: (row: Row) => boolean,
): AsyncGenerator<Row[]> {
	for await (const rows of batches) yield rows.filter(matches);
}

/** Works like `slice` on all items together, and stops early. */
async function* sliceBatches<T>(
	batches: AsyncIterable<T[]>,
	{ offset, limit }: Pick<Part, "offset" | "limit">,
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
