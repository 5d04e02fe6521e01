import { NAMES } from "../../host/database";
import type { Table } from "../../setup/measurement";
import { type Cost, type SpeedFigure, verdict } from "./speed-figure";
import { VARIANT_NAMES, type VariantName } from "./variants";

/** One line for each operation: what it costs in each variant, and whether the goal is met. */
export function ratioTable(figures: SpeedFigure[]): Table {
	return {
		title: "CPU µs per call (20th percentile), and how many times as fast ours is as plain",
		columns: [
			"database",
			"operation",
			...VARIANT_NAMES,
			"ours/plain (CPU)",
			"ours/plain (time)",
			"goal",
		],
		rows: figures.map((figure) => [
			NAMES[figure.database],
			figure.operation,
			...VARIANT_NAMES.map((name) => microseconds(figure.costs[name]?.cpu.p20)),
			figure.times.cpu.toFixed(2),
			figure.times.time.median.toFixed(2),
			verdict(figure),
		]),
	};
}

/** One line for each operation and variant: everything that was measured. */
export function costTable(figures: SpeedFigure[]): Table {
	return {
		title: "Cost of a call, everything",
		columns: [
			"database",
			"operation",
			"variant",
			"time µs",
			"half of all rounds",
			"CPU µs, 20 %",
			"CPU µs, median",
			"statements",
			"KB allocated",
		],
		rows: figures.flatMap(({ database, operation, costs }) =>
			(Object.entries(costs) as [VariantName, Cost][]).map(([name, cost]) => [
				NAMES[database],
				operation,
				name,
				microseconds(cost.time.median),
				`${microseconds(cost.time.q1)} – ${microseconds(cost.time.q3)}`,
				microseconds(cost.cpu.p20),
				microseconds(cost.cpu.median),
				cost.statements ?? "",
				cost.allocated === undefined ? "" : Math.round(cost.allocated / 1024),
			]),
		),
	};
}

const microseconds = (value: number | undefined) => (value === undefined ? "" : Math.round(value));
