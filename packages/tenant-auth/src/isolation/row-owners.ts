import type { DBTransactionAdapter, Where } from "@better-auth/core/db/adapter";
import { PLATFORM_ID, type TenantScope } from "../call/context/tenant";

const MODEL = "tenantRow";
const BATCH = 100;
const MAX_OWNED_IDS = 500;
const PURGE_BATCH = 25;

type Row = Record<string, unknown>;
type Raw = DBTransactionAdapter;
type FindMany = Parameters<Raw["findMany"]>[0] & { where: Where[] };

/** Records the owner of a row of another plugin's table. Rows of the platform have no record. */
export async function recordOwner(raw: Raw, model: string, id: unknown, scope: TenantScope) {
	if (scope.tenantId === PLATFORM_ID) return;
	await raw.create({
		model: MODEL,
		data: { model, rowId: String(id), tenantId: scope.tenantId },
	});
}

export async function forgetOwners(raw: Raw, model: string, ids: string[]): Promise<void> {
	for (const batch of inBatches(ids)) {
		await raw.deleteMany({ model: MODEL, where: ofRows(model, batch) });
	}
}

function ofRows(model: string, ids: string[]): Where[] {
	return [
		{ field: "model", value: model },
		{ field: "rowId", operator: "in", value: ids },
	];
}

/** Databases limit the number of values in one statement. */
export function inBatches(ids: string[]): string[][] {
	const batches: string[][] = [];
	for (let start = 0; start < ids.length; start += BATCH) {
		batches.push(ids.slice(start, start + BATCH));
	}
	return batches;
}

/** Comes last and with AND, so that it holds whatever ORs come before. */
export const withIds = (ids: string[]): Where => ({
	field: "id",
	operator: "in",
	value: ids,
	connector: "AND",
});

/** The rows that belong to the scope. */
export async function keepOwn<T>(
	raw: Raw,
	model: string,
	rows: T[],
	scope: TenantScope,
): Promise<T[]> {
	const ownerOf = await findOwners(raw, model, rows.map(idOf));
	return rows.filter((row) => ownerOf(idOf(row)) === scope.tenantId);
}

/** Which tenant owns each of these rows. */
export async function findOwners(
	raw: Raw,
	model: string,
	ids: string[],
): Promise<(id: string) => string> {
	const owners = new Map<string, string>();
	for (const batch of inBatches(ids)) {
		const records = await raw.findMany<{ rowId: string; tenantId: string }>({
			model: MODEL,
			where: ofRows(model, batch),
			limit: batch.length,
		});
		for (const { rowId, tenantId } of records) owners.set(rowId, tenantId);
	}
	return (id) => owners.get(id) ?? PLATFORM_ID;
}

export const idOf = (row: unknown) => String((row as { id: unknown }).id);

/** The rows of the scope that a query finds. Limit and offset apply to these only. */
export async function findOwnRows<T>(
	raw: Raw,
	model: string,
	query: FindMany,
	scope: TenantScope,
): Promise<T[]> {
	const { limit = BATCH, offset = 0 } = query;
	const select =
		query.select && !query.select.includes("id") ? [...query.select, "id"] : query.select;
	const readFirst = () => raw.findMany<T>({ ...query, select, limit: BATCH, offset: 0 });
	// Without a condition, a query would read rows of other tenants.
	const found = query.where.length > 0 ? await readFirst() : null;
	if (!found || found.length === BATCH) {
		const owned = await findOwnedIds(raw, model, scope);
		// Not every database accepts an empty list of values.
		if (owned?.length === 0) return [];
		if (owned) {
			return raw.findMany<T>({ ...query, where: [...query.where, withIds(owned)] });
		}
	}
	const first = found ?? (await readFirst());
	const own: T[] = [];
	for await (const rows of findInBatches<T>(raw, { ...query, select }, first)) {
		own.push(...(await keepOwn(raw, model, rows, scope)));
		if (own.length >= offset + limit) break;
	}
	return own.slice(offset, offset + limit);
}

