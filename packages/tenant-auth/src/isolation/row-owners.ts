import type { DBTransactionAdapter, Where } from "@better-auth/core/db/adapter";
import { PLATFORM_ID, type TenantScope } from "../context/scope";

const MODEL = "tenantRow";
const BATCH = 100;
const FEW = 500;
const ERASED_AT_ONCE = 25;

type Row = Record<string, unknown>;
type Raw = DBTransactionAdapter;
type FindMany = Parameters<Raw["findMany"]>[0] & { where: Where[] };

/** Notes that a row of another plugin's table is the tenant's. The platform's rows are not noted. */
export async function registerRow(raw: Raw, model: string, id: unknown, scope: TenantScope) {
	if (scope.tenantId === PLATFORM_ID) return;
	await raw.create({
		model: MODEL,
		data: { model, rowId: String(id), tenantId: scope.tenantId },
	});
}

export async function unregisterRows(raw: Raw, model: string, ids: string[]): Promise<void> {
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

/** Databases take only so many values in one statement. */
export function inBatches(ids: string[]): string[][] {
	const batches: string[][] = [];
	for (let start = 0; start < ids.length; start += BATCH) {
		batches.push(ids.slice(start, start + BATCH));
	}
	return batches;
}

/** Comes last in a condition and with AND: it holds whatever ORs are before it. */
export const withIds = (ids: string[]): Where => ({
	field: "id",
	operator: "in",
	value: ids,
	connector: "AND",
});

/** Those of the rows that are the scope's. */
export async function keepOwn<T>(
	raw: Raw,
	model: string,
	rows: T[],
	scope: TenantScope,
): Promise<T[]> {
	const owners = new Map<string, string>();
	for (const ids of inBatches(rows.map(idOf))) {
		const notes = await raw.findMany<{ rowId: string; tenantId: string }>({
			model: MODEL,
			where: ofRows(model, ids),
			limit: ids.length,
		});
		for (const { rowId, tenantId } of notes) owners.set(rowId, tenantId);
	}
	return rows.filter((row) => (owners.get(idOf(row)) ?? PLATFORM_ID) === scope.tenantId);
}

export const idOf = (row: unknown) => String((row as { id: unknown }).id);

/** The scope's rows that a query finds, with its limit and offset counted among them alone. */
export async function findOwnRows<T>(
	raw: Raw,
	model: string,
	query: FindMany,
	scope: TenantScope,
): Promise<T[]> {
	const { limit = BATCH, offset = 0 } = query;
	const select =
		query.select && !query.select.includes("id") ? [...query.select, "id"] : query.select;
	const first = await raw.findMany<T>({ ...query, select, limit: BATCH, offset: 0 });
	if (first.length === BATCH) {
		const noted = await findNotedIds(raw, model, scope);
		// Not every database takes an empty list of values.
		if (noted?.length === 0) return [];
		if (noted) {
			return raw.findMany<T>({ ...query, where: [...query.where, withIds(noted)] });
		}
	}
	const own: T[] = [];
	for await (const rows of findInBatches<T>(raw, { ...query, select }, first)) {
		own.push(...(await keepOwn(raw, model, rows, scope)));
		if (own.length >= offset + limit) break;
	}
	return own.slice(offset, offset + limit);
}

/**
 * The ids of all rows that are noted as the scope's, if they are few: then a query that finds many
 * rows of other tenants need not read these.
 */
async function findNotedIds(
	raw: Raw,
	model: string,
	{ tenantId }: TenantScope,
): Promise<string[] | null> {
	if (tenantId === PLATFORM_ID) return null;
	const notes = await raw.findMany<{ rowId: string }>({
		model: MODEL,
		where: [
			{ field: "tenantId", value: tenantId },
			{ field: "model", value: model },
		],
		limit: FEW + 1,
	});
	return notes.length > FEW ? null : notes.map(({ rowId }) => rowId);
}

/** What a query finds, whosever it is. One that fits into a batch comes as the database has it. */
async function* findInBatches<T>(raw: Raw, query: FindMany, first: T[]): AsyncGenerator<T[]> {
	if (first.length < BATCH) yield first;
	else if (query.sortBy) yield* findByOffset(raw, query, first);
	else yield* findById(raw, query);
}

async function* findByOffset<T>(raw: Raw, query: FindMany, first: T[]): AsyncGenerator<T[]> {
	let rows = first;
	for (let offset = BATCH; rows.length > 0; offset += BATCH) {
		yield rows;
		rows = await raw.findMany<T>({ ...query, limit: BATCH, offset });
	}
}

/** Each batch begins behind the last id: rows that others delete meanwhile make it skip none. */
async function* findById<T>(raw: Raw, query: FindMany): AsyncGenerator<T[]> {
	const sortBy = { field: "id", direction: "asc" } as const;
	let { where } = query;
	for (;;) {
		const rows = await raw.findMany<T>({ ...query, where, sortBy, limit: BATCH, offset: 0 });
		if (rows.length > 0) yield rows;
		if (rows.length < BATCH) return;
		where = [...query.where, { field: "id", operator: "gt", value: idOf(rows.at(-1)) }];
	}
}

/** The ids of the scope's rows that a condition finds. */
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
 * Deletes every row of other plugins' tables that is noted as the tenant's, in batches, with a rest
 * `afterEach`. Runs across tenants.
 *
 * Rows of a plugin that the host took out since cannot be reached. What is noted of them stays, or
 * they would be the platform's when the plugin comes back.
 */
export async function eraseRegisteredRows(
	database: Raw,
	tables: object,
	tenantId: string,
	afterEach: () => Promise<void>,
): Promise<void> {
	const where: Where[] = [
		{ field: "tenantId", value: tenantId },
		{ field: "model", operator: "in", value: Object.keys(tables) },
	];
	for (;;) {
		const notes = await database.findMany<{ model: string; rowId: string }>({
			model: MODEL,
			where,
			limit: ERASED_AT_ONCE,
		});
		for (const model of new Set(notes.map((note) => note.model))) {
			const ids = notes.filter((note) => note.model === model).map(({ rowId }) => rowId);
			await database.deleteMany({ model, where: [withIds(ids)] });
			await unregisterRows(database, model, ids);
			await afterEach();
		}
		if (notes.length < ERASED_AT_ONCE) return;
	}
}
