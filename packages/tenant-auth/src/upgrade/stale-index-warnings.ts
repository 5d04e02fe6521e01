import type { AuthContext } from "@better-auth/core";
import { violatedKey } from "../database/errors";
import { openCatalog } from "./catalog";
import { findHostDatabase, isDialect } from "./host-database";
import { findStaleIndexes, type StaleIndex } from "./stale-indexes";

const HINT =
	'Remove it with "npx better-auth-tenant upgrade --config <your auth file>". The option --dry-run only prints the statements.';

/**
 * Warns about unique indexes from before there were tenants, because Better Auth's migration does not
 * remove them. The check runs once, beside the start, as Better Auth's own schema check does. The same
 * option disables both.
 */
export function warnAboutStaleIndexes(ctx: AuthContext): void {
	if (isDialect(ctx.options)) return;
	if (ctx.options.advanced?.database?.validateSchema === false) return;
	findInHostDatabase(ctx)
		.then((stale) => {
			for (const it of stale) ctx.logger.warn(describe(it));
		})
		.catch((error) => ctx.logger.debug("tenantAuth: could not look for stale indexes", error));
}

async function findInHostDatabase({ options, tables }: AuthContext): Promise<StaleIndex[]> {
	const database = await findHostDatabase(options);
	if (!database) return [];
	const { global } = await database.use(async (connection) =>
		findStaleIndexes(await openCatalog(database, connection), tables),
	);
	return global;
}

const describe = ({ key, index }: StaleIndex) =>
	`tenantAuth: ${index.name} on the table ${key.table} still keeps ${key.what} unique across all tenants. ${HINT}`;

/**
 * Logs that a stale index rejected a user whose email is free in the tenant. This works with every
 * adapter, also where the check at the start does not.
 */
export function reportStaleIndex({ logger, tables }: AuthContext, error: unknown): void {
	const key = normalize(violatedKey(error));
	const isIn = (field: string) =>
		key.includes(normalize(tables.user?.fields[field]?.fieldName ?? field));
	if (!isIn("email") || isIn("tenantId")) return;
	logger.error(
		`tenantAuth: a user was rejected because another tenant or the platform has the same email. An old index keeps emails unique across all tenants. ${HINT}`,
	);
}

/** An ORM may write column names in another case than Better Auth does. */
const normalize = (name: string) => name.replaceAll("_", "").toLowerCase();
