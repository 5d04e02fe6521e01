import { COLORS, frame, line, round, text, ticks, WIDTH } from "./frame";

interface LineChart {
	title: string;
	/** What stands along the bottom, from left to right. */
	places: string[];
	lines: { name: string; values: number[] }[];
	/** Where the scale begins. */
	from: number;
	limit: { value: number; label: string };
}

const LEFT = 60;
const RIGHT = WIDTH - 225;
const TOP = 44;
const BOTTOM = 300;
const MAX_LABELS = 6;

export function lineChart({ title, places, lines, from, limit }: LineChart): string {
	const marks = ticks(from, Math.max(limit.value, ...lines.flatMap(({ values }) => values)));
	const max = marks.at(-1) ?? 1;
	const x = (index: number) => LEFT + (index / Math.max(1, places.length - 1)) * (RIGHT - LEFT);
	const y = (value: number) => BOTTOM - ((value - from) / (max - from)) * (BOTTOM - TOP);
	const every = Math.ceil(places.length / MAX_LABELS);

	return frame(title, BOTTOM + 40, [
		...marks.map(
			(mark) =>
				line(LEFT, y(mark), RIGHT, y(mark), "grid") +
				text(LEFT - 8, y(mark) + 4, String(mark), { anchor: "end", kind: "small" }),
		),
		...places.map((place, index) =>
			index % every === 0
				? text(x(index), BOTTOM + 18, place, { anchor: "middle", kind: "small" })
				: "",
		),
		line(LEFT, y(limit.value), RIGHT, y(limit.value), "limit"),
		text(RIGHT, y(limit.value) - 5, limit.label, { anchor: "end", kind: "limit-text" }),
		...lines.map(({ values }, index) => {
			const points = values.map((value, at) => `${round(x(at))},${round(y(value))}`).join(" ");
			return `<polyline points="${points}" fill="none" stroke="${COLORS[index]}" stroke-width="2"/>`;
		}),
		...lines.map(
			({ name }, index) =>
				`<rect x="${RIGHT + 16}" y="${TOP + index * 20 - 10}" width="12" height="12" fill="${COLORS[index]}"/>${text(RIGHT + 34, TOP + index * 20, name)}`,
		),
	]);
}
