import type { BetterAuthDBSchema } from "@better-auth/core/db";
import type { Catalog, TableIndex } from "./catalog";
import { nameIn, tokensOf } from "./sql-text";

/** A table's columns that are unique per tenant and were unique across the database before. */
interface GlobalKey {
	table: string;
	tenantId: string;
	/** What every such index has. */
	column: string;
	/** What it may have beside. */
	companions: string[];
	what: string;
}

export interface Leftover {
	key: GlobalKey;
	index: TableIndex;
}

export interface Leftovers {
	/** Keep a key unique across tenants. */
	global: Leftover[];
	/** Do so under a condition or over an expression: the host made them, and knows why. */
	unclear: Leftover[];
}

/** Better Auth makes an index of the first kind; of the second, many hosts have made one. */
function globalKeysOf({ user, account }: BetterAuthDBSchema): GlobalKey[] {
	const name = (table: typeof user, field: string) => table?.fields[field]?.fieldName ?? field;
	const keys: (GlobalKey | undefined)[] = [
		user && {
			table: user.modelName,
			tenantId: name(user, "tenantId"),
			column: name(user, "email"),
			companions: [],
			what: "an e-mail address",
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

export async function findLeftovers(
	catalog: Pick<Catalog, "indexesOf">,
	tables: BetterAuthDBSchema,
): Promise<Leftovers> {
	const leftovers: Leftovers = { global: [], unclear: [] };
	for (const key of globalKeysOf(tables)) {
		for (const index of await catalog.indexesOf(key.table)) {
			if (!index.unique || !isOver(key, index)) continue;
			const isUnclear = index.partial || index.columns.includes(null);
			leftovers[isUnclear ? "unclear" : "global"].push({ key, index });
		}
	}
	return leftovers;
}

function isOver({ column, companions }: GlobalKey, { columns, definition }: TableIndex): boolean {
	const within = columns.every((it) => it === null || it === column || companions.includes(it));
	if (!within || columns.includes(column)) return within;
	return columns.includes(null) && tokensOf(definition).some((token) => nameIn(token) === column);
}
