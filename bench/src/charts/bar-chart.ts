import type { Spread } from "../instruments/statistics";
import { COLORS, frame, line, round, text, ticks, WIDTH } from "./frame";

interface Bar extends Spread {
	group: string;
	series: string;
}

interface BarChart {
	title: string;
	bars: Bar[];
	goal: { value: number; label: string };
}

const LEFT = 190;
const RIGHT = WIDTH - 70;
const TOP = 62;
const THICK = 14;

/** Bars from left to right, with the spread on each. */
export function barChart({ title, bars, goal }: BarChart): string {
	const groups = [...new Set(bars.map(({ group }) => group))];
	const series = [...new Set(bars.map((bar) => bar.series))];
	const rowHeight = series.length * (THICK + 2) + 14;
	const bottom = TOP + groups.length * rowHeight;
	const marks = ticks(0, Math.max(goal.value, ...bars.map(({ q3 }) => q3)));
	const scale = (value: number) => LEFT + (value / (marks.at(-1) ?? 1)) * (RIGHT - LEFT);

	const drawBar = ({ group, series: name, median, q1, q3 }: Bar) => {
		const index = series.indexOf(name);
		const y = TOP + groups.indexOf(group) * rowHeight + index * (THICK + 2);
		const middle = y + THICK / 2;
		return [
			`<rect x="${LEFT}" y="${y}" width="${round(scale(median) - LEFT)}" height="${THICK}" fill="${COLORS[index]}"/>`,
			line(scale(q1), middle, scale(q3), middle, "whisker"),
			text(Math.max(scale(median), scale(q3)) + 6, y + THICK - 3, median.toFixed(2), {
				kind: "small",
			}),
		].join("");
	};
	return frame(title, bottom + 34, [
		...series.map(
			(name, index) =>
				`<rect x="${LEFT + index * 120}" y="34" width="12" height="12" fill="${COLORS[index]}"/>${text(LEFT + index * 120 + 18, 45, name)}`,
		),
		...marks.map(
			(mark) =>
				line(scale(mark), TOP - 6, scale(mark), bottom, "grid") +
				text(scale(mark), bottom + 16, String(mark), { anchor: "middle", kind: "small" }),
		),
		...groups.map((group, index) =>
			text(LEFT - 10, TOP + index * rowHeight + (rowHeight - 14) / 2 + 4, group, { anchor: "end" }),
		),
		...bars.map(drawBar),
		line(scale(goal.value), TOP - 6, scale(goal.value), bottom, "limit"),
		text(scale(goal.value), bottom + 30, goal.label, { anchor: "middle", kind: "limit-text" }),
	]);
}
