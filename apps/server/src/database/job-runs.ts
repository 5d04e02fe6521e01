import type { Kysely } from "kysely";
import type { AuthDatabase } from "./open-database";

/** How a job ended when it was last done, on any server. */
export type LastRun = {
	finishedAt: Date;
	seconds: number;
	hasFailed: boolean;
	/** What it did, by kind. Empty if it failed. */
	report: Record<string, number>;
};

type Row = {
	name: string;
	finished_at: number;
	duration_ms: number;
	has_failed: number;
	report: string;
};
type Tables = { service_job_run: Row };

const tables = (db: Kysely<unknown>) => db as Kysely<Tables>;

/** Creates the table. It has one row per job. */
export function lastRunsTable(db: Kysely<unknown>) {
	return db.schema
		.createTable("service_job_run")
		.ifNotExists()
		.addColumn("name", "varchar(64)", (column) => column.notNull().primaryKey())
		.addColumn("finished_at", "bigint", (column) => column.notNull())
		.addColumn("duration_ms", "bigint", (column) => column.notNull())
		.addColumn("has_failed", "integer", (column) => column.notNull())
		.addColumn("report", "text", (column) => column.notNull());
}

export async function saveLastRun(
	{ db, type }: AuthDatabase,
	name: string,
	{ finishedAt, seconds, hasFailed, report }: LastRun,
): Promise<void> {
	const values = {
		finished_at: finishedAt.getTime(),
		duration_ms: Math.round(seconds * 1000),
		has_failed: hasFailed ? 1 : 0,
		report: JSON.stringify(report),
	};
	const insert = tables(db)
		.insertInto("service_job_run")
		.values({ name, ...values });
	if (type === "mysql") await insert.onDuplicateKeyUpdate(values).execute();
	else {
		await insert.onConflict((conflict) => conflict.column("name").doUpdateSet(values)).execute();
	}
}

export async function listLastRuns({ db }: AuthDatabase): Promise<Map<string, LastRun>> {
	const rows = await tables(db).selectFrom("service_job_run").selectAll().execute();
	return new Map(
		rows.map((row) => [
			row.name,
			{
				// PostgreSQL returns a bigint as text.
				finishedAt: new Date(Number(row.finished_at)),
				seconds: Number(row.duration_ms) / 1000,
				hasFailed: row.has_failed === 1,
				report: JSON.parse(row.report) as LastRun["report"],
			},
		]),
	);
}
