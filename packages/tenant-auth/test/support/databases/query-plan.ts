import { CompiledQuery, type Kysely } from "kysely";
import type { HostDatabase, Rows } from "../worlds/instance";

export interface Statement {
	sql: string;
	parameters: readonly unknown[];
}

/** How a database finds the rows of a statement. */
export interface Plan {
	/** By which indexes. */
	indexes: string[];
	/** Those of them in which it looks for the tenant alone, and so reads all of the tenant's rows. */
	wide: string[];
	/** The tables, or whole indexes, that are read from one end to the other. */
	scans: string[];
	/** Whether rows of a table are sorted, and so all read, before a limit counts. */
	sorts: boolean;
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

/** `SEARCH user USING INDEX <name> (<columns>)`, or `SCAN user`; a subquery is scanned by its alias. */
function readSqlite(rows: Record<string, unknown>[]): Plan {
	const steps = rows.map(({ detail }) => String(detail));
	const subqueries = new Set(steps.map((it) => /^(?:CO-ROUTINE|MATERIALIZE) (\S+)/.exec(it)?.[1]));
	const plan: Plan = { indexes: [], wide: [], scans: [], sorts: false };
	for (const step of steps) {
		const [, index, columns] = /^SEARCH \S+ USING (?:COVERING )?INDEX (\S+) (.*)/.exec(step) ?? [];
		if (index) plan.indexes.push(index);
		if (index && columns === "(tenantId=?)") plan.wide.push(index);
		const scanned = /^SCAN (\S+)/.exec(step)?.[1];
		if (scanned && !subqueries.has(scanned)) plan.scans.push(scanned);
	}
	// What follows the scan of a subquery sorts the few rows that it returned.
	const outer = steps.findIndex((it) => subqueries.has(/^SCAN (\S+)/.exec(it)?.[1]));
	const inner = outer < 0 ? steps : steps.slice(0, outer);
	plan.sorts = inner.some((it) => it === "USE TEMP B-TREE FOR ORDER BY");
	return plan;
}

interface PostgresNode {
	"Node Type": string;
	"Relation Name"?: string;
	"Index Name"?: string;
	"Index Cond"?: string;
	Plans?: PostgresNode[];
}

function readPostgres(rows: Record<string, unknown>[]): Plan {
	const trees = rows.flatMap((row) => row["QUERY PLAN"] as { Plan: PostgresNode }[]);
	const plan: Plan = { indexes: [], wide: [], scans: [], sorts: false };
	const visit = (node: PostgresNode) => {
		const { "Index Name": index, "Index Cond": condition } = node;
		if (node["Node Type"] === "Sort") plan.sorts = true;
		if (node["Node Type"] === "Seq Scan") plan.scans.push(String(node["Relation Name"]));
		// Without a condition it reads the whole index.
		else if (index) (condition ? plan.indexes : plan.scans).push(index);
		if (index && condition && /^\("tenantId" = '[^']*'::text\)$/.test(condition)) {
			plan.wide.push(index);
		}
		for (const child of node.Plans ?? []) visit(child);
	};
	for (const tree of trees) visit(tree.Plan);
	return plan;
}

/** `ALL` reads a table and `index` an index from one end to the other. */
function readMysql(rows: Record<string, unknown>[]): Plan {
	const plan: Plan = { indexes: [], wide: [], scans: [], sorts: false };
	for (const { table, type, key, ref, Extra } of rows) {
		// A row that a unique key names is read while the plan is made, and may be gone by then.
		if (/const table/.test(String(Extra))) plan.indexes.push("a unique key");
		if (!table || String(table).startsWith("<")) continue;
		if (/filesort/.test(String(Extra))) plan.sorts = true;
		if (type === "ALL" || type === "index") plan.scans.push(String(table));
		else if (key) plan.indexes.push(String(key));
		if (type === "ref" && ref === "const" && /_tenantId_/.test(String(key))) {
			plan.wide.push(String(key));
		}
	}
	return plan;
}
