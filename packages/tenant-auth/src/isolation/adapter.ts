import type { DBAdapter, DBTransactionAdapter, Where } from "@better-auth/core/db/adapter";
import { currentScope } from "../call/context/current-scope";
import { findState } from "../call/context/current-state";
import { isGlobalField } from "../call/context/endpoint-rules";
import type { RequestState } from "../call/context/request-state";
import { ALL_TENANTS, type TenantScope } from "../call/context/tenant";
import { withExactText } from "./collation";
import { endGrantsWithRows } from "./ended-grants";
import { isExact, namedRows } from "./named-rows";
import { observeWrites } from "./observed-writes";
import { withPrefixedJoins } from "./prefixed-joins";
import {
	type AnyAdapter,
	collectForCommit,
	type FindMany,
	type FindOne,
	type IsolationSettings,
	isIsolated,
	type Methods,
	noteIsolated,
	type Query,
	type Row,
	rawAdapterOf,
} from "./raw-adapter";
import { guardRefreshTokens } from "./refresh-tokens";
import { idOf } from "./row-owners";
import { joinedRows, ownRows } from "./rows";
import { noteUser } from "./session-policy";
import { prefixValues, type TenantPrefix } from "./tenant-prefix";
import { checkSecrets } from "./unreadable-secrets";
import { requireEmail } from "./user-policy";

/**
 * Makes an adapter keep to the current scope: every read, count and write of tenant data concerns the
 * rows of the scope, in every call.
 *
 * The adapter is changed in place. Core registers its schema check by the identity of the adapter, so a
 * new object would lose it.
 */
export function isolateAdapter<Adapter extends AnyAdapter>(
	adapter: Adapter,
	settings: IsolationSettings,
): Adapter {
	// Without support for transactions, Better Auth passes the adapter itself as the transaction's.
	if (isIsolated(adapter)) return adapter;
	const exact = withExactText({ ...adapter }, settings.tables.identifyingFieldsOf);
	const raw = withPrefixedJoins(exact, settings);
	const isolated = isolatedMethods(raw, settings);
	const checked = { ...isolated, ...checkSecrets(isolated, settings) };
	const methods = withGrants(adapter, checked, raw, settings);
	Object.assign(adapter, methods, observeWrites(adapter, methods, settings));
	if ("transaction" in raw) {
		Object.assign(adapter, {
			transaction: async (work: (trx: DBTransactionAdapter) => Promise<unknown>) => {
				await resolveScope(settings);
				let afterwards: ReturnType<typeof collectForCommit> = [];
				const result = await raw
					.transaction((trx) => {
						const isolated = isolateAdapter(trx, settings);
						if (isolated !== adapter) {
							afterwards = collectForCommit(isolated, rawAdapterOf(isolated));
						}
						return work(isolated);
					})
					.catch((error: unknown) => {
						throw settings.translateError("", error);
					});
				for (const finish of afterwards) await finish();
				return result;
			},
		});
	}
	noteIsolated(adapter, { raw, settings });
	return adapter;
}

function withGrants(
	adapter: AnyAdapter,
	isolated: Methods,
	raw: AnyAdapter,
	settings: IsolationSettings,
): Methods {
	if (!settings.grants) return isolated;
	const guarded = { ...isolated, ...guardRefreshTokens(isolated, raw, settings, settings.grants) };
	return { ...guarded, ...endGrantsWithRows(adapter, guarded, raw, settings) };
}

/**
 * Resolves the scope before a transaction starts. Core's own transactions are known to core, others are
 * not: there the session would be read on another connection, which on SQLite waits forever. A refusal
 * is for the query that asks for data.
 */
async function resolveScope({ instance }: IsolationSettings): Promise<void> {
	try {
		await currentScope(instance);
	} catch (error) {
		if (findState(instance)?.resolution.kind !== "refused") throw error;
	}
}

