import { setTimeout as sleep } from "node:timers/promises";
import type { ServiceUnderLoad } from "./service-under-load";

export type MemorySample = { second: number; heapMB: number; rssMB: number };

/** How often, and how long until the signal to collect has been heard. */
const samplesPerRun = 30;
const collectionMs = 100;

/** What the service holds, through the run: the heap right after a collection. */
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
		await pause(collectionMs);
		const text = await (await fetch(`${service.url}/metrics`)).text();
		samples.push({
			second: Math.round((Date.now() - startedAt) / 1000),
			heapMB: megabytes(text, "nodejs_heap_size_used_bytes"),
			rssMB: megabytes(text, "process_resident_memory_bytes"),
		});
		await pause((seconds * 1000) / samplesPerRun);
	}
	return samples;
}

function megabytes(metrics: string, name: string): number {
	const value = new RegExp(`^${name} (\\S+)$`, "m").exec(metrics)?.[1];
	return Number(value) / 1024 / 1024;
}

/** Shorter runs end before everything has been used once, and tell nothing. */
const leastSeconds = 120;

/**
 * Whether memory grew: the median of the last third of the run against that of the second. The first
 * third is for filling pools, caches and compiled code. The heap, just collected, may differ by 5 % and
 * 2 MB; what the process has of the system, which is fragmented and given back late, by 10 % and 16 MB.
 *
 * @returns a sentence for each that did; `null` where the run was too short to tell
 */
export function growthOf(samples: MemorySample[], seconds: number): string[] | null {
	if (seconds < leastSeconds) return null;
	const third = Math.floor(samples.length / 3);
	const medians = (pick: (sample: MemorySample) => number) => [
		median(samples.slice(third, 2 * third).map(pick)),
		median(samples.slice(2 * third).map(pick)),
	];
	const judge = (what: string, [before = 0, after = 0]: number[], part: number, slack: number) =>
		after > before * (1 + part) + slack
			? [`${what} grew from ${before.toFixed(1)} to ${after.toFixed(1)} MB`]
			: [];
	return [
		...judge(
			"the heap",
			medians(({ heapMB }) => heapMB),
			0.05,
			2,
		),
		...judge(
			"the process",
			medians(({ rssMB }) => rssMB),
			0.1,
			16,
		),
	];
}

function median(values: number[]): number {
	return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
