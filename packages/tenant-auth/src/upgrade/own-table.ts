import { BetterAuthError } from "@better-auth/core/error";
import { findHostDatabase, type Row, type UpgradeTarget } from "./host-database";
import { openUpgradeCatalog } from "./upgrade-catalog";

/**
 * Reads columns of a table of the app that Better Auth does not know.
 *
 * @throws BetterAuthError if the table or a column is missing, or if the database is behind an adapter
 */
export async function readOwnTable(
	target: UpgradeTarget,
	table: string,
	columns: readonly string[],
): Promise<Row[]> {
	const options = "options" in target ? target.options : target;
	const database = await findHostDatabase(options);
	if (!database) {
		throw new BetterAuthError(
			"The database is behind an adapter (Drizzle, Prisma, …), so only your own code can read your tables. Call adoptTenants(auth, { field, tenants }) of better-auth-tenant/imports",
		);
	}
	return database.use(async (connection) => {
		const catalog = await openUpgradeCatalog(database, connection);
		const found = (await catalog.columnsOf(table)).map(({ name }) => name);
		if (found.length === 0) throw new BetterAuthError(`There is no table ${table}`);
		for (const column of columns.filter((name) => !found.includes(name))) {
			throw new BetterAuthError(
				`The table ${table} has no column ${column}. It has: ${found.join(", ")}`,
			);
		}
		const list = columns.map(catalog.quote).join(", ");
		return connection.query(`select ${list} from ${catalog.table(table)}`);
	});
}
