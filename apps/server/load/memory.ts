import { setTimeout as sleep } from "node:timers/promises";
import type { ServiceUnderLoad } from "./service-under-load";

export type MemorySample = { second: number; heapMB: number; rssMB: number };

const SAMPLES_PER_RUN = 30;
/** How long the garbage collection takes after its signal. */
const COLLECTION_MS = 100;

/** Samples the memory of the service during the run, each time after a garbage collection. */
export async function watchMemory(
	service: Pick<ServiceUnderLoad, "url" | "collectGarbage">,
	seconds: number,
	signal: AbortSignal,
): Promise<MemorySample[]> {
	const startedAt = Date.now();
	const samples: MemorySample[] = [];
	const pause = (ms: number) => sleep(ms, null, { signal }).catch(() => {});
	while (!signal.aborted) {
		service.collectGarbage();
		await pause(COLLECTION_MS);
		const text = await (await fetch(`${service.url}/metrics`)).text();
		samples.push({
			second: Math.round((Date.now() - startedAt) / 1000),
			heapMB: megabytes(text, "nodejs_heap_size_used_bytes"),
			rssMB: megabytes(text, "process_resident_memory_bytes"),
		});
		await pause((seconds * 1000) / SAMPLES_PER_RUN);
	}
	return samples;
}

function megabytes(metrics: string, name: string): number {
	const value = new RegExp(`^${name} (\\S+)$`, "m").exec(metrics)?.[1];
	return Number(value) / 1024 / 1024;
}

/** In shorter runs not all code has run, so the result would mean nothing. */
const MIN_SECONDS = 120;

/** The process gets a larger tolerance: its memory is fragmented, and it returns memory late. */
const tolerances = [
	{ name: "the heap", value: "heapMB", percent: 5, megabytes: 2 },
	{ name: "the process", value: "rssMB", percent: 10, megabytes: 16 },
] as const;

/**
 * Compares the median of the last third of the run with the median of the second. The first third
 * fills pools and compiles code. All tenants were visited before.
 *
 * @returns a sentence for each value that grew; `null` if the run was too short
 */
export function findGrowth(samples: MemorySample[], seconds: number): string[] | null {
	if (seconds < MIN_SECONDS) return null;
	const third = Math.floor(samples.length / 3);
	return tolerances.flatMap(({ name, value, percent, megabytes }) => {
		const values = samples.map((sample) => sample[value]);
		const before = median(values.slice(third, 2 * third));
		const after = median(values.slice(2 * third));
		if (after <= before * (1 + percent / 100) + megabytes) return [];
		return [`${name} grew from ${before.toFixed(1)} to ${after.toFixed(1)} MB`];
	});
}

function median(values: number[]): number {
	return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
