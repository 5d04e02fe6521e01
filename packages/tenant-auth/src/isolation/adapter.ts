import type { DBAdapter, DBTransactionAdapter, Where } from "@better-auth/core/db/adapter";
import { currentScope } from "../context/current-scope";
import {
	findRequestScope,
	type RequestScope,
	scopeOf,
	scopeOfRow,
	settle,
	type TenantScope,
} from "../context/scope";
import { withExactText } from "./collation";
import { screenedJoins } from "./joins";
import {
	type AnyAdapter,
	isScoped,
	noteScoped,
	type Query,
	type Row,
	type ScopedAdapterSettings,
} from "./raw-adapter";
import { idOf } from "./row-owners";
import { scopedRows } from "./rows";
import { isMarked, noteSuspension } from "./suspension-mark";
import { isGlobal } from "./tables";
import { markValues, type Namespace } from "./tenant-prefix";

type FindOne = Parameters<DBAdapter["findOne"]>[0];
type Methods = Omit<DBTransactionAdapter, "id" | "options" | "createSchema">;

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
	if (isScoped(adapter)) return adapter;
	const raw = withExactText({ ...adapter }, settings.tables.identifyingFieldsOf);
	Object.assign(adapter, scopedMethods(raw, settings));
	if ("transaction" in raw) {
		Object.assign(adapter, {
			transaction: (work: (trx: DBTransactionAdapter) => Promise<unknown>) =>
				raw.transaction((trx) => work(scopeAdapter(trx, settings))),
		});
	}
	noteScoped(adapter);
	return adapter;
}

