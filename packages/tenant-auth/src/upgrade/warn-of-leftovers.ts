import type { AuthContext } from "@better-auth/core";
import { openCatalog } from "./catalog";
import { findLeftovers, type Leftover } from "./global-keys";
import { findHostDatabase } from "./host-database";
import { UPGRADE_HINT } from "./upgrade-hint";

/**
 * Better Auth's migration removes nothing: on a database that had users before it had tenants, an
 * address stays unique across all of them until somebody says so. Looked for once, beside the start and
 * never in its way, as Better Auth looks for missing columns, and switched off together with that.
 */
export function warnOfLeftovers(ctx: AuthContext): void {
	const database = findHostDatabase(ctx.options.database);
	if (!database || database.opensAnother) return;
	if (ctx.options.advanced?.database?.validateSchema === false) return;
	database
		.use(async (connection) => findLeftovers(await openCatalog(database, connection), ctx.tables))
		.then(({ global }) => {
			for (const leftover of global) ctx.logger.warn(sentenceOn(leftover));
		})
		.catch((error) => ctx.logger.debug("tenantAuth: could not look for old indexes", error));
}

const sentenceOn = ({ key, index }: Leftover) =>
	`tenantAuth: ${index.name} on the table ${key.table} still keeps ${key.what} unique across all tenants. ${UPGRADE_HINT}`;
