import type { LoadReport } from "./load";
import type { MemorySample } from "./memory";

/** One sentence for each problem. */
export function problemsOf({ errors, leaks, growth, warnings }: LoadReport): string[] {
	const failed = [...errors.values()].reduce((sum, count) => sum + count, 0);
	return [
		...(failed > 0 ? [`${failed} requests failed`] : []),
		...(leaks > 0 ? [`${leaks} responses were from another tenant`] : []),
		...(growth ?? []),
		...(warnings.length > 0 ? [`the service logged ${warnings.length} warnings or errors`] : []),
	];
}

export function describe(report: LoadReport): string {
	const { seconds, durations, errors, leaks, memory, growth, warnings } = report;
	const total = [...durations.values()].reduce((sum, list) => sum + list.length, 0);
	const problems = problemsOf(report);
	return [
		`${total} requests in ${seconds.toFixed(0)} s, ${(total / seconds).toFixed(1)} per second`,
		"",
		"operation               requests    p50 ms    p99 ms    max ms",
		...[...durations].map(([name, list]) => operationLine(name, list)),
		"",
		`${leaks} responses from another tenant`,
		...[...errors].map(([kind, count]) => `${count} × ${kind}`),
		...warnings.slice(0, 10),
		"",
		"second   heap MB    process MB",
		...memory.map(
			({ second, heapMB, rssMB }) => `${pad(second, 6)}${pad(heapMB, 10, 1)}${pad(rssMB, 14, 1)}`,
		),
		`heap ${slope(memory, "heapMB")} MB per minute, process ${slope(memory, "rssMB")}, in the last two thirds`,
		...(growth ? [] : ["(the run was too short to check for memory growth)"]),
		"",
		problems.length === 0 ? "No problems." : `Problems: ${problems.join("; ")}.`,
	].join("\n");
}

function operationLine(name: string, durations: number[]): string {
	const sorted = durations.toSorted((a, b) => a - b);
	const at = (part: number) => sorted[Math.floor(part * (sorted.length - 1))] ?? 0;
	const times = [0.5, 0.99, 1].map((part) => pad(at(part), 10, 1)).join("");
	return `${name.padEnd(22)}${pad(sorted.length, 10)}${times}`;
}

/** The line through the samples after the warm-up. */
function slope(memory: MemorySample[], value: "heapMB" | "rssMB"): string {
	const samples = memory.slice(Math.floor(memory.length / 3));
	const mean = (of: (sample: MemorySample) => number) =>
		samples.reduce((sum, sample) => sum + of(sample), 0) / samples.length;
	const [x, y] = [mean(({ second }) => second), mean((sample) => sample[value])];
	const rise = mean((sample) => (sample.second - x) * (sample[value] - y));
	const spread = mean(({ second }) => (second - x) ** 2);
	const perMinute = spread > 0 ? (60 * rise) / spread : 0;
	return `${perMinute >= 0 ? "+" : ""}${perMinute.toFixed(2)}`;
}

const pad = (value: number, width: number, digits = 0) => value.toFixed(digits).padStart(width);
