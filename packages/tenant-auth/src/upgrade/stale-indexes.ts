import type { AuthContext } from "@better-auth/core";
import type { BetterAuthDBSchema } from "@better-auth/core/db";
import { violatedKey } from "../database/errors";
import type { Catalog, TableIndex } from "./catalog";
import type { Connection, Statement } from "./host-database";
import { nameIn, tokensOf } from "./sql-parser";
import { rebuildSqliteTable } from "./sqlite-rebuild";

/** Columns that are unique per tenant now and were unique across the whole database before. */
interface GlobalKey {
	table: string;
	tenantId: string;
	/** The column that every such index contains. */
	column: string;
	/** Other columns that it may contain. */
	companions: string[];
	/** What the key identifies, for messages. */
	what: string;
}

/** A unique index from before there were tenants. */
export interface StaleIndex {
	key: GlobalKey;
	index: TableIndex;
}

interface StaleIndexes {
	/** Keep a key unique across tenants. */
	global: StaleIndex[];
	/** May do so under a condition or over an expression. The app created them for its own reasons. */
	ambiguous: StaleIndex[];
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

export async function findStaleIndexes(
	catalog: Pick<Catalog, "indexesOf">,
	tables: BetterAuthDBSchema,
): Promise<StaleIndexes> {
	const stale: StaleIndexes = { global: [], ambiguous: [] };
	for (const key of globalKeysOf(tables)) {
		for (const index of await catalog.indexesOf(key.table)) {
			if (!index.unique || !covers(index, key)) continue;
			const isAmbiguous = index.partial || index.columns.includes(null);
			stale[isAmbiguous ? "ambiguous" : "global"].push({ key, index });
		}
	}
	return stale;
}

function covers({ columns, definition }: TableIndex, { column, companions }: GlobalKey): boolean {
	const within = columns.every((it) => it === null || it === column || companions.includes(it));
	if (!within || columns.includes(column)) return within;
	return columns.includes(null) && tokensOf(definition).some((token) => nameIn(token) === column);
}

interface IndexDrops {
	statements: Statement[];
	blockers: string[];
	/** SQLite tables that are created again without the constraint. */
	rebuilt: string[];
}

/** Plans the statements that drop stale indexes. */
export async function planIndexDrops(
	catalog: Catalog,
	connection: Connection,
	stale: StaleIndex[],
): Promise<IndexDrops> {
	const drops: IndexDrops = { statements: [], blockers: [], rebuilt: [] };
	for (const [table, ofTable] of groupByTable(stale)) {
		for (const { key } of ofTable) drops.blockers.push(...(await findReferrers(catalog, key)));
		const constraints = ofTable.filter(({ index }) => index.ofConstraint);
		const [first] = constraints;
		const isRebuilt = catalog.type === "sqlite" && first !== undefined;
		if (isRebuilt) {
			const statements = await rebuildSqliteTable(
				connection,
				table,
				constraints.map(({ index }) => index),
			);
			if (statements === null) {
				drops.blockers.push(
					`The unique constraint was not found in the statement that created the table ${table}`,
				);
				continue;
			}
			drops.rebuilt.push(table);
			const reason = `${reasonFor(first)}. SQLite cannot drop a constraint, so the table is created again`;
			drops.statements.push(...statements.map((sql) => ({ sql, reason })));
		}
		for (const it of ofTable) {
			if (isRebuilt && it.index.ofConstraint) continue;
			drops.statements.push({ sql: dropIndex(catalog, it), reason: reasonFor(it) });
		}
	}
	return drops;
}

function dropIndex({ type, quote, table }: Catalog, { key, index }: StaleIndex): string {
	const name = quote(index.name);
	if (type === "mysql") return `alter table ${table(key.table)} drop index ${name}`;
	if (index.ofConstraint) return `alter table ${table(key.table)} drop constraint ${name}`;
	// On PostgreSQL an index is in the schema of its table.
	return `drop index ${type === "postgres" ? table(index.name) : name}`;
}

const reasonFor = ({ index, key }: StaleIndex) =>
	`${index.name} keeps ${key.what} unique across all tenants`;

async function findReferrers(
	catalog: Catalog,
	{ table, column, what }: GlobalKey,
): Promise<string[]> {
	const referrers = await catalog.referrersOf(table, column);
	return referrers.map(
		(referrer) =>
			`${referrer} has a foreign key to ${table}.${column}, but ${what} will no longer identify one row. Let it reference ${table}.id first`,
	);
}

function groupByTable(stale: StaleIndex[]): Map<string, StaleIndex[]> {
	const groups = new Map<string, StaleIndex[]>();
	for (const it of stale) {
		const { table } = it.key;
		groups.set(table, [...(groups.get(table) ?? []), it]);
	}
	return groups;
}

const HINT =
	'Remove it with "npx better-auth-tenant upgrade --config <your auth file>". The option --dry-run only prints the statements.';

/** What to log at the start: Better Auth's migration does not remove such an index. */
export const describeStaleIndex = ({ key, index }: StaleIndex) =>
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