function isolatedMethods(raw: AnyAdapter, settings: IsolationSettings): Methods {
	const { tables, modelKey } = settings;
	const rows = ownRows(raw, settings);
	const joins = joinedRows(raw, settings);
	const named = namedRows(raw, settings);

	return {
		create: async (query) => {
			const scope = await rows.scopeFor(query);
			if (scope) await named.requireExclusive(query.model, query.data, scope);
			return translated(query, rows.create(query, scope));
		},
		findOne: async <T>(query: FindOne) => {
			const decided = named.findDecidedState(query);
			if (decided) return (await findByToken<T>(decided, { ...query, limit: 1 }))[0] ?? null;
			const scope = await rows.scopeFor(query);
			if (scope) return findInScope<T>(scope, query);
			if (!query.join) return raw.findOne<T>(query);
			return joins.filterJoinsOfShared(await raw.findOne<T>(query), query.join);
		},
		findMany: async <T>(query: FindMany) => {
			const decided = named.findDecidedState(query);
			if (decided) return findByToken<T>(decided, query);
			const scope = await rows.scopeFor(query);
			const filter = scope
				? (row: T) => joins.filterJoins(row, query.join, scope)
				: (row: T) => joins.filterJoinsOfShared(row, query.join);
			const found = await (scope ? rows.find<T>(query, scope) : raw.findMany<T>(query));
			const filtered = query.join ? await Promise.all(found.map(filter)) : found;
			// Core looks for the owner of a social account like this, at every social sign-in.
			if (scope && query.join && filtered.length === 1) noteUser(Object(filtered[0]).user);
			return filtered;
		},
		count: (query) =>
			sum(rows.onOwnRows(query, async (own, _, ids) => ids.length || (await raw.count(own)))),
		update: async <T>(query: Parameters<DBAdapter["update"]>[0]) => {
			await requireChange(query);
			const updating = rows.onOwnRows(query, async (own, prefix) => {
				const one = await withRowId(raw, modelKey, own);
				return one && raw.update<T>({ ...one, update: ownValues(own.model, prefix, own.update) });
			});
			return translated(query, findFirst(updating));
		},
		updateMany: async (query) => {
			await requireChange(query);
			const updating = rows.onOwnRows(query, (own, prefix) =>
				raw.updateMany({ ...own, update: ownValues(own.model, prefix, own.update) }),
			);
			return translated(query, sum(updating));
		},
		incrementOne: <T>(query: Parameters<DBAdapter["incrementOne"]>[0]) =>
			findFirst(
				rows.onOwnRows(query, (own, prefix) =>
					raw.incrementOne<T>({
						...own,
						increment: ownValues(own.model, null, own.increment) as Record<string, number>,
						...(own.set ? { set: ownValues(own.model, prefix, own.set) } : {}),
					}),
				),
			),
		delete: async (query) => {
			// Adapters differ in how many rows `delete` deletes. Where rows have owners, it is all of them.
			const deleting = rows.remove(query, async (own) => {
				await raw.delete({ ...query, ...own });
				return 1;
			});
			await translated(query, deleting);
		},
		deleteMany: (query) =>
			translated(
				query,
				rows.remove(query, async (own) => Number(await raw.deleteMany({ ...query, ...own }))),
			),
		consumeOne: <T>(query: Parameters<DBAdapter["consumeOne"]>[0]) =>
			findFirst(
				rows.onOwnRows(query, async (own) => {
					const row = await raw.consumeOne<T>(own);
					const hasOwner = row && tables.strategyOf(own.model) === "owners";
					if (hasOwner) await rows.forget(own.model, [idOf(row)]);
					return row;
				}),
			),
	};

	async function requireChange(query: Query & { update: Row }): Promise<void> {
		const scope = await rows.scopeFor(query);
		if (!scope) return;
		const { model, where, update } = query;
		await named.requireExclusive(model, update, scope);
		if (modelKey(model) !== "user" || typeof update.email !== "string") return;
		const findUsers = () => rows.find<Row>({ model, where }, scope);
		await requireEmail(settings.instance, scope, update.email, findUsers);
	}

	function translated<R>({ model }: Query, writing: Promise<R>): Promise<R> {
		return writing.catch((error: unknown) => {
			throw settings.translateError(modelKey(model), error);
		});
	}

	async function findInScope<T>(scope: TenantScope, query: FindOne): Promise<T | null> {
		if (tables.strategyOf(query.model) === "owners") {
			const [first] = await rows.find<T>({ ...query, limit: 1 }, scope);
			return joins.filterJoins(first ?? null, query.join, scope);
		}
		const { own } = await rows.narrowColumn(query, scope);
		const row = await raw.findOne<T>(own);
		const found = query.join ? await joins.filterJoins(row, query.join, scope) : row;
		noteUser(modelKey(query.model) === "user" ? found : Object(found).user);
		return found;
	}

	/**
	 * Adds the tenant prefix to unique values. No update moves a row to another tenant: not by its
	 * `tenantId`, and not by another id, which would have no recorded owner.
	 */
	function ownValues(model: string, prefix: TenantPrefix | null, values: Row): Row {
		if (tables.strategyOf(model) === "shared") return values;
		const { id: _, ...rest } = values;
		if (tables.strategyOf(model) === "column") delete rest.tenantId;
		return prefixValues(prefix, rest);
	}

	/** Finds what a query names in any tenant, and enters the tenant of it. */
	async function findByToken<T>(state: RequestState, query: FindMany): Promise<T[]> {
		const found = await named.findNamed<T>(state, query);
		if (!query.join || !state.scope || state.scope === ALL_TENANTS) return found;
		const { scope } = state;
		return Promise.all(found.map((row) => joins.filterJoins(row, query.join, scope)));
	}
}

async function sum(counts: AsyncIterable<number>): Promise<number> {
	let total = 0;
	for await (const count of counts) total += Number(count);
	return total;
}

/** The first result. The rest is not run. */
async function findFirst<R>(results: AsyncIterable<R | null>): Promise<R | null> {
	for await (const result of results) if (result) return result;
	return null;
}

/**
 * Adds the id of the row that a query finds, or returns `null`. MySQL returns no row from an update:
 * there the adapter reads it afterwards, by its id or else by the query's first condition alone, and
 * would return a row of any tenant.
 */
async function withRowId<Q extends { model: string; where: Where[] }>(
	raw: Pick<DBTransactionAdapter, "findOne">,
	modelKey: (model: string) => string,
	query: Q,
): Promise<Q | null> {
	const { model, where } = query;
	const [first] = where;
	if (first && isGlobalField(modelKey(model), first.field) && isExact(first, first.field))
		return query;
	if (where.some((condition) => isExact(condition, "id"))) return query;
	const row = await raw.findOne<{ id: string }>({ model, where, select: ["id"] });
	return row && { ...query, where: [...where, { field: "id", value: row.id }] };
}
