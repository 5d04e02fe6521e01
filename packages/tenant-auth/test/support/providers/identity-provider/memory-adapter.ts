import type { Adapter, AdapterPayload } from "oidc-provider";

/**
 * One provider's storage. `oidc-provider` looks clients up here as well, which is what lets a test
 * add, change and remove them while the server runs.
 */
export function createStorage(): (model: string) => Adapter {
	const rows = new Map<string, AdapterPayload>();
	return (model) => ({
		async upsert(id, payload) {
			rows.set(`${model}:${id}`, payload);
		},
		async find(id) {
			return rows.get(`${model}:${id}`);
		},
		async findByUid(uid) {
			return [...rows].find(([key, row]) => key.startsWith(`${model}:`) && row.uid === uid)?.[1];
		},
		async findByUserCode() {
			return undefined;
		},
		async consume(id) {
			const row = rows.get(`${model}:${id}`);
			if (row) row.consumed = Math.floor(Date.now() / 1000);
		},
		async destroy(id) {
			rows.delete(`${model}:${id}`);
		},
		async revokeByGrantId(grantId) {
			for (const [key, row] of rows) if (row.grantId === grantId) rows.delete(key);
		},
	});
}
