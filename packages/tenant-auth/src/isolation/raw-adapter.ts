import type { DBAdapter, DBTransactionAdapter, Where } from "@better-auth/core/db/adapter";
import type { TenantInstance } from "../call/context/request-state";
import type { TenantScope } from "../call/context/tenant";
import { collectForCommit } from "./after-commit";
import type { GrantSettings } from "./grants";
import type { TenantTables } from "./tables";

export type Row = Record<string, unknown>;

/** What reads and writes rows. */
export type Methods = Omit<DBTransactionAdapter, "id" | "options" | "createSchema">;
export type AnyAdapter = DBAdapter | DBTransactionAdapter;
export type Query = { model: string; where?: Where[] | undefined };

export interface IsolationSettings {
	instance: TenantInstance;
	tables: TenantTables;
	/** The model's key in Better Auth's schema, for a name that may be the host's own or a plural. */
	modelKey: (model: string) => string;
	/** Throws if the tenant is not open; otherwise it stays open until the transaction ends. */
	lockOpenTenant: (
		database: Pick<DBAdapter, "updateMany" | "findOne">,
		scope: TenantScope,
	) => Promise<void>;
	/** Inserts a new user of a tenant. It may add to the row, or refuse it. */
	insertUser: <R>(
		trx: DBTransactionAdapter,
		scope: TenantScope,
		user: Row,
		insert: (user: Row) => Promise<R>,
	) => Promise<R>;
	/** Refuses to give users of a tenant an email that its policy does not allow. */
	requireEmail: (
		scope: TenantScope,
		email: string,
		findUsers: () => Promise<Row[]>,
	) => Promise<void>;
	/** Turns the error of a failed write into the error for the caller. */
	translateError: (model: string, error: unknown) => unknown;
	/** Whether the database may use the id of a deleted row again, as SQLite does if it counts. */
	reusesIds: boolean;
	/** Called for a query that names another tenant than its scope. It finds nothing. */
	reportConflict: (model: string, tenantId: string) => void;
	observer: WriteObserver;
	/** Looks at rows that were read, before the caller gets them. */
	secretCheck: SecretCheck;
	/** `null` if there is no OAuth provider. */
	grants: GrantSettings | null;
}

/** Finds what looks at rows of a model that were read; `null` if nothing has to. */
export type SecretCheck = (model: string) => ((rows: readonly Row[]) => Promise<void>) | null;

/** Observes all writes to users, sessions and accounts of tenants. */
export interface WriteObserver {
	/** What it wants to know of a model's rows in a scope; `null` for nothing. */
	watch(model: ObservedModel, scope: TenantScope): Promise<RowWatcher | null>;
}

export type ObservedModel = "user" | "session" | "account";

/** Its methods run after the write, with the adapter that wrote. */
export interface RowWatcher {
	/** Whether it writes itself: both writes are in one transaction. */
	needsTransaction: boolean;
	created(adapter: AnyAdapter, row: Row): Promise<void>;
	/** Whether it wants to know of an update with these values. */
	wantsUpdate(values: Row): boolean;
	updated(adapter: AnyAdapter, rows: Row[], values: Row): Promise<void>;
	deleted(adapter: AnyAdapter, rows: Row[]): Promise<void>;
}

interface Isolated {
	raw: AnyAdapter;
	settings: IsolationSettings;
}

const isolatedAdapters = new WeakMap<AnyAdapter, Isolated>();

export const isIsolated = (adapter: AnyAdapter) => isolatedAdapters.has(adapter);

export function noteIsolated(adapter: AnyAdapter, isolated: Isolated): void {
	isolatedAdapters.set(adapter, isolated);
}

/** What an isolated adapter was made of: it reads the rows of all tenants. */
export const rawAdapterOf = (adapter: AnyAdapter) => isolatedAdapters.get(adapter)?.raw ?? adapter;

/** For work that changes which tenant a row belongs to. */
export function requireIsolated(adapter: AnyAdapter): Isolated {
	const isolated = isolatedAdapters.get(adapter);
	if (!isolated) throw new Error("this adapter is not isolated");
	return isolated;
}

/** Runs a write here, or in a transaction of its own if none is running. */
export async function inOwnTransaction<R>(
	adapter: AnyAdapter,
	here: () => Promise<R>,
	inside: (trx: DBTransactionAdapter) => Promise<R>,
): Promise<R> {
	if (!("transaction" in adapter)) return here();
	// Without support for transactions, it is the adapter itself.
	return adapter.transaction((trx) => (trx === adapter ? here() : inside(trx)));
}

/** Runs `work` in a transaction of the raw adapter, or in the one that is already running. */
export async function inTransaction<T>(
	raw: AnyAdapter,
	work: (trx: DBTransactionAdapter) => Promise<T>,
): Promise<T> {
	if (!("transaction" in raw)) return work(raw);
	let afterwards: ReturnType<typeof collectForCommit> = [];
	const result = await raw.transaction((trx) => {
		if (isIsolated(trx)) return work(raw);
		afterwards = collectForCommit(trx);
		return work(trx);
	});
	for (const finish of afterwards) await finish();
	return result;
}
