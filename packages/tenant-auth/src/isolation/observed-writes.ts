import type { DBAdapter, DBTransactionAdapter, Where } from "@better-auth/core/db/adapter";
import { currentScope } from "../call/context/current-scope";
import { ALL_TENANTS, PLATFORM_ID, type Scope } from "../call/context/tenant";
import {
	type AnyAdapter,
	type IsolationSettings,
	inOwnTransaction,
	type Methods,
	type ObservedModel,
	type Row,
	type RowWatcher,
} from "./raw-adapter";

const OBSERVED: readonly string[] = ["user", "session", "account"] satisfies ObservedModel[];

/** More rows than any write concerns. The adapter's default page of 100 must not cut the list. */
const MAX_ROWS = 1000;

/**
 * Reports to the observer what an isolated adapter writes. It is the one place that sees the writes of core
 * and of all plugins: Better Auth's `databaseHooks` run after the commit, so they cannot write with the
 * change, and they do not run for a plugin that uses the adapter itself.
 */
export function observeWrites(
	adapter: AnyAdapter,
	methods: Methods,
	{ observer, instance, modelKey }: IsolationSettings,
): Partial<Methods> {
	/** If the scope is refused, so is the write. */
	async function findScope(): Promise<Scope | null> {
		try {
			return await currentScope(instance);
		} catch {
			return null;
		}
	}

	/** At once for almost every write: nothing observes it. */
	async function findWatcher(model: string): Promise<RowWatcher | null> {
		const key = modelKey(model);
		if (!OBSERVED.includes(key)) return null;
		const scope = await findScope();
		if (!scope || scope === ALL_TENANTS || scope.tenantId === PLATFORM_ID) return null;
		return observer.watch(key as ObservedModel, scope);
	}

	/** Runs the write here, or in a transaction of its own if the watcher needs one. */
	async function within<R>(
		watcher: RowWatcher,
		here: () => Promise<R>,
		inTransaction: (trx: DBTransactionAdapter) => Promise<R>,
	): Promise<R> {
		return watcher.needsTransaction ? inOwnTransaction(adapter, here, inTransaction) : here();
	}

	const findRows = (model: string, where: Where[] | undefined) =>
		methods.findMany<Row>({ model, where: where ?? [], limit: MAX_ROWS });

	return {
		create: async <T extends Row, R = T>(
			query: Parameters<DBAdapter["create"]>[0] & { data: Omit<T, "id"> },
		) => {
			const watcher = await findWatcher(query.model);
			if (!watcher) return methods.create<T, R>(query);
			const here = async () => {
				const row = await methods.create<T, R>(query);
				await watcher.created(adapter, row as Row);
				return row;
			};
			return within(watcher, here, (trx) => trx.create<T, R>(query));
		},
		update: async <T>(query: Parameters<DBAdapter["update"]>[0]) => {
			const watcher = await findWatcher(query.model);
			if (!watcher?.wantsUpdate(query.update)) return methods.update<T>(query);
			const here = async () => {
				const row = await methods.update<T>(query);
				if (row) await watcher.updated(adapter, [row as Row], query.update);
				return row;
			};
			return within(watcher, here, (trx) => trx.update<T>(query));
		},
		updateMany: async (query) => {
			const watcher = await findWatcher(query.model);
			if (!watcher?.wantsUpdate(query.update)) return methods.updateMany(query);
			const here = async () => {
				const rows = await findRows(query.model, query.where);
				const count = await methods.updateMany(query);
				if (count > 0) await watcher.updated(adapter, rows, query.update);
				return count;
			};
			return within(watcher, here, (trx) => trx.updateMany(query));
		},
		delete: async (query) => {
			const watcher = await findWatcher(query.model);
			if (!watcher) return methods.delete(query);
			const here = async () => {
				const rows = await findRows(query.model, query.where);
				await methods.delete(query);
				await watcher.deleted(adapter, rows);
			};
			return within(watcher, here, (trx) => trx.delete(query));
		},
		deleteMany: async (query) => {
			const watcher = await findWatcher(query.model);
			if (!watcher) return methods.deleteMany(query);
			const here = async () => {
				const rows = await findRows(query.model, query.where);
				const count = await methods.deleteMany(query);
				// Another call may have deleted them meanwhile.
				if (count > 0) await watcher.deleted(adapter, rows);
				return count;
			};
			return within(watcher, here, (trx) => trx.deleteMany(query));
		},
	};
}
