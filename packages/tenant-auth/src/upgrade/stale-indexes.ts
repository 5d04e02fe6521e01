import type { AuthContext } from "@better-auth/core";
import type { BetterAuthDBSchema } from "@better-auth/core/db";
import { violatedKey } from "../database/errors";
import type { Catalog, TableIndex } from "./catalog";

/** Columns that are unique per tenant now and were unique across the whole database before. */
export interface GlobalKey {
	table: string;
	tenantId: string;
	/** The column that every such index contains. */
	column: string;
	/** Other columns that it may contain. */
	companions: string[];
	/** What the key identifies, for messages. */
	what: string;
}

/** A unique index of a table with such a key. */
export interface UniqueIndex {
	key: GlobalKey;
	index: TableIndex;
}

/** Better Auth creates the first kind of index. Many apps have created the second. */
function globalKeysOf({ user, account }: BetterAuthDBSchema): GlobalKey[] {
	const name = (table: typeof user, field: string) => table?.fields[field]?.fieldName ?? field;
	const keys: (GlobalKey | undefined)[] = [
		user && {
			table: user.modelName,
			tenantId: name(user, "tenantId"),
			column: name(user, "email"),
			companions: [],
			what: "an email",
		},
		account && {
			table: account.modelName,
			tenantId: name(account, "tenantId"),
			column: name(account, "accountId"),
			companions: [name(account, "providerId"), "issuer"],
			what: "a social account",
		},
	];
	return keys.filter((key) => key !== undefined);
}

export async function findUniqueIndexes(
	catalog: Pick<Catalog, "indexesOf">,
	tables: BetterAuthDBSchema,
): Promise<UniqueIndex[]> {
	const found: UniqueIndex[] = [];
	for (const key of globalKeysOf(tables)) {
		const unique = (await catalog.indexesOf(key.table)).filter((index) => index.unique);
		found.push(...unique.map((index) => ({ key, index })));
	}
	return found;
}

/** Whether an index from before there were tenants keeps a key unique across them, without a condition. */
export function isStale({ key, index: { partial, columns } }: UniqueIndex): boolean {
	return !partial && columns.includes(key.column) && hasOnly(key, columns);
}

export const hasOnly = ({ column, companions }: GlobalKey, columns: (string | null)[]): boolean =>
	columns.every((it) => it === column || (it !== null && companions.includes(it)));

const HINT =
	'Remove it with "npx better-auth-tenant upgrade --config <your auth file>". The option --dry-run only prints the statements.';

/** What to log at the start: Better Auth's migration does not remove such an index. */
export const describeStaleIndex = ({ key, index }: UniqueIndex) =>
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
