import type { DBAdapter, DBTransactionAdapter, Where } from "@better-auth/core/db/adapter";
import type { TenantInstance } from "../call/context/request-state";
import type { TenantScope } from "../call/context/tenant";
import type { TenantTables } from "./tables";

export type Row = Record<string, unknown>;

export type FindOne = Parameters<DBAdapter["findOne"]>[0];
export type FindMany = Parameters<DBAdapter["findMany"]>[0];
export type Create = Parameters<DBAdapter["create"]>[0];

/** What reads and writes rows. */
export type Methods = Omit<DBTransactionAdapter, "id" | "options" | "createSchema">;
export type AnyAdapter = DBAdapter | DBTransactionAdapter;
export type Query = { model: string; where?: Where[] | undefined };

export interface IsolationSettings {
	instance: TenantInstance;
	tables: TenantTables;
	/** The model's key in Better Auth's schema, for a name that may be the host's own or a plural. */
	modelKey: (model: string) => string;
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

/** What the app decides about the tokens of its OAuth provider. */
export interface GrantSettings {
	/** How long after the sign-in the last refresh token of a grant ends, in milliseconds. */
	maxAge: (clientId: string) => Promise<number>;
	/** Whether an application may refresh after the session of its user has expired. */
	outlivesSession: (clientId: string) => Promise<boolean>;
	/** A refresh is a use of the session that the token came from. */
	markAsUsed: (sessionToken: string) => Promise<void>;
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

/** What a write of any kind may have. */
export type AnyQuery = Query & { where: Where[]; update: Row };

/** Calls a method by its name. */
export const call = (methods: Partial<Methods>, name: keyof Methods, query: AnyQuery) =>
	(methods[name] as (query: AnyQuery) => Promise<unknown>)(query);

/** Methods that all do the same around those of an adapter. */
export const around = <Name extends keyof Methods>(
	names: readonly Name[],
	run: (name: Name, query: AnyQuery) => Promise<unknown>,
): Pick<Methods, Name> =>
	Object.fromEntries(names.map((name) => [name, (query: AnyQuery) => run(name, query)])) as never;

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

type Work = () => Promise<void>;

/** By the adapter of a transaction. */
const waiting = new WeakMap<object, Work[]>();

/** Starts a list of what waits for the end of a transaction. Several adapters may be made of it. */
export function collectForCommit(...adapters: object[]): Work[] {
	const list: Work[] = [];
	for (const adapter of adapters) waiting.set(adapter, list);
	return list;
}

/**
 * Runs `work` when the transaction of an adapter is committed, and never if it is rolled back. Without a
 * transaction it runs at once. It must not throw: the change itself has succeeded.
 *
 * Better Auth's `queueAfterTransactionHook` knows only transactions that Better Auth has started.
 */
export async function afterCommit(adapter: object, work: Work): Promise<void> {
	const list = waiting.get(adapter);
	if (list) list.push(work);
	else await work();
}
