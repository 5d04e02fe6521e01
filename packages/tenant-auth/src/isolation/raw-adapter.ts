import type { DBAdapter, DBTransactionAdapter, Where } from "@better-auth/core/db/adapter";
import type { TenantScope } from "../context/scope";
import type { TenantTables } from "./tables";

export type Row = Record<string, unknown>;
export type AnyAdapter = DBAdapter | DBTransactionAdapter;
export type Query = { model: string; where?: Where[] | undefined };

export interface ScopedAdapterSettings {
	tables: TenantTables;
	/** The model's key in Better Auth's schema, for a name that may be the host's own or a plural. */
	modelKey: (model: string) => string;
	/** Refuses when the tenant is gone, and keeps it from going until the transaction ends. */
	holdTenant: (
		database: Pick<DBAdapter, "updateMany" | "findOne">,
		scope: TenantScope,
	) => Promise<void>;
	/** Turns what a database says of a failed write into what a caller should see. */
	explainFailure: (model: string, error: unknown) => unknown;
	/** Whether the database may give out an id again whose row is gone, as SQLite does if it counts. */
	idsReturn: boolean;
	/** Called with a query that names another tenant than its scope. It finds nothing. */
	reportConflict: (model: string, tenantId: string) => void;
}

const scopedAdapters = new WeakSet<AnyAdapter>();

export const isScoped = (adapter: AnyAdapter) => scopedAdapters.has(adapter);

export function noteScoped(adapter: AnyAdapter): void {
	scopedAdapters.add(adapter);
}

/** Runs `work` in a transaction of the unscoped adapter, or in the one that is running already. */
export function inTransaction<T>(raw: AnyAdapter, work: (trx: DBTransactionAdapter) => Promise<T>) {
	if (!("transaction" in raw)) return work(raw);
	return raw.transaction((trx) => work(isScoped(trx) ? raw : trx));
}
