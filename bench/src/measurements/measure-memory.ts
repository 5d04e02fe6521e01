import { lineChart } from "../charts/line-chart";
import { openHost } from "../setup/contestants";
import type { Measurement, Table } from "../setup/measurement";
import { perform, tenantOperations } from "../setup/operations";
import { largestOf } from "./measure-scale";

export interface MemoryFigures {
	tenants: number;
	/** After garbage was collected, in bytes: the first once the code is warm. */
	samples: { tenants: number; heap: number; resident: number }[];
	/** Of the heap, from the first sample to the last. */
	growth: number;
}

const GOAL = 32 * 1024 * 1024;
const SAMPLES = 20;

const TURNS = ["sign-up", "sign-in", "social start"] as const;

/** One process goes through all tenants: it signs up, signs in or begins a social sign-in, by turns. */
export const memory: Measurement<MemoryFigures> = {
	name: "memory",
	async measure(run) {
		const population = largestOf(run);
		const { tenants } = population;
		const host = await openHost(await run.scratch.seeded("sqlite", population), {
			subject: "tenant",
		});
		const operations = tenantOperations(host, population);
		const call = async (turn: number, tenant: number) => {
			const operation = TURNS[turn % TURNS.length] ?? "sign-up";
			await perform(host, await operations[operation](tenant));
		};
		for (let turn = 0; turn < Math.min(900, tenants); turn += 1) await call(turn, 0);
		const samples = [sample(0)];
		for (let tenant = 0; tenant < tenants; tenant += 1) {
			await call(tenant, tenant);
			if ((tenant + 1) % Math.ceil(tenants / SAMPLES) === 0) samples.push(sample(tenant + 1));
		}
		await host.close();
		return { tenants, samples, growth: (samples.at(-1)?.heap ?? 0) - (samples[0]?.heap ?? 0) };
	},
	tables: (data) => [tableOf(data)],
	documented: (data) => [
		tableOf({ ...data, samples: data.samples.filter((_, index) => index % 5 === 0) }),
	],
	charts: ({ samples }) => ({
		"memory.svg": lineChart({
			title: "Heap after garbage was collected, MB, by tenants touched in turn",
			places: samples.map(({ tenants }) => tenants.toLocaleString("en")),
			from: 0,
			limit: {
				value: Number(megabytes((samples[0]?.heap ?? 0) + GOAL)),
				label: "goal: 32 MB more than at the start",
			},
			lines: [{ name: "heap", values: samples.map(({ heap }) => Number(megabytes(heap))) }],
		}),
	}),
};

function tableOf({ samples, growth }: MemoryFigures): Table {
	return {
		title: `Heap, garbage collected: ${megabytes(growth)} MB more (goal: less than ${megabytes(GOAL)})${growth < GOAL ? "" : " MISSED"}`,
		columns: ["tenants touched", "heap MB", "resident MB"],
		rows: samples.map((it) => [it.tenants, megabytes(it.heap), megabytes(it.resident)]),
	};
}

function sample(tenants: number) {
	globalThis.gc?.();
	globalThis.gc?.();
	const { heapUsed, rss } = process.memoryUsage();
	return { tenants, heap: heapUsed, resident: rss };
}

const megabytes = (bytes: number) => (bytes / 1024 / 1024).toFixed(1);
