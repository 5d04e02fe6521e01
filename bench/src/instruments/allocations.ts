import { GCProfiler, getHeapStatistics } from "node:v8";

/**
 * Bytes that V8 allocates on its heap while the calls run, per call: how much the heap grew, and what
 * each garbage collection meanwhile freed. Node 20 has no counter for it. Buffers outside of the heap
 * are not counted.
 */
export async function allocatedPerCall(calls: (() => Promise<void>)[]): Promise<number> {
	globalThis.gc?.();
	const profiler = new GCProfiler();
	profiler.start();
	const before = getHeapStatistics().used_heap_size;
	for (const call of calls) await call();
	const grown = getHeapStatistics().used_heap_size - before;
	const freed = profiler
		.stop()
		.statistics.map(
			({ beforeGC, afterGC }) =>
				beforeGC.heapStatistics.usedHeapSize - afterGC.heapStatistics.usedHeapSize,
		);
	return (grown + freed.reduce((sum, bytes) => sum + bytes, 0)) / calls.length;
}
