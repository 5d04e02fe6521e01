import type { DBAdapter, DBTransactionAdapter, Where } from "@better-auth/core/db/adapter";
import { currentScope } from "../context/current-scope";
import { ACROSS, PLATFORM_ID, scopeOfRow, type TenantScope } from "../context/scope";
import { digest } from "../database/digest";
import {
	type AnyAdapter,
	inTransaction,
	type Query,
	type Row,
	type ScopedAdapterSettings,
} from "./raw-adapter";
import {
	findOwnIds,
	findOwnRows,
	inBatches,
	registerRow,
	unregisterRows,
	withIds,
} from "./row-owners";
import { findNamespace, markValues, markWhere, type Namespace } from "./tenant-prefix";

/** The scope's own rows of an adapter: how they are found, made and acted on. */
export function scopedRows(raw: AnyAdapter, settings: ScopedAdapterSettings) {
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

	async function find<T>(
		query: Parameters<DBAdapter["findMany"]>[0],
		scope: TenantScope,
	): Promise<T[]> {
		const { model } = query;
		if (tables.keepingOf(model) !== "register") {
			return raw.findMany<T>((await narrowColumn(query, scope)).own);
		}
		const where = markWhere(await namespaceOf(model, scope), query.where ?? []);
		return findOwnRows<T>(raw, modelKey(model), { ...query, where }, scope);
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
			const id = await ownReservation(modelKey(query.model), data.id, scope);
			const own = { ...query, data: { ...data, ...id, tenantId: scope.tenantId } };
			// Sessions and accounts hang on a user.
			const isHeld = modelKey(query.model) === "user" && scope.tenantId !== PLATFORM_ID;
			if (!isHeld) return raw.create<Row, R>(own);
			return inHeldTenant(scope, (trx) => trx.create<Row, R>(own));
		}
		return inHeldTenant(scope, async (trx) => {
			const row = await trx.create<Row, Row>({ ...query, data });
			await register(trx, query.model, row, scope);
			return row as R;
		});
	}

	/** The tenant is open when the work begins, and stays so until it is done. */
	function inHeldTenant<R>(scope: TenantScope, work: (trx: DBTransactionAdapter) => Promise<R>) {
		return inTransaction(raw, async (trx) => {
			await settings.holdTenant(trx, scope);
			return work(trx);
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

	return { scopeFor, narrowColumn, find, create, onOwnRows, unregister };
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