/**
 * The ids of all rows that the scope owns, if they are few. Then a query that finds many rows of other
 * tenants need not read them.
 */
async function findOwnedIds(
	raw: Raw,
	model: string,
	{ tenantId }: TenantScope,
): Promise<string[] | null> {
	if (tenantId === PLATFORM_ID) return null;
	const records = await raw.findMany<{ rowId: string }>({
		model: MODEL,
		where: [
			{ field: "tenantId", value: tenantId },
			{ field: "model", value: model },
		],
		limit: MAX_OWNED_IDS + 1,
	});
	return records.length > MAX_OWNED_IDS ? null : records.map(({ rowId }) => rowId);
}

/** All rows that a query finds, of any tenant, in batches. */
async function* findInBatches<T>(raw: Raw, query: FindMany, first: T[]): AsyncGenerator<T[]> {
	if (first.length === BATCH && !query.sortBy) return yield* findById(raw, query);
	let rows = first;
	for (let offset = BATCH; rows.length > 0; offset += BATCH) {
		yield rows;
		if (first.length < BATCH) return;
		rows = await raw.findMany<T>({ ...query, limit: BATCH, offset });
	}
}

/** Each batch starts after the last id. So it skips none when others delete rows meanwhile. */
export async function* findById<T>(raw: Raw, query: FindMany): AsyncGenerator<T[]> {
	const sortBy = { field: "id", direction: "asc" } as const;
	let { where } = query;
	for (;;) {
		const rows = await raw.findMany<T>({ ...query, where, sortBy, limit: BATCH, offset: 0 });
		if (rows.length > 0) yield rows;
		if (rows.length < BATCH) return;
		where = [...query.where, { field: "id", operator: "gt", value: idOf(rows.at(-1)) }];
	}
}

/** The ids of the rows of the scope that a condition finds. */
export async function findOwnIds(
	raw: Raw,
	model: string,
	query: { model: string; where: Where[] },
	scope: TenantScope,
): Promise<string[]> {
	const all = { ...query, select: ["id"], limit: Number.MAX_SAFE_INTEGER };
	return (await findOwnRows<Row>(raw, model, all, scope)).map(idOf);
}

/**
 * Deletes rows of a table with row owners, by a condition that includes their ids, and forgets the owners
 * of those that are gone. A row may have changed meanwhile: without an owner, it would belong to the
 * platform.
 */
export async function deleteWithOwners(
	raw: Raw,
	key: string,
	{ model, where }: { model: string; where: Where[] },
	ids: string[],
): Promise<number> {
	const deleted = Number(await raw.deleteMany({ model, where }));
	const left =
		deleted === ids.length
			? []
			: await raw.findMany<Row>({
					model,
					where: [withIds(ids)],
					select: ["id"],
					limit: ids.length,
				});
	const kept = new Set(left.map(idOf));
	await forgetOwners(
		raw,
		key,
		ids.filter((id) => !kept.has(id)),
	);
	return deleted;
}

/**
 * Deletes every row of other plugins' tables that the tenant owns, in batches, with a pause
 * `afterEach`. The records go in any case: some are of rows that the database deleted with others.
 *
 * Rows of a plugin that the app has removed since cannot be reached. Their records stay: without them
 * the rows would belong to the platform when the plugin comes back.
 */
export async function purgeOwnedRows(
	raw: Raw,
	tables: object,
	tenantId: string,
	afterEach: () => Promise<void>,
): Promise<void> {
	const where: Where[] = [
		{ field: "tenantId", value: tenantId },
		{ field: "model", operator: "in", value: Object.keys(tables) },
	];
	for (;;) {
		const records = await raw.findMany<{ model: string; rowId: string }>({
			model: MODEL,
			where,
			limit: PURGE_BATCH,
		});
		for (const model of new Set(records.map((record) => record.model))) {
			const ids = records.filter((record) => record.model === model).map(({ rowId }) => rowId);
			await raw.deleteMany({ model, where: [withIds(ids)] });
			await forgetOwners(raw, model, ids);
			await afterEach();
		}
		if (records.length < PURGE_BATCH) return;
	}
}
