import {
	explain,
	type Plan,
} from "../../../packages/tenant-auth/test/support/databases/query-plan";
import { type DatabaseType, openDatabase, type Statement } from "../host/database";
import { makeHost } from "../host/host";
import type { Measurement, Run } from "../setup/measurement";
import { perform, tenantOperations } from "../setup/operations";
import { largestOf } from "./measure-scale";

export interface PlanFigure extends Plan {
	database: DatabaseType;
	operation: string;
	sql: string;
}

/** How the database finds the rows of each statement, with as many of them as there are at most. */
export const plans: Measurement<PlanFigure[]> = {
	name: "plans",
	async measure(run) {
		const figures: PlanFigure[] = [];
		for (const type of run.scratch.types) figures.push(...(await explainAll(run, type)));
		return figures;
	},
	tables: (figures) => [
		{
			title: `Query plans: ${figures.filter(({ scans }) => scans.length > 0).length} of ${figures.length} statements read a whole table`,
			columns: ["database", "operation", "statement", "uses", "scans"],
			rows: figures.map(({ database, operation, sql, indexes, scans }) => [
				database,
				operation,
				sql.slice(0, 60),
				indexes.join(", "),
				scans.join(", "),
			]),
		},
	],
	documented: (figures) => [
		{
			title: "Query plans",
			columns: ["database", "statements", "read a whole table", "read all rows of a tenant"],
			rows: [...new Set(figures.map(({ database }) => database))].map((database) => {
				const own = figures.filter((it) => it.database === database);
				const count = (is: (plan: Plan) => boolean) => own.filter(is).length;
				return [
					database,
					own.length,
					count(({ scans }) => scans.length > 0),
					count(({ wide }) => wide.length > 0),
				];
			}),
		},
	],
};

async function explainAll(run: Run, type: DatabaseType): Promise<PlanFigure[]> {
	const population = largestOf(run);
	const seen: Statement[] = [];
	const database = openDatabase(await run.scratch.seeded(type, population), {
		onStatement: (statement) => seen.push(statement),
	});
	const auth = makeHost(database, { subject: "tenant" });
	await auth.$context;
	const asked: [operation: string, statement: Statement][] = [];
	for (const [operation, request] of Object.entries(tenantOperations(auth, population))) {
		await perform(auth, await request(7));
		const made = await request(7);
		seen.length = 0;
		await perform(auth, made);
		asked.push(...seen.map((statement): [string, Statement] => [operation, statement]));
	}
	// Only now: libsql holds an explained statement open, and then commits no transaction.
	const figures: PlanFigure[] = [];
	for (const [operation, statement] of asked) {
		const plan = await explain(database.db, type, statement);
		if (plan) figures.push({ database: type, operation, sql: statement.sql, ...plan });
	}
	await database.close();
	return figures;
}
