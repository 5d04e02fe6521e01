import { currentScope } from "../call/context/current-scope";
import { ALL_TENANTS, PLATFORM_ID, type Scope } from "../call/context/tenant";
import {
	type AnyAdapter,
	around,
	call,
	type IsolationSettings,
	inOwnTransaction,
	type Methods,
	type ObservedModel,
	type Row,
	type RowWatcher,
} from "./raw-adapter";

const OBSERVED: readonly string[] = ["user", "session", "account"] satisfies ObservedModel[];

const WRITES = ["create", "update", "updateMany", "delete", "deleteMany"] as const;

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

	return around(WRITES, async (name, query) => {
		const watcher = await findWatcher(query.model);
		const isUpdate = name === "update" || name === "updateMany";
		if (!watcher || (isUpdate && !watcher.wantsUpdate(query.update))) {
			return call(methods, name, query);
		}
		const { model, where = [] } = query;
		const returnsRow = name === "create" || name === "update";
		const here = async () => {
			const found = returnsRow
				? null
				: await methods.findMany<Row>({ model, where, limit: MAX_ROWS });
			const result = await call(methods, name, query);
			// Another call may have been faster. `delete` does not say whether it found the row.
			if (!result && name !== "delete") return result;
			const rows = found ?? [result as Row];
			if (name === "create") await watcher.created(adapter, result as Row);
			else if (isUpdate) await watcher.updated(adapter, rows, query.update);
			else await watcher.deleted(adapter, rows);
			return result;
		};
		// A watcher that writes needs one transaction for both writes.
		if (!watcher.needsTransaction) return here();
		return inOwnTransaction(adapter, here, (trx) => call(trx, name, query));
	});
}