function scopedMethods(raw: AnyAdapter, settings: ScopedAdapterSettings): Methods {
	const { tables, modelKey } = settings;
	const rows = scopedRows(raw, settings);
	const joins = screenedJoins(raw, settings);

	return {
		create: (query) => explained(query, rows.create(query)),
		findOne: async <T>(query: FindOne) => {
			const request = findRequestScope();
			const found = await (request?.claim ? findClaimed<T>(request, query) : findScoped<T>(query));
			noteSuspension(modelKey(query.model), [found]);
			return found;
		},
		findMany: async <T>(query: Parameters<DBAdapter["findMany"]>[0]) => {
			const request = findRequestScope();
			if (request && presentsToken(request, query)) return findPresented<T>(request, query);
			const scope = await rows.scopeFor(query.model);
			const screen = scope
				? (row: T) => joins.screenJoins(row, query.join, scope)
				: (row: T) => joins.screenSharedJoins(row, query.join);
			const found = await (scope ? rows.find<T>(query, scope) : raw.findMany<T>(query));
			const screened = query.join ? await Promise.all(found.map(screen)) : found;
			noteSuspension(modelKey(query.model), screened);
			return screened;
		},
		count: (query) =>
			sum(rows.onOwnRows(query, async (own, _, ids) => ids.length || (await raw.count(own)))),
		update: <T>(query: Parameters<DBAdapter["update"]>[0]) =>
			explained(
				query,
				findFirst(
					rows.onOwnRows(query, async (own, namespace) => {
						const one = await nameRow(raw, modelKey, own);
						return (
							one && raw.update<T>({ ...one, update: ownValues(own.model, namespace, own.update) })
						);
					}),
				),
			),
		updateMany: (query) =>
			explained(
				query,
				sum(
					rows.onOwnRows(query, (own, namespace) =>
						raw.updateMany({ ...own, update: ownValues(own.model, namespace, own.update) }),
					),
				),
			),
		incrementOne: <T>(query: Parameters<DBAdapter["incrementOne"]>[0]) =>
			findFirst(
				rows.onOwnRows(query, (own, namespace) =>
					raw.incrementOne<T>({
						...own,
						increment: ownValues(own.model, null, own.increment) as Record<string, number>,
						...(own.set ? { set: ownValues(own.model, namespace, own.set) } : {}),
					}),
				),
			),
		delete: async (query) => {
			await findFirst(
				rows.onOwnRows(query, async (own, _, ids) => {
					if (ids.length === 0) return raw.delete(own);
					// Adapters differ in how many rows this deletes; here it must be those that are unregistered.
					await raw.deleteMany(own);
					await rows.unregister(own.model, ids);
				}),
			);
		},
		deleteMany: (query) =>
			sum(
				rows.onOwnRows(query, async (own, _, ids) => {
					const deleted = await raw.deleteMany(own);
					await rows.unregister(own.model, ids);
					return deleted;
				}),
			),
		consumeOne: <T>(query: Parameters<DBAdapter["consumeOne"]>[0]) =>
			findFirst(
				rows.onOwnRows(query, async (own, _, ids) => {
					const row = await raw.consumeOne<T>(own);
					if (row && ids.length > 0) await rows.unregister(own.model, [idOf(row)]);
					return row;
				}),
			),
	};

	function explained<R>({ model }: Query, writing: Promise<R>): Promise<R> {
		return writing.catch((error: unknown) => {
			throw settings.explainFailure(modelKey(model), error);
		});
	}

	async function findScoped<T>(query: FindOne): Promise<T | null> {
		return findIn(await rows.scopeFor(query.model), query);
	}

	async function findIn<T>(scope: TenantScope | null, query: FindOne): Promise<T | null> {
		if (!scope) return joins.screenSharedJoins(await raw.findOne<T>(query), query.join);
		if (tables.keepingOf(query.model) === "register") {
			const [first] = await rows.find<T>({ ...query, limit: 1 }, scope);
			return joins.screenJoins(first ?? null, query.join, scope);
		}
		const { own } = await rows.narrowColumn(query, scope);
		return joins.screenJoins(await raw.findOne<T>(own), query.join, scope);
	}

	/**
	 * A user who is found in the tenant that a sign-in names proves that it is there and open. For
	 * anybody else the tenant is looked up, and where none is found, unless one is to be made.
	 */
	async function findClaimed<T>(request: RequestScope, query: FindOne): Promise<T | null> {
		if (!request.claim || modelKey(query.model) !== "user") return findScoped(query);
		const { tenantId, joins } = request.claim;
		const claimed = scopeOf({ id: tenantId });
		const found = await findIn<T>(claimed, query);
		// MySQL looks past case and trailing spaces.
		const isProof = found && scopeOfRow(found).tenantId === tenantId && !isMarked(found);
		if (isProof || (joins && !found)) settle(request, claimed);
		else await currentScope();
		return found;
	}

	/**
	 * Marks the values of unique columns, and lets nobody move a row to another tenant: not by its
	 * `tenantId`, and not by another id, under which the register would not know it any more.
	 */
	function ownValues(model: string, namespace: Namespace | null, values: Row): Row {
		if (tables.keepingOf(model) === "shared") return values;
		const { tenantId: _, id: __, ...rest } = values;
		return markValues(namespace, rest);
	}

	/**
	 * A request that presents a token learns its tenant from it. That one row is found by its
	 * unguessable identifier alone; once it is found, its tenant is the request's scope.
	 */
	async function findPresented<T>(request: RequestScope, query: Query): Promise<T[]> {
		const found = await raw.findMany<T>({ limit: 1, ...query });
		if (found[0]) settle(request, scopeOfRow(found[0]));
		return found;
	}

	function presentsToken(request: RequestScope, query: Query): boolean {
		if (!request.awaits || request.scope || modelKey(query.model) !== "verification") return false;
		return query.where?.some((condition) => isExact(condition, "identifier")) === true;
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
	modelKey: (model: string) => string,
	query: Q,
): Promise<Q | null> {
	const { model, where } = query;
	const [first] = where;
	if (first && isGlobal(modelKey(model), first.field) && isExact(first, first.field)) return query;
	if (where.some((condition) => isExact(condition, "id"))) return query;
	const row = await raw.findOne<{ id: string }>({ model, where, select: ["id"] });
	return row && { ...query, where: [...where, { field: "id", value: row.id }] };
}
