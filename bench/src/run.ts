/**
 * Measures what the plugin costs:
 *
 *   npm run bench                        everything, half an hour or more
 *   npm run bench -- --quick             that everything works, in a minute; no figures
 *   npm run bench -- --only speed,scale
 *
 * With BENCH_POSTGRES_URL (or TEST_POSTGRES_URL), the address of a PostgreSQL server where databases
 * may be made, it measures on that one as well.
 */
import { parseArgs } from "node:util";
import { document } from "./document";
import { answerForGitlab } from "./identity-provider";
import { bytes } from "./measure-bytes";
import { erase } from "./measure-erase";
import { list } from "./measure-list";
import { memory } from "./measure-memory";
import { partitions } from "./measure-partitions";
import { plans } from "./measure-plans";
import { platform } from "./measure-platform";
import { router } from "./measure-router";
import { scale } from "./measure-scale";
import { speed } from "./measure-speed";
import { statements } from "./measure-statements";
import type { Measurement } from "./measurement";
import { passwordFlood } from "./password-flood";
import { printTable } from "./print-table";
import { currentCommit, describeMachine, saveCharts, saveResult } from "./results";
import { openScratch } from "./scratch";

const measurements = [
	statements,
	speed,
	platform,
	router,
	scale,
	plans,
	memory,
	list,
	erase,
	bytes,
	partitions,
	passwordFlood,
] as Measurement[];

const { values } = parseArgs({
	options: { quick: { type: "boolean", default: false }, only: { type: "string" } },
});
const names = values.only?.split(",") ?? measurements.map(({ name }) => name);
const unknown = names.filter((name) => !measurements.some((it) => it.name === name));
if (unknown.length > 0) throw new Error(`There is no measurement called ${unknown.join(", ")}`);
if (!globalThis.gc) throw new Error("Garbage cannot be collected: run it with npm run bench");

answerForGitlab();
const scratch = openScratch(process.env.BENCH_POSTGRES_URL || process.env.TEST_POSTGRES_URL);
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
	{ name, measure, tables, documented = tables, charts }: Measurement,
	machine: Awaited<ReturnType<typeof describeMachine>>,
): Promise<void> {
	const startedAt = performance.now();
	const data = await measure({ scratch, quick: values.quick });
	const seconds = Math.round((performance.now() - startedAt) / 1000);
	const command = `npm run bench --${values.quick ? " --quick" : ""} --only ${name}`;
	const date = new Date().toISOString();
	const result = { date, commit: currentCommit(), command, machine, seconds, data };
	saveResult(name, result, values.quick);
	if (!values.quick) document(name, documented(data), result);
	for (const table of tables(data)) printTable(table);
	saveCharts(charts?.(data) ?? {}, values.quick);
	console.log(`\n${name}: ${seconds} s`);
}
