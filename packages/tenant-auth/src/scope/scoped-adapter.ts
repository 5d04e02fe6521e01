import type { DBAdapter, DBTransactionAdapter, Where } from "@better-auth/core/db/adapter";
import { currentScope } from "./current-scope";
import { ACROSS, findRequestScope, PLATFORM_ID, type TenantScope } from "./scope";

/** The models whose rows belong to a tenant or to the platform. */
const SCOPED_MODELS = new Set(["user", "session", "account", "verification"]);

type Row = Record<string, unknown>;
type Join = NonNullable<Parameters<DBAdapter["findOne"]>[0]["join"]>;
type AnyAdapter = DBAdapter | DBTransactionAdapter;

const scopedAdapters = new WeakSet<AnyAdapter>();

export interface ScopedAdapterSettings {
	/** The model's key in Better Auth's schema, for a name that may be the host's own or a plural. */
	modelKey: (model: string) => string;
	/** Refuses when the tenant is gone, and keeps it from going until the transaction ends. */
	holdTenant: (
		database: Pick<DBAdapter, "updateMany" | "findOne">,
		scope: TenantScope,
	) => Promise<void>;
	/** Turns what a database says of a failed insert into what a caller should see. */
	explainFailure: (model: string, error: unknown) => unknown;
}

/**
 * Makes an adapter keep to the current scope: every read, count and write of tenant data carries
 * the scope's `tenantId`, whoever asks for it.
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

function scopedMethods(raw: DBTransactionAdapter, settings: ScopedAdapterSettings) {
	const isScoped = (model: string) => SCOPED_MODELS.has(settings.modelKey(model));

	/** Adds the scope to a condition; last and with AND, it holds whatever ORs come before. */
	async function narrow<Query extends { model: string; where?: Where[] | undefined }>(
		query: Query,
	): Promise<Query> {
		if (!isScoped(query.model)) return query;
		const scope = await currentScope();
		if (
			scope === ACROSS ||
			(await presentsOAuthState(settings.modelKey(query.model), query.where))
		) {
			return query;
		}
		return { ...query, where: [...(query.where ?? []), inScope(scope)] };
	}

	/** Joins follow foreign keys; a row of another tenant behind one is not shown. */
	async function screenJoins<T>(row: T, join: Join | undefined): Promise<T> {
		if (!row || !join) return row;
		const scope = await currentScope();
		if (scope === ACROSS) return row;
		const screened = { ...row } as Row;
		for (const name of Object.keys(join).filter(isScoped)) {
			// The adapter puts a joined row under the name that was asked for, or under the model's key.
			for (const key of [name, settings.modelKey(name)]) {
				if (key in screened) screened[key] = screen(screened[key], scope);
			}
		}
		return screened as T;
	}

	const methods: Omit<DBTransactionAdapter, "id" | "options" | "createSchema"> = {
		create: async (query) => {
			try {
				if (!isScoped(query.model)) return await raw.create(query);
				const scope = await currentScope();
				if (scope === ACROSS) return await raw.create(query);
				// Everything else of a tenant hangs on a user.
				if (settings.modelKey(query.model) === "user") await settings.holdTenant(raw, scope);
				return await raw.create({ ...query, data: { ...query.data, tenantId: scope.tenantId } });
			} catch (error) {
				throw settings.explainFailure(settings.modelKey(query.model), error);
			}
		},
		findOne: async (query) => screenJoins(await raw.findOne(await narrow(query)), query.join),
		findMany: async <T>(query: Parameters<DBAdapter["findMany"]>[0]) => {
			const rows = await raw.findMany<T>(await narrow(query));
			return query.join ? Promise.all(rows.map((row) => screenJoins(row, query.join))) : rows;
		},
		count: async (query) => raw.count(await narrow(query)),
		update: async (query) => raw.update(withoutTenantId(await narrow(query), isScoped)),
		updateMany: async (query) => raw.updateMany(withoutTenantId(await narrow(query), isScoped)),
		delete: async (query) => raw.delete(await narrow(query)),
		deleteMany: async (query) => raw.deleteMany(await narrow(query)),
		consumeOne: async (query) => raw.consumeOne(await narrow(query)),
		incrementOne: async (query) => {
			const narrowed = await narrow(query);
			if (!isScoped(query.model)) return raw.incrementOne(narrowed);
			const { tenantId: _, ...set } = (narrowed.set ?? {}) as Row;
			const { tenantId: __, ...increment } = narrowed.increment;
			return raw.incrementOne({ ...narrowed, increment, ...(narrowed.set ? { set } : {}) });
		},
	};
	return methods;
}

function inScope(scope: TenantScope): Where {
	return { field: "tenantId", operator: "eq", value: scope.tenantId, connector: "AND" };
}

/** Nobody moves a row to another tenant. */
function withoutTenantId<Query extends { model: string; update: Row }>(
	query: Query,
	isScoped: (model: string) => boolean,
): Query {
	if (!isScoped(query.model)) return query;
	const { tenantId: _, ...update } = query.update;
	return { ...query, update };
}

function screen(joined: unknown, scope: TenantScope): unknown {
	const belongs = (row: Row | null) =>
		((row?.tenantId ?? PLATFORM_ID) as string) === scope.tenantId;
	if (Array.isArray(joined)) return joined.filter(belongs);
	return joined && belongs(joined as Row) ? joined : null;
}

/**
 * An OAuth callback knows its tenant only from the state that it presents. That one row is found,
 * and consumed, by its unguessable identifier alone; from then on the row's tenant is the scope.
 */
async function presentsOAuthState(model: string, where: Where[] | undefined): Promise<boolean> {
	if (model !== "verification" || !(await findRequestScope())?.awaitingOAuthState) return false;
	return where?.some(isExactIdentifier) ?? false;
}

function isExactIdentifier({ field, operator = "eq", connector = "AND" }: Where): boolean {
	return field === "identifier" && operator === "eq" && connector === "AND";
}
