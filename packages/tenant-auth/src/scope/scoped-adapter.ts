import type { DBAdapter, DBTransactionAdapter, Where } from "@better-auth/core/db/adapter";
import { digest } from "../digest";
import { currentScope } from "./current-scope";
import { findNamespace, markValues, markWhere, type Namespace } from "./namespaced-values";
import {
	findOwnIds,
	findOwnRows,
	idOf,
	inBatches,
	keepOwn,
	registerRow,
	unregisterRows,
	withIds,
} from "./row-register";
import {
	ACROSS,
	findRequestScope,
	PLATFORM_ID,
	scopeOfRow,
	settle,
	type TenantScope,
} from "./scope";
import type { TenantTables } from "./tenant-tables";

type Row = Record<string, unknown>;
type AnyAdapter = DBAdapter | DBTransactionAdapter;
type Methods = Omit<DBTransactionAdapter, "id" | "options" | "createSchema">;
type Query = { model: string; where?: Where[] | undefined };
type Join = NonNullable<Parameters<DBAdapter["findOne"]>[0]["join"]>;

const scopedAdapters = new WeakSet<AnyAdapter>();

export interface ScopedAdapterSettings {
	tables: TenantTables;
	/** The model's key in Better Auth's schema, for a name that may be the host's own or a plural. */
	modelKey: (model: string) => string;
	/** Refuses when the tenant is gone, and keeps it from going until the transaction ends. */
	holdTenant: (
		database: Pick<DBAdapter, "updateMany" | "findOne">,
		scope: TenantScope,
	) => Promise<void>;
	/** Turns what a database says of a failed insert into what a caller should see. */
	explainFailure: (model: string, error: unknown) => unknown;
	/** Whether the database may give out an id again whose row is gone, as SQLite does if it counts. */
	idsReturn: boolean;
	/** Called with a query that names another tenant than its scope. It finds nothing. */
	reportConflict: (model: string, tenantId: string) => void;
}

/**
 * Makes an adapter keep to the current scope: every read, count and write of tenant data concerns
 * the scope's own rows, whoever asks for it.
 *
 * The adapter is changed in place, so that code which took hold of it earlier is scoped as well.
 */
export function scopeAdapter<Adapter extends AnyAdapter>(
	adapter: Adapter,
	settings: ScopedAdapterSettings,
): Adapter {
	// Without transaction support Better Auth hands out the adapter itself as the transaction's.
	if (scopedAdapters.has(adapter)) return adapter;
	const raw = { ...adapter };
	Object.assign(adapter, scopedMethods(raw, settings));
	if ("transaction" in raw) {
		Object.assign(adapter, {
			transaction: (work: (trx: DBTransactionAdapter) => Promise<unknown>) =>
				raw.transaction((trx) => work(scopeAdapter(trx, settings))),
		});
	}
	scopedAdapters.add(adapter);
	return adapter;
}

/** Runs `work` in a transaction of the unscoped adapter, or in the one that is running already. */
function inTransaction<T>(raw: AnyAdapter, work: (trx: DBTransactionAdapter) => Promise<T>) {
	if (!("transaction" in raw)) return work(raw);
	return raw.transaction((trx) => work(scopedAdapters.has(trx) ? raw : trx));
}

