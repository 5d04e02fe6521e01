import { lineChart } from "./charts/line-chart";
import { openHost } from "./contestants";
import { largestOf } from "./measure-scale";
import type { Measurement } from "./measurement";
import { perform, tenantOperations } from "./operations";

export interface MemoryFigures {
	tenants: number;
	/** After garbage was collected, in bytes: the first once the code is warm. */
	samples: { tenants: number; heap: number; resident: number }[];
	/** Of the heap, from the first sample to the last. */
	growth: number;
}

const GOAL = 32 * 1024 * 1024;
const SAMPLES = 20;

/** One process signs a user in and begins a social sign-in in each tenant in turn. */
export const memory: Measurement<MemoryFigures> = {
	name: "memory",
	async measure(run) {
		const population = largestOf(run);
		const { tenants } = population;
		const host = await openHost(await run.scratch.seeded("sqlite", population), {
			subject: "tenant",
		});
		const operations = tenantOperations(host, population);
		const touch = async (tenant: number) => {
			await perform(host, await operations["sign-in"](tenant));
			await perform(host, await operations["social start"](tenant));
		};
		for (let call = 0; call < Math.min(300, tenants); call += 1) await touch(0);
		const samples = [sample(0)];
		for (let tenant = 0; tenant < tenants; tenant += 1) {
			await touch(tenant);
			if ((tenant + 1) % Math.ceil(tenants / SAMPLES) === 0) samples.push(sample(tenant + 1));
		}
		await host.close();
		return { tenants, samples, growth: (samples.at(-1)?.heap ?? 0) - (samples[0]?.heap ?? 0) };
	},
	tables: ({ samples, growth }) => [
		{
			title: `Heap, garbage collected: ${megabytes(growth)} MB more (goal: less than ${megabytes(GOAL)})${growth < GOAL ? "" : " MISSED"}`,
			columns: ["tenants touched", "heap MB", "resident MB"],
			rows: samples.map((it) => [it.tenants, megabytes(it.heap), megabytes(it.resident)]),
		},
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

function sample(tenants: number) {
	globalThis.gc?.();
	globalThis.gc?.();
	const { heapUsed, rss } = process.memoryUsage();
	return { tenants, heap: heapUsed, resident: rss };
}

const megabytes = (bytes: number) => (bytes / 1024 / 1024).toFixed(1);
