import type { DBAdapter, DBTransactionAdapter } from "@better-auth/core/db/adapter";

export interface AdapterCall {
	method: string;
	model: string;
}

const METHODS = [
	"create",
	"findOne",
	"findMany",
	"count",
	"update",
	"updateMany",
	"delete",
	"deleteMany",
	"consumeOne",
	"incrementOne",
] as const;

/** Tells of every call that reaches the adapter, inside of transactions as well. */
export function countingAdapter(adapter: DBAdapter, onCall: (call: AdapterCall) => void) {
	return {
		...counted(adapter, onCall),
		transaction: (work: (trx: DBTransactionAdapter) => Promise<unknown>) =>
			adapter.transaction((trx) => work(counted(trx, onCall))),
	} as DBAdapter;
}

function counted<Adapter extends DBTransactionAdapter>(
	adapter: Adapter,
	onCall: (call: AdapterCall) => void,
): Adapter {
	const methods = METHODS.map((method) => {
		const call = adapter[method] as (query: { model: string }) => Promise<unknown>;
		return [
			method,
			(query: { model: string }) => {
				onCall({ method, model: query.model });
				return call(query);
			},
		];
	});
	return { ...adapter, ...Object.fromEntries(methods) };
}