function scopedMethods(raw: AnyAdapter, settings: ScopedAdapterSettings): Methods {
	const { tables, modelKey } = settings;

	/** The scope that a model's rows are kept to; `null` where all rows are meant. */
	async function scopeFor(model: string): Promise<TenantScope | null> {
		if (tables.keepingOf(model) === "shared") return null;
		const scope = await currentScope();
		return scope === ACROSS ? null : scope;
	}

	const namespaceOf = (model: string, scope: TenantScope) =>
		findNamespace(scope, tables.uniqueFieldsOf(model));

	/**
	 * The queries that a query becomes when it is narrowed to the scope: one, or for a registered table
	 * as many as the ids of its rows take.
	 */
	async function narrow<Q extends Query>(query: Q, scope: TenantScope) {
		const { model } = query;
		const namespace = await namespaceOf(model, scope);
		const where = markWhere(namespace, query.where ?? []);
		const narrowed = (own: Where[], ids: string[]) => ({
			own: { ...query, where: [...where, ...own] },
			namespace,
			ids,
		});
		if (tables.keepingOf(model) === "register") {
			const ids = await findOwnIds(raw, modelKey(model), { model, where }, scope);
			return inBatches(ids).map((batch) => narrowed([withIds(batch)], batch));
		}
		const stranger = findStranger(where, scope);
		if (stranger !== undefined) settings.reportConflict(modelKey(model), stranger);
		return [narrowed([inScope(scope)], [])];
	}

	/** As {@link narrow}, for a table with a tenant column. */
	async function narrowColumn<Q extends Query>(query: Q, scope: TenantScope) {
		const [narrowed] = await narrow(query, scope);
		if (!narrowed) throw new Error("a table with a tenant column can always be narrowed");
		return narrowed;
	}

	/** Joins follow foreign keys; a row of another tenant behind one is not shown. */
	async function screenJoins<T>(row: T, join: Join | undefined, scope: TenantScope): Promise<T> {
		if (!row || !join) return row;
		const screened = { ...row } as Row;
		for (const name of Object.keys(join)) {
			if (tables.keepingOf(name) === "shared") continue;
			// The adapter puts a joined row under the name that was asked for, or under the model's key.
			for (const key of [name, modelKey(name)].filter((key) => key in screened)) {
				screened[key] = await screen(modelKey(name), screened[key], scope);
			}
		}
		return screened as T;
	}

	/** A shared table may have foreign keys into tenant data all the same. */
	async function screenSharedJoins<T>(row: T, join: Join | undefined): Promise<T> {
		if (!row || !join) return row;
		const scope = await currentScope();
		return scope === ACROSS ? row : screenJoins(row, join, scope);
	}

	async function screen(model: string, joined: unknown, scope: TenantScope): Promise<unknown> {
		const own = await ownRowsOf(model, joined, scope);
		return Array.isArray(joined) ? own : (own[0] ?? null);
	}

	async function ownRowsOf(model: string, joined: unknown, scope: TenantScope): Promise<Row[]> {
		const rows = (Array.isArray(joined) ? joined : [joined]).filter(Boolean) as Row[];
		if (tables.keepingOf(model) === "register") return keepOwn(raw, model, rows, scope);
		return rows.filter((row) => (row.tenantId ?? PLATFORM_ID) === scope.tenantId);
	}

	async function find<T>(query: Parameters<DBAdapter["findMany"]>[0], scope: TenantScope) {
		const namespace = await namespaceOf(query.model, scope);
		const rows =
			tables.keepingOf(query.model) === "register"
				? await findOwnRows<T>(
						raw,
						modelKey(query.model),
						{ ...query, where: markWhere(namespace, query.where ?? []) },
						scope,
					)
				: await raw.findMany<T>((await narrowColumn(query, scope)).own);
		return Promise.all(rows.map((row) => screenJoins(row, query.join, scope)));
	}

	async function create<T extends Row, R>(
		query: Parameters<DBAdapter["create"]>[0] & { data: Omit<T, "id"> },
	): Promise<R> {
		const scope = await scopeFor(query.model);
		if (!scope) {
			// Across tenants, the row is that of the tenant which it names, and so are its unique values.
			const named = await namespaceOf(query.model, scopeOfRow(query.data));
			return raw.create<T, R>({ ...query, data: markValues(named, query.data) });
		}
		const namespace = await namespaceOf(query.model, scope);
		const data = markValues(namespace, query.data as Row);
		if (tables.keepingOf(query.model) === "column") {
			// Everything else of a tenant hangs on a user.
			if (modelKey(query.model) === "user") await settings.holdTenant(raw, scope);
			const id = await ownReservation(modelKey(query.model), data.id, scope);
			const row = await raw.create({
				...query,
				data: { ...data, ...id, tenantId: scope.tenantId },
			});
			return row as R;
		}
		return inTransaction(raw, async (trx) => {
			const row = await trx.create<Row, Row>({ ...query, data });
			await register(trx, query.model, row, scope);
			return row as R;
		});
	}

	async function register(trx: DBTransactionAdapter, model: string, row: Row, scope: TenantScope) {
		const key = modelKey(model);
		try {
			// What is noted under this id is about a row that went with its user.
			if (settings.idsReturn) await unregisterRows(trx, key, [String(row.id)]);
			await registerRow(trx, key, row.id, scope);
		} catch (error) {
			// Unnoted it would be the platform's. Where there is a transaction, that takes it back.
			await trx.delete({ model, where: [{ field: "id", value: String(row.id) }] }).catch(() => {});
			throw error;
		}
	}

	/** Acts on the rows that are the scope's; `ids` are theirs in a registered table. */
	async function* onOwnRows<Q extends Query, R>(
		query: Q,
		act: (own: Q & { where: Where[] }, namespace: Namespace | null, ids: string[]) => Promise<R>,
	): AsyncGenerator<R> {
		const scope = await scopeFor(query.model);
		if (!scope) yield act({ ...query, where: query.where ?? [] }, null, []);
		else {
			for (const { own, namespace, ids } of await narrow(query, scope)) {
				yield await act(own, namespace, ids);
			}
		}
	}

	const unregister = (model: string, ids: string[]) => unregisterRows(raw, modelKey(model), ids);

	return {
		create: async (query) => {
			try {
				return await create(query);
			} catch (error) {
				throw settings.explainFailure(modelKey(query.model), error);
			}
		},
		findOne: async <T>(query: Parameters<DBAdapter["findOne"]>[0]) => {
			const presented = await findPresentedToken<T>(query);
			if (presented) return presented[0] ?? null;
			const scope = await scopeFor(query.model);
			if (!scope) return screenSharedJoins(await raw.findOne<T>(query), query.join);
			if (tables.keepingOf(query.model) === "register") {
				return (await find<T>({ ...query, limit: 1 }, scope))[0] ?? null;
			}
			const { own } = await narrowColumn(query, scope);
			const row = await raw.findOne<T>(own);
			return screenJoins(row, query.join, scope);
		},
		findMany: async <T>(query: Parameters<DBAdapter["findMany"]>[0]) => {
			const presented = await findPresentedToken<T>(query);
			if (presented) return presented;
			const scope = await scopeFor(query.model);
			if (scope) return find<T>(query, scope);
			const rows = await raw.findMany<T>(query);
			return Promise.all(rows.map((row) => screenSharedJoins(row, query.join)));
		},
		count: (query) =>
			sum(onOwnRows(query, async (own, _, ids) => ids.length || (await raw.count(own)))),
		update: <T>(query: Parameters<DBAdapter["update"]>[0]) =>
			findFirst(
				onOwnRows(query, async (own, namespace) => {
					const one = await nameRow(raw, own);
					return one && raw.update<T>({ ...one, update: ownValues(namespace, own.update) });
				}),
			),
		updateMany: (query) =>
			sum(
				onOwnRows(query, (own, namespace) =>
					raw.updateMany({ ...own, update: ownValues(namespace, own.update) }),
				),
			),
		incrementOne: <T>(query: Parameters<DBAdapter["incrementOne"]>[0]) =>
			findFirst(
				onOwnRows(query, (own, namespace) =>
					raw.incrementOne<T>({
						...own,
						increment: ownValues(null, own.increment) as Record<string, number>,
						...(own.set ? { set: ownValues(namespace, own.set) } : {}),
					}),
				),
			),
		delete: async (query) => {
			await findFirst(
				onOwnRows(query, async (own, _, ids) => {
					if (ids.length === 0) return raw.delete(own);
					// Adapters differ in how many rows this deletes; here it must be those that are unregistered.
					await raw.deleteMany(own);
					await unregister(own.model, ids);
				}),
			);
		},
		deleteMany: (query) =>
			sum(
				onOwnRows(query, async (own, _, ids) => {
					const deleted = await raw.deleteMany(own);
					await unregister(own.model, ids);
					return deleted;
				}),
			),
		consumeOne: <T>(query: Parameters<DBAdapter["consumeOne"]>[0]) =>
			findFirst(
				onOwnRows(query, async (own, _, ids) => {
					const row = await raw.consumeOne<T>(own);
					if (row && ids.length > 0) await unregister(own.model, [idOf(row)]);
					return row;
				}),
			),
	};

	/**
	 * A request that presents a token learns its tenant from it. That one row is found by its
	 * unguessable identifier alone; once it is found, its tenant is the request's scope.
	 */
	async function findPresentedToken<T>(query: Query): Promise<T[] | null> {
		if (modelKey(query.model) !== "verification") return null;
		if (!query.where?.some((condition) => isExact(condition, "identifier"))) return null;
		const request = await findRequestScope();
		if (!request?.awaits || request.scope) return null;
		const rows = await raw.findMany<T>({ limit: 1, ...query });
		if (rows[0]) settle(request, scopeOfRow(rows[0]));
		return rows;
	}
}

