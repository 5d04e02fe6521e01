import type { AuthContext } from "@better-auth/core";

/**
 * Keeps the names of tables as they are at the start.
 *
 * A plugin of Better Auth writes other names of its tables into a schema that all of its instances share.
 * Better Auth's adapter reads the schema again in each transaction, so another instance in this process
 * would change the names of this one. Only the tables are copied: `isolation/tenant-prefix.ts` changes
 * their fields, and the adapter must see that. `two-table-names.test.ts` checks it.
 */
export function keepTableNames({ options: { plugins = [] }, tables }: AuthContext): void {
	for (const plugin of plugins) {
		if (!plugin.schema) continue;
		const named = Object.entries(plugin.schema).map(([model, table]) => {
			const modelName = tables[model]?.modelName;
			return [model, modelName ? { ...table, modelName } : table];
		});
		plugin.schema = Object.fromEntries(named);
	}
}
