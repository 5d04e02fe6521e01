import type { DBAdapter } from "@better-auth/core/db/adapter";
import { tenantIdOf } from "../call/context/tenant";
import type { AnyAdapter, FindMany, FindOne, IsolationSettings, Row } from "./raw-adapter";
import { findOwners, idOf } from "./row-owners";
import type { JoinColumns } from "./tables";
import { findPrefix, prefixWhere } from "./tenant-prefix";

type Joins = { name: string; columns: JoinColumns; limit: number }[];

const DEFAULT_LIMIT = 100;

/**
 * Makes an adapter join over columns whose values have a tenant prefix.
 *
 * Better Auth's adapter reads the joined rows with a second query, by the value that it has read from
 * the base row. That value has lost its prefix. So these joins are read here, with the prefix of the
 * tenant that owns the base row.
 */
export function withPrefixedJoins<Adapter extends AnyAdapter>(
	adapter: Adapter,
	{ tables, modelKey }: Pick<IsolationSettings, "tables" | "modelKey">,
): Adapter {
	if (!tables.hasPrefixes) return adapter;
	const finds: Pick<DBAdapter, "findOne" | "findMany"> = {
		findOne: <T>(query: FindOne) =>
			query.join ? findOneWithJoins<T>(query) : adapter.findOne<T>(query),
		findMany: <T>(query: FindMany) =>
			query.join ? findManyWithJoins<T>(query) : adapter.findMany<T>(query),
	};
	return { ...adapter, ...finds };

	async function findOneWithJoins<T>(query: FindOne): Promise<T | null> {
		const { joins, plain } = split(query);
		const row = await adapter.findOne<T & Row>(plain);
		if (!row || joins.length === 0) return row;
		return (await addJoins(query.model, [row], joins))[0] ?? null;
	}

	async function findManyWithJoins<T>(query: FindMany): Promise<T[]> {
		const { joins, plain } = split(query);
		const rows = await adapter.findMany<T & Row>(plain);
		return joins.length === 0 ? rows : addJoins(query.model, rows, joins);
	}

	function split<Q extends Pick<FindMany, "model" | "join" | "select">>(query: Q) {
		const joins: Joins = [];
		const rest: FindMany["join"] = {};
		for (const [name, join] of Object.entries(query.join ?? {})) {
			const columns = tables.findPrefixedJoin(query.model, name);
			if (!columns) rest[name] = join;
			else if (join) {
				const limit = (typeof join === "object" ? join.limit : undefined) ?? DEFAULT_LIMIT;
				joins.push({ name, columns, limit });
			}
		}
		if (joins.length === 0) return { joins, plain: query };
		const needed = ["id", ...joins.map(({ columns }) => columns.from)];
		if (tables.strategyOf(query.model) === "column") needed.push("tenantId");
		const select = query.select && [...new Set([...query.select, ...needed])];
		return { joins, plain: { ...query, select, join: rest } };
	}

	async function addJoins<R extends Row>(model: string, rows: R[], joins: Joins): Promise<R[]> {
		const tenantIdOfRow = await findTenantIds(model, rows);
		for (const row of rows) {
			for (const { name, columns, limit } of joins) {
				const found = await findJoined(name, columns, limit, row, tenantIdOfRow(row));
				Object.assign(row, { [name]: columns.isOneToOne ? (found[0] ?? null) : found });
			}
		}
		return rows;
	}

	async function findTenantIds(model: string, rows: unknown[]): Promise<(row: Row) => string> {
		if (tables.strategyOf(model) === "column") return tenantIdOf;
		const owners = await findOwners(adapter, modelKey(model), rows.map(idOf));
		return (row) => owners(idOf(row));
	}

	async function findJoined(
		model: string,
		{ from, to, isOneToOne }: JoinColumns,
		limit: number,
		row: Row,
		tenantId: string,
	): Promise<Row[]> {
		const value = row[from];
		if (typeof value !== "string") return [];
		const prefix = await findPrefix(tenantId, tables.prefixedFieldsOf(model));
		const where = prefixWhere(prefix, [{ field: to, value }]);
		return adapter.findMany<Row>({ model, where, limit: isOneToOne ? 1 : limit });
	}
}
