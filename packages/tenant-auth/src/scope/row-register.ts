import type { DBTransactionAdapter, Where } from "@better-auth/core/db/adapter";
import { PLATFORM_ID, type TenantScope } from "./scope";

const MODEL = "tenantRow";
const BATCH = 100;

type Row = Record<string, unknown>;
type Raw = DBTransactionAdapter;
type FindMany = Parameters<Raw["findMany"]>[0];

/** Notes that a row of another plugin's table is the tenant's. The platform's rows are not noted. */
export async function registerRow(raw: Raw, model: string, id: unknown, scope: TenantScope) {
	if (scope.tenantId === PLATFORM_ID) return;
	await raw.create({
		model: MODEL,
		data: { model, rowId: String(id), tenantId: scope.tenantId },
	});
}

export async function unregisterRows(raw: Raw, model: string, ids: string[]): Promise<void> {
	if (ids.length > 0) await raw.deleteMany({ model: MODEL, where: ofRows(model, ids) });
}

function ofRows(model: string, ids: string[]): Where[] {
	return [
		{ field: "model", value: model },
		{ field: "rowId", operator: "in", value: ids },
	];
}

/** Those of the rows that are the scope's. */
export async function keepOwn<T>(
	raw: Raw,
	model: string,
	rows: T[],
	scope: TenantScope,
): Promise<T[]> {
	if (rows.length === 0) return rows;
	const ids = rows.map(idOf);
	const notes = await raw.findMany<{ rowId: string; tenantId: string }>({
		model: MODEL,
		where: ofRows(model, ids),
		limit: ids.length,
	});
	const owners = new Map(notes.map(({ rowId, tenantId }) => [rowId, tenantId]));
	return rows.filter((row) => (owners.get(idOf(row)) ?? PLATFORM_ID) === scope.tenantId);
}

const idOf = (row: unknown) => String((row as { id: unknown }).id);

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
	const own: T[] = [];
	for (let start = 0; own.length < offset + limit; start += BATCH) {
		const rows = await raw.findMany<T>({ ...query, select, limit: BATCH, offset: start });
		own.push(...(await keepOwn(raw, model, rows, scope)));
		if (rows.length < BATCH) break;
	}
	return own.slice(offset, offset + limit);
}

/** Narrows a condition to the scope's rows, by their ids; `null` when there are none. */
export async function narrowToOwn<Query extends { model: string; where?: Where[] | undefined }>(
	raw: Raw,
	model: string,
	query: Query,
	scope: TenantScope,
): Promise<{ query: Query & { where: Where[] }; ids: string[] } | null> {
	const rows = await findOwnRows<Row>(
		raw,
		model,
		{ model: query.model, where: query.where, select: ["id"], limit: Number.MAX_SAFE_INTEGER },
		scope,
	);
	if (rows.length === 0) return null;
	const ids = rows.map(idOf);
	return {
		query: {
			...query,
			where: [...(query.where ?? []), { field: "id", operator: "in", value: ids }],
		},
		ids,
	};
}

/** Deletes every row of other plugins' tables that is noted as the tenant's. Runs across tenants. */
export async function eraseRegisteredRows(database: Raw, tenantId: string): Promise<void> {
	const where: Where[] = [{ field: "tenantId", value: tenantId }];
	for (;;) {
		const notes = await database.findMany<{ model: string; rowId: string }>({
			model: MODEL,
			where,
			limit: BATCH,
		});
		for (const model of new Set(notes.map((note) => note.model))) {
			const ids = notes.filter((note) => note.model === model).map(({ rowId }) => rowId);
			await database.deleteMany({ model, where: [{ field: "id", operator: "in", value: ids }] });
			await unregisterRows(database, model, ids);
		}
		if (notes.length < BATCH) return;
	}
}
