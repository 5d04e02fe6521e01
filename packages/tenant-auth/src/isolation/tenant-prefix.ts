import type { DBFieldAttribute } from "@better-auth/core/db";
import type { Where } from "@better-auth/core/db/adapter";
import { PLATFORM_ID } from "../call/context/tenant";
import { digest } from "../database/digest";

type Row = Record<string, unknown>;

/**
 * Other plugins have columns that are unique across the whole table: a username, a phone number, an
 * organization's slug. In a tenant their values are stored with a prefix of that tenant. So each tenant
 * has its own values under the same index. Nothing above the adapter sees the prefix.
 */
export interface TenantPrefix {
	prefix: string;
	fields: readonly string[];
}

/** `null` if no field needs a prefix. */
export function findPrefix(
	tenantId: string,
	fields: readonly string[],
): Promise<TenantPrefix> | null {
	return fields.length === 0 ? null : prefixFor(tenantId, fields);
}

const prefixFor = async (tenantId: string, fields: readonly string[]) => ({
	prefix: await prefixOf(tenantId),
	fields,
});

/** What every prefix looks like. */
const PREFIX = /^[\da-f]{16}:/;

/** Values of the platform have no prefix, except those that look as if they had one. */
const PLATFORM_PREFIX = "0000000000000000:";

/** The prefixes that were made last: each read of a user needs one, and a digest leaves the thread. */
const made = new Map<string, string>();
const MAX_MADE = 1_000;

async function prefixOf(tenantId: string): Promise<string> {
	if (tenantId === PLATFORM_ID) return PLATFORM_PREFIX;
	const known = made.get(tenantId);
	if (known) return known;
	const prefix = `${(await digest(tenantId)).slice(0, 16)}:`;
	if (made.size >= MAX_MADE) made.clear();
	made.set(tenantId, prefix);
	return prefix;
}

/**
 * A value of a unique column without the prefix of its tenant, for your own queries: the table has
 * `0123456789abcdef:ada` where Better Auth and its clients have `ada`.
 *
 * @example
 * ```ts
 * const { rows } = await pool.query('select username from "user" where "tenantId" = $1', [tenantId]);
 * const names = rows.map(({ username }) => withoutTenantPrefix(username));
 * ```
 */
export const withoutTenantPrefix = (value: string) => value.replace(PREFIX, "");

function withPrefix(prefix: string, value: string): string {
	return prefix === PLATFORM_PREFIX && !looksPrefixed(value) ? value : prefix + value;
}

/**
 * Whether an index may take the start of a value for a prefix. On MySQL, case, accents, ligatures and
 * invisible characters may be ignored: a user of the platform could take the values of a tenant.
 */
function looksPrefixed(value: string): boolean {
	const [head = "", ...rest] = value.normalize("NFKD").split(":");
	if (rest.length === 0) return false;
	const ascii = head.replaceAll(/[^ -~]/g, "");
	if (/[^\da-f]/i.test(ascii)) return false;
	return ascii.length < head.length || head.length === 16;
}

const hidden = new WeakSet<DBFieldAttribute>();

/**
 * Removes the prefix from values as they leave the database, also from joined rows and in work across
 * tenants. A column's own transformation, for example to normalize a value, gets the value without it.
 *
 * The adapter made its tables before us. It sees this change because it shares the field objects with
 * the plugin that declared them: so the field is changed in place, and once.
 */
export function hidePrefix(field: DBFieldAttribute): void {
	if (hidden.has(field)) return;
	hidden.add(field);
	const { input, output } = field.transform ?? {};
	const plain = (value: Value) => (typeof value === "string" ? withoutTenantPrefix(value) : value);
	field.transform = {
		...(input && { input: (value) => behindPrefix(value, input) }),
		output: (value) => (output ? output(plain(value)) : plain(value)),
	};
}

type Change = NonNullable<NonNullable<DBFieldAttribute["transform"]>["input"]>;
type Value = Parameters<Change>[0];

function behindPrefix(value: Value, change: Change): ReturnType<Change> {
	const prefix = typeof value === "string" ? (PREFIX.exec(value)?.[0] ?? "") : "";
	if (prefix === "") return change(value);
	const changed = change(String(value).slice(prefix.length));
	return changed instanceof Promise ? changed.then((it) => prefix + it) : prefix + changed;
}

export function prefixValues<Data extends Row>(own: TenantPrefix | null, data: Data): Data {
	if (!own) return data;
	const prefixed: Row = { ...data };
	for (const field of own.fields) {
		const value = prefixed[field];
		if (typeof value === "string") prefixed[field] = withPrefix(own.prefix, value);
	}
	return prefixed as Data;
}

export function prefixWhere(own: TenantPrefix | null, where: Where[]): Where[] {
	if (!own) return where;
	return where.map((clause) =>
		own.fields.includes(clause.field) && !matchesInside(clause)
			? { ...clause, value: prefixValue(own.prefix, clause.value) }
			: clause,
	);
}

/** These match a part of the value that the prefix does not change. */
const matchesInside = ({ operator }: Where) => operator === "contains" || operator === "ends_with";

function prefixValue(prefix: string, value: Where["value"]): Where["value"] {
	if (typeof value === "string") return withPrefix(prefix, value);
	if (Array.isArray(value) && value.every((item) => typeof item === "string")) {
		return value.map((item) => withPrefix(prefix, item));
	}
	return value;
}
