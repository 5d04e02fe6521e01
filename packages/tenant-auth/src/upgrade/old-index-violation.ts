import type { AuthContext } from "@better-auth/core";
import { violatedKey } from "../database/unique-violation";
import { UPGRADE_HINT } from "./upgrade-hint";

/**
 * Says in the log why an address counts as taken that the tenant has not got: the index of before there
 * were tenants. Whatever adapter is in use, this is the moment at which it shows.
 */
export function reportOldIndex({ logger, tables }: AuthContext, error: unknown): void {
	const key = written(violatedKey(error));
	const isIn = (field: string) =>
		key.includes(written(tables.user?.fields[field]?.fieldName ?? field));
	if (!isIn("email") || isIn("tenantId")) return;
	logger.error(
		`tenantAuth: a user was refused because of an address that another tenant, or the platform, has: an old index keeps addresses unique across all tenants. ${UPGRADE_HINT}`,
	);
}

/** An ORM may write the columns in another case than Better Auth. */
const written = (name: string) => name.replaceAll("_", "").toLowerCase();
