/**
 * Measures what the plugin costs:
 *
 *   npm run bench                               everything, two hours or more
 *   npm run bench -- --only speed,scale         some of it
 *   npm run bench -- --quick                    checks that everything works; its results are no figures
 *   npm run bench -- --only speed --operations get-session --databases sqlite
 *   npm run bench -- --only list --users 1000000
 *
 * Only a run without `--quick`, `--operations`, `--databases` and `--users` fills docs/performance-results.md.
 *
 * BENCH_POSTGRES_URL, BENCH_MYSQL_URL and BENCH_REDIS_URL (or TEST_…) are servers on which databases
 * may be created. What they are missing for is not measured.
 */
import { parseArgs } from "node:util";
import { replaceGitlab } from "./host/identity-provider";
import { measurements } from "./measurements/all";
import { document } from "./report/document";
import { printTable } from "./report/print-table";
import { currentCommit, describeMachine, saveCharts, saveResult } from "./report/results";
import type { Measurement, Run } from "./setup/measurement";
import { openScratch } from "./setup/scratch";

const { values } = parseArgs({
	options: {
		quick: { type: "boolean", default: false },
		only: { type: "string" },
		operations: { type: "string" },
		databases: { type: "string" },
		users: { type: "string" },
	},
});
const names = values.only?.split(",") ?? measurements.map(({ name }) => name);
const unknown = names.filter((name) => !measurements.some((it) => it.name === name));
if (unknown.length > 0) throw new Error(`There is no measurement called ${unknown.join(", ")}`);
if (!globalThis.gc) throw new Error("Garbage cannot be collected: run it with npm run bench");

const { quick } = values;
/** Figures of a part, or of another size, must not replace those of the whole. */
const isPublished = !quick && !values.operations && !values.databases && !values.users;

replaceGitlab();
const scratch = openScratch({
	postgres: process.env.BENCH_POSTGRES_URL || process.env.TEST_POSTGRES_URL,
	mysql: process.env.BENCH_MYSQL_URL || process.env.TEST_MYSQL_URL,
	only: values.databases?.split(","),
});
const run: Run = {
	scratch,
	quick,
	isWanted: (operation) => values.operations?.split(";").includes(operation) ?? true,
	users: values.users ? Number(values.users.replaceAll("_", "")) : undefined,
};
for (const signal of ["SIGINT", "SIGTERM"] as const) {
	process.once(signal, () => scratch.close().finally(() => process.exit(130)));
}
try {
	const machine = await describeMachine(scratch);
	console.log(machine);
	for (const measurement of measurements.filter(({ name }) => names.includes(name))) {
		await measureOne(measurement, machine);
	}
} finally {
	await scratch.close();
}

async function measureOne(
	{ name, measure, tables, documented = tables, charts = () => ({}) }: Measurement,
	machine: Awaited<ReturnType<typeof describeMachine>>,
): Promise<void> {
	const startedAt = performance.now();
	const data = await measure(run);
	const seconds = Math.round((performance.now() - startedAt) / 1000);
	const command = `npm run bench --${quick ? " --quick" : ""} --only ${name}`;
	const date = new Date().toISOString();
	const result = { date, commit: currentCommit(), command, machine, seconds, data };
	for (const table of tables(data)) {
		const title = quick ? `QUICK, these are no figures: ${table.title}` : table.title;
		printTable({ ...table, title });
	}
	saveResult(name, result, isPublished);
	saveCharts(charts(data), isPublished);
	if (isPublished) document(name, documented(data), charts(data), result);
	console.log(`\n${name}: ${seconds} s`);
}
