export interface MemoryWatch {
	/** In MB, garbage collected. */
	heapBefore: number;
	heapAtMost: number;
	residentBefore: number;
	residentAtMost: number;
}

/** Looks at the process's memory now and then, until it is stopped. */
export function watchMemory(everyMs: number) {
	const before = sample();
	let [heapAtMost, residentAtMost] = [before.heap, before.resident];
	const look = () => {
		const { heap, resident } = sample();
		heapAtMost = Math.max(heapAtMost, heap);
		residentAtMost = Math.max(residentAtMost, resident);
	};
	const timer = setInterval(look, everyMs);
	return {
		stop(): MemoryWatch {
			clearInterval(timer);
			look();
			const { heap: heapBefore, resident: residentBefore } = before;
			return { heapBefore, heapAtMost, residentBefore, residentAtMost };
		},
	};
}

function sample() {
	globalThis.gc?.();
	const { heapUsed, rss } = process.memoryUsage();
	return { heap: megabytes(heapUsed), resident: megabytes(rss) };
}

const megabytes = (bytes: number) => Math.round((bytes / 1024 / 1024) * 10) / 10;
