import type { Host } from "./host";
import type { Leak } from "./types";

/** What a column or a table is called that holds credentials. */
const CREDENTIAL =
	/token|secret|passw(?:or)?d|passphrase|credential|private_?key|api_?key|key_?hash|hashed_?key|backup_?codes/i;

/**
 * Finds credentials in tables that the app shares. One tenant's credential in such a table is valid in
 * all tenants, and no call shows it: the owner of the row is recorded nowhere.
 */
export function findSharedCredentials({ ctx, sharedModels }: Host): Leak[] {
	return sharedModels.flatMap((model) => {
		const fields = Object.entries(ctx.tables[model]?.fields ?? {})
			.filter(([, { type }]) => type === "string" || type === "json")
			.filter(([name, { returned, references }]) => {
				if (references) return false;
				// Better Auth marks a column that no client may see.
				return returned === false || CREDENTIAL.test(name) || CREDENTIAL.test(model);
			})
			.map(([name]) => name);
		if (fields.length === 0) return [];
		return {
			endpoint: tableName(model),
			caller: "every tenant",
			call: `sharedTables: ["${model}"]`,
			what: `the table is shared, and these columns may hold credentials: ${fields.join(", ")}`,
		};
	});
}

/** How a table is named in a report and in `skip`. */
export const tableName = (model: string) => `table:${model}`;
