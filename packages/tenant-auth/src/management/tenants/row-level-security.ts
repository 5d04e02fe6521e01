import { getCurrentTenantId } from "../../call/context/current-scope";

/** The setting of PostgreSQL that the policies of your tables read. */
export const TENANT_SETTING = "app.tenant_id";

/**
 * Sets the tenant of the running transaction in PostgreSQL, for tables with Row Level Security. Call it
 * first in every transaction. The setting ends with the transaction, so it cannot leak to the next user
 * of a pooled connection.
 *
 * @param query runs a statement in the transaction
 * @param tenantId by default the tenant of the running request. On the platform it is empty, which no row
 * has.
 * @example
 * ```ts
 * await client.query("begin");
 * await setDatabaseTenant((sql, values) => client.query(sql, values));
 * const { rows } = await client.query("select * from invoice");
 * await client.query("commit");
 * ```
 */
export async function setDatabaseTenant(
	query: (sql: string, values: string[]) => Promise<unknown>,
	tenantId?: string,
): Promise<void> {
	const id = tenantId ?? (await getCurrentTenantId()) ?? "";
	// The third argument makes it local to the transaction.
	await query("select set_config($1, $2, true)", [TENANT_SETTING, id]);
}
