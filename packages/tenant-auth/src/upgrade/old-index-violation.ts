import type { AuthContext } from "@better-auth/core";
import { UPGRADE_HINT } from "./upgrade-hint";

interface DatabaseError {
	message?: unknown;
	/** PostgreSQL names the columns here. */
	detail?: unknown;
	cause?: unknown;
}

/**
 * Says in the log why an address counts as taken that the tenant has not got: the index of before there
 * were tenants. Whatever adapter is in use, this is the moment at which it shows.
 */
export function reportOldIndex({ logger, tables }: AuthContext, error: unknown): void {
	const fields = tables.user?.fields;
	const [email = "email", tenantId = "tenantId"] = [
		fields?.email?.fieldName,
		fields?.tenantId?.fieldName,
	];
	const said = wordsOf(error);
	if (!said.includes(email) || said.includes(tenantId)) return;
	logger.error(
		`tenantAuth: a user was refused because of an address that another tenant, or the platform, has: an old index keeps addresses unique across all tenants. ${UPGRADE_HINT}`,
	);
}

/** The database's own, without the statement that an adapter may put before it. */
function wordsOf(error: unknown): string {
	const { message, detail, cause } = (error ?? {}) as DatabaseError;
	return cause && cause !== error ? wordsOf(cause) : `${message ?? ""} ${detail ?? ""}`;
}