async function sum(counts: AsyncIterable<number>): Promise<number> {
	let total = 0;
	for await (const count of counts) total += Number(count);
	return total;
}

/** The first result that is one. What comes after it is not done any more. */
async function findFirst<R>(results: AsyncIterable<R | null>): Promise<R | null> {
	for await (const result of results) if (result) return result;
	return null;
}

function isExact({ field, operator = "eq", connector = "AND" }: Where, wanted: string): boolean {
	return field === wanted && operator === "eq" && connector === "AND";
}

/**
 * Adds the id of the row that a query finds, or answers `null`. MySQL returns no row from an update:
 * there the adapter reads it afterwards, by its id or else by the query's first condition alone, and
 * would show whichever tenant's row comes first.
 */
async function nameRow<Q extends { model: string; where: Where[] }>(
	raw: Pick<DBTransactionAdapter, "findOne">,
	query: Q,
): Promise<Q | null> {
	const { model, where } = query;
	if (where.some((condition) => isExact(condition, "id"))) return query;
	const row = await raw.findOne<{ id: string }>({ model, where, select: ["id"] });
	return row && { ...query, where: [...where, { field: "id", value: row.id }] };
}

/**
 * Core reserves a verification by an id that it makes of the identifier, which may be the same in
 * several tenants. In each it is another one.
 */
async function ownReservation(model: string, id: unknown, { tenantId }: TenantScope) {
	if (model !== "verification" || typeof id !== "string" || tenantId === PLATFORM_ID) return {};
	return { id: (await digest(`${tenantId} ${id}`)).slice(0, id.length) };
}

/** Last and with AND: it holds whatever ORs come before. */
function inScope(scope: TenantScope): Where {
	return { field: "tenantId", operator: "eq", value: scope.tenantId, connector: "AND" };
}

function findStranger(where: Where[], scope: TenantScope): string | undefined {
	const named = where.find(
		({ field, operator = "eq", connector = "AND", value }) =>
			field === "tenantId" &&
			operator === "eq" &&
			connector === "AND" &&
			(value ?? PLATFORM_ID) !== scope.tenantId,
	);
	return named && String(named.value ?? PLATFORM_ID);
}

/**
 * Marks the values of unique columns, and lets nobody move a row to another tenant: not by its
 * `tenantId`, and not by another id, under which the register would not know it any more.
 */
function ownValues(namespace: Namespace | null, values: Row): Row {
	const { tenantId: _, id: __, ...rest } = values;
	return markValues(namespace, rest);
}
