import type { Where } from "@better-auth/core/db/adapter";
import { digest } from "../digest";
import { PLATFORM_ID, type TenantScope } from "./scope";

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

/** `null` where there is nothing to mark: the platform's values stand as they are. */
export async function findNamespace(
	scope: TenantScope,
	fields: readonly string[],
): Promise<Namespace | null> {
	if (scope.tenantId === PLATFORM_ID || fields.length === 0) return null;
	return { mark: await markOf(scope.tenantId), fields };
}

/** A digest in lower case: plugins normalise such values, and an id's capitals would not survive. */
const markOf = async (tenantId: string) => `${(await digest(tenantId)).slice(0, 16)}:`;

export function markValues<Data extends Row>(namespace: Namespace | null, data: Data): Data {
	if (!namespace) return data;
	const marked: Row = { ...data };
	for (const field of namespace.fields) {
		if (typeof marked[field] === "string") marked[field] = namespace.mark + marked[field];
	}
	return marked as Data;
}

export function unmarkValues<T>(namespace: Namespace | null, row: T): T {
	if (!namespace || !row) return row;
	const plain = { ...row } as Row;
	for (const field of namespace.fields) {
		const value = plain[field];
		if (typeof value === "string" && value.startsWith(namespace.mark)) {
			plain[field] = value.slice(namespace.mark.length);
		}
	}
	return plain as T;
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
	if (typeof value === "string") return mark + value;
	if (Array.isArray(value) && value.every((item) => typeof item === "string")) {
		return value.map((item) => mark + item);
	}
	return value;
}
