import { CompiledQuery, type Kysely } from "kysely";
import type { HostDatabase, Rows } from "./instance";

export interface Statement {
	sql: string;
	parameters: readonly unknown[];
}

/** How a database finds the rows of a statement. */
export interface Plan {
	/** By which indexes. */
	indexes: string[];
	/** The tables, or whole indexes, that are read from one end to the other. */
	scans: string[];
}

type Reader = (rows: Record<string, unknown>[]) => Plan;

const dialects: Record<HostDatabase["type"], { prefix: string; read: Reader }> = {
	sqlite: { prefix: "explain query plan ", read: readSqlite },
	postgres: { prefix: "explain (format json) ", read: readPostgres },
	mysql: { prefix: "explain ", read: readMysql },
};

/** `null` for what looks for no row: an insert, the begin of a transaction. */
export async function explain(
	db: Kysely<Rows>,
	type: HostDatabase["type"],
	{ sql, parameters }: Statement,
): Promise<Plan | null> {
	if (!/^(select|update|delete)\b/i.test(sql)) return null;
	const { prefix, read } = dialects[type];
	const { rows } = await db.executeQuery<Record<string, unknown>>(
		CompiledQuery.raw(prefix + sql, [...parameters]),
	);
	return read(rows);
}

/** `SEARCH user USING INDEX …`, or `SCAN user`; a subquery is scanned by its alias. */
function readSqlite(rows: Record<string, unknown>[]): Plan {
	const steps = rows.map(({ detail }) => String(detail));
	const subqueries = new Set(steps.map((it) => /^(?:CO-ROUTINE|MATERIALIZE) (\S+)/.exec(it)?.[1]));
	const indexes = steps.map(
		(it) => /^SEARCH \S+ USING (?:COVERING )?INDEX (\S+)/.exec(it)?.[1] ?? "",
	);
	const scans = steps.map((it) => /^SCAN (\S+)/.exec(it)?.[1] ?? "");
	return {
		indexes: indexes.filter(Boolean),
		scans: scans.filter((it) => it && !subqueries.has(it)),
	};
}

interface PostgresNode {
	"Node Type": string;
	"Relation Name"?: string;
	"Index Name"?: string;
	"Index Cond"?: string;
	Plans?: PostgresNode[];
}

function readPostgres([row]: Record<string, unknown>[]): Plan {
	const [{ Plan: top }] = row?.["QUERY PLAN"] as [{ Plan: PostgresNode }];
	const plan: Plan = { indexes: [], scans: [] };
	const visit = (node: PostgresNode) => {
		const index = node["Index Name"];
		if (node["Node Type"] === "Seq Scan") plan.scans.push(String(node["Relation Name"]));
		// Without a condition it reads the whole index.
		else if (index) (node["Index Cond"] ? plan.indexes : plan.scans).push(index);
		for (const child of node.Plans ?? []) visit(child);
	};
	visit(top);
	return plan;
}

/** `ALL` reads a table and `index` an index from one end to the other. */
function readMysql(rows: Record<string, unknown>[]): Plan {
	const ofTables = rows.filter(({ table }) => table && !String(table).startsWith("<"));
	const isScan = ({ type }: Record<string, unknown>) => type === "ALL" || type === "index";
	return {
		indexes: ofTables.filter((row) => !isScan(row) && row.key).map(({ key }) => String(key)),
		scans: ofTables.filter(isScan).map(({ table }) => String(table)),
	};
}
