import type { DBFieldAttribute } from "@better-auth/core/db";
import type { Where } from "@better-auth/core/db/adapter";
import { PLATFORM_ID, type TenantScope } from "../context/scope";
import { digest } from "../database/digest";

type Row = Record<string, unknown>;

/**
 * Other plugins have columns that are unique across the whole table: a username, a phone number, an
 * organization's slug. In a tenant their values are stored behind a mark of that tenant, so that
 * each tenant has a name space of its own under the same index. Nobody above the adapter sees it.
 */
export interface Namespace {
	mark: string;
	fields: readonly string[];
}

/** `null` where there is nothing to mark. */
export function findNamespace(
	scope: TenantScope,
	fields: readonly string[],
): Promise<Namespace> | null {
	return fields.length === 0 ? null : namespaceOf(scope, fields);
}

const namespaceOf = async ({ tenantId }: TenantScope, fields: readonly string[]) => ({
	mark: await markOf(tenantId),
	fields,
});

/** What every mark looks like. */
const MARK = /^[\da-f]{16}:/;

/** The platform's values stand as they are, unless somebody wrote one that would pass for marked. */
const PLATFORM_MARK = "0000000000000000:";

const markOf = async (tenantId: string) =>
	tenantId === PLATFORM_ID ? PLATFORM_MARK : `${(await digest(tenantId)).slice(0, 16)}:`;

export const unmarked = (value: string) => value.replace(MARK, "");

function marked(mark: string, value: string): string {
	return mark === PLATFORM_MARK && !MARK.test(value) ? value : mark + value;
}

const hidden = new WeakSet<DBFieldAttribute>();

/**
 * A column may have its values changed on their way into the database and out of it, to normalise
 * them for example. That is to be done to what stands behind the mark. The mark itself ends here:
 * also in joined rows, and in work across tenants.
 */
export function hideMarks(field: DBFieldAttribute): void {
	if (hidden.has(field)) return;
	hidden.add(field);
	const { input, output } = field.transform ?? {};
	const plain = (value: Value) => (typeof value === "string" ? unmarked(value) : value);
	field.transform = {
		...(input && { input: (value) => behindMark(value, input) }),
		output: (value) => (output ? output(plain(value)) : plain(value)),
	};
}

type Change = NonNullable<NonNullable<DBFieldAttribute["transform"]>["input"]>;
type Value = Parameters<Change>[0];

function behindMark(value: Value, change: Change): ReturnType<Change> {
	const mark = typeof value === "string" ? (MARK.exec(value)?.[0] ?? "") : "";
	if (mark === "") return change(value);
	const changed = change(String(value).slice(mark.length));
	return changed instanceof Promise ? changed.then((it) => mark + it) : mark + changed;
}

export function markValues<Data extends Row>(namespace: Namespace | null, data: Data): Data {
	if (!namespace) return data;
	const own: Row = { ...data };
	for (const field of namespace.fields) {
		const value = own[field];
		if (typeof value === "string") own[field] = marked(namespace.mark, value);
	}
	return own as Data;
}

export function markWhere(namespace: Namespace | null, where: Where[]): Where[] {
	if (!namespace) return where;
	return where.map((clause) =>
		namespace.fields.includes(clause.field) && !matchesInside(clause)
			? { ...clause, value: markValue(namespace.mark, clause.value) }
			: clause,
	);
}

/** These look at a part of the value that the mark, which stands in front, does not touch. */
const matchesInside = ({ operator }: Where) => operator === "contains" || operator === "ends_with";

function markValue(mark: string, value: Where["value"]): Where["value"] {
	if (typeof value === "string") return marked(mark, value);
	if (Array.isArray(value) && value.every((item) => typeof item === "string")) {
		return value.map((item) => marked(mark, item));
	}
	return value;
}
