import type { LoadReport } from "./load";

/** What went wrong, a sentence each. */
export function problemsOf({ errors, crossings, growth, complaints }: LoadReport): string[] {
	const failed = [...errors.values()].reduce((sum, count) => sum + count, 0);
	return [
		...(failed > 0 ? [`${failed} requests failed`] : []),
		...(crossings > 0 ? [`${crossings} answers were of another tenant`] : []),
		...(growth ?? []),
		...(complaints.length > 0 ? [`the service complained ${complaints.length} times`] : []),
	];
}

export function describe(report: LoadReport): string {
	const { seconds, durations, errors, crossings, memory, growth, complaints } = report;
	const total = [...durations.values()].reduce((sum, list) => sum + list.length, 0);
	const problems = problemsOf(report);
	return [
		`${total} requests in ${seconds.toFixed(0)} s, ${(total / seconds).toFixed(1)} a second`,
		"",
		"operation             requests    p50 ms    p99 ms    max ms",
		...[...durations].map(([name, list]) => operationLine(name, list)),
		"",
		`${crossings} answers of another tenant`,
		...[...errors].map(([what, count]) => `${count} × ${what}`),
		...complaints.slice(0, 10),
		"",
		"second   heap MB    process MB",
		...memory.map(
			({ second, heapMB, rssMB }) => `${pad(second, 6)}${pad(heapMB, 10, 1)}${pad(rssMB, 14, 1)}`,
		),
		...(growth ? [] : ["(too short a run to judge memory)"]),
		"",
		problems.length === 0 ? "Nothing went wrong." : `Wrong: ${problems.join("; ")}.`,
	].join("\n");
}

function operationLine(name: string, durations: number[]): string {
	const sorted = durations.toSorted((a, b) => a - b);
	const at = (part: number) => sorted[Math.floor(part * (sorted.length - 1))] ?? 0;
	const times = [0.5, 0.99, 1].map((part) => pad(at(part), 10, 1)).join("");
	return `${name.padEnd(20)}${pad(sorted.length, 10)}${times}`;
}

const pad = (value: number, width: number, digits = 0) => value.toFixed(digits).padStart(width);
