import { explain, type Plan } from "../../packages/tenant-auth/test/support/query-plan";
import { type DatabaseType, openDatabase, type Statement } from "./database";
import { makeHost } from "./host";
import { largestOf } from "./measure-scale";
import type { Measurement, Run } from "./measurement";
import { perform, tenantOperations } from "./operations";

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
};

async function explainAll(run: Run, type: DatabaseType): Promise<PlanFigure[]> {
	const population = largestOf(run);
	const seen: Statement[] = [];
	const database = openDatabase(await run.scratch.seeded(type, population), {
		onStatement: (statement) => seen.push(statement),
	});
	const auth = makeHost(database, { subject: "tenant" });
	await auth.$context;
	const figures: PlanFigure[] = [];
	for (const [operation, request] of Object.entries(tenantOperations(auth, population))) {
		await perform(auth, await request(7));
		const made = await request(7);
		seen.length = 0;
		await perform(auth, made);
		for (const statement of [...seen]) {
			const plan = await explain(database.db, type, statement);
			if (plan) figures.push({ database: type, operation, sql: statement.sql, ...plan });
		}
	}
	await database.close();
	return figures;
}
