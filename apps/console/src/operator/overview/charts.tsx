import type { UseQueryResult } from "@tanstack/react-query";
import { useId } from "react";
import { Link } from "react-router";
import { formatChange, formatCount, formatDay } from "../../format";
import { Skeleton } from "../../ui/feedback";

type FigureProps<Data> = {
	title: string;
	query: UseQueryResult<Data>;
	count: (data: Data) => number;
	/** The page that lists what is counted. */
	to?: string;
};

/** One number with its title. */
export function Figure<Data>({ title, query, count, to }: FigureProps<Data>) {
	const { data, error } = query;
	return (
		<div className="figure">
			<span className="muted small">{to ? <Link to={to}>{title}</Link> : title}</span>
			<strong aria-busy={(!data && !error) || undefined}>
				{data ? formatCount(count(data)) : error ? "–" : <Skeleton kind="title" />}
			</strong>
		</div>
	);
}

type DayChartProps = {
	title: string;
	color: "accent" | "danger";
	days: DayCount[];
	/** As many days before them, to compare. */
	before: DayCount[];
};

type DayCount = { day: string; count: number };

const sumOf = (days: DayCount[]) => days.reduce((sum, { count }) => sum + count, 0);

const WIDTH = 320;
const HEIGHT = 96;
const GAP = 2;

/** One bar per day. A table has the same numbers for screen readers. */
export function DayChart({ title, color, days, before }: DayChartProps) {
	const titleId = useId();
	const total = sumOf(days);
	const highest = roundUp(Math.max(1, ...days.map(({ count }) => count)));
	return (
		<figure className="day-chart" data-color={color} aria-labelledby={titleId}>
			<figcaption>
				<span id={titleId}>{title}</span>
				<span className="muted small">
					{formatCount(total)} in {days.length} days
				</span>
			</figcaption>
			<p className="small muted day-chart-change">
				{describeChange(total, sumOf(before), days.length)}
			</p>
			<div className="day-chart-plot">
				<div className="day-chart-scale" aria-hidden="true">
					<span>{formatCount(highest)}</span>
					<span>{highest > 1 ? formatCount(highest / 2) : ""}</span>
					<span>{formatCount(0)}</span>
				</div>
				<Bars days={days} highest={highest} />
			</div>
			<div className="day-chart-axis" aria-hidden="true">
				<span>{days[0] ? formatDay(days[0].day) : ""}</span>
				<span>{days.length > 1 ? formatDay(days.at(-1)?.day ?? "") : ""}</span>
			</div>
			<details>
				<summary className="day-chart-more">
					Show numbers<span className="visually-hidden"> for {title}</span>
				</summary>
				<table>
					<thead>
						<tr>
							<th scope="col">Day</th>
							<th scope="col">{title}</th>
						</tr>
					</thead>
					<tbody>
						{days.map(({ day, count }) => (
							<tr key={day}>
								<th scope="row">{formatDay(day)}</th>
								<td>{formatCount(count)}</td>
							</tr>
						))}
					</tbody>
				</table>
			</details>
		</figure>
	);
}

/** The next number that is easy to read: 1, 2, 4, 6, 8 or 10 times a power of ten. */
export function roundUp(value: number): number {
	const power = 10 ** Math.floor(Math.log10(value));
	const step = [1, 2, 4, 6, 8, 10].find((factor) => factor * power >= value) ?? 10;
	return step * power;
}

function describeChange(total: number, before: number, days: number): string {
	if (before === 0) return `None in the ${days} days before`;
	return `${formatChange(total / before - 1)} from ${formatCount(before)} in the ${days} days before`;
}

function Bars({ days, highest }: Pick<DayChartProps, "days"> & { highest: number }) {
	const step = WIDTH / Math.max(1, days.length);
	return (
		<svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
			{[0.5, HEIGHT / 2, HEIGHT - 0.5].map((y) => (
				<line key={y} x1="0" x2={WIDTH} y1={y} y2={y} className="day-chart-base" />
			))}
			{days.map(({ day, count }, index) => {
				const height = count === 0 ? 0 : Math.max(2, (count / highest) * HEIGHT);
				return (
					<g key={day}>
						<title>{`${formatDay(day)}: ${formatCount(count)}`}</title>
						{/* Covers the whole column, so that a low bar also shows its tooltip. */}
						<rect
							className="day-chart-column"
							x={index * step}
							y={0}
							width={step}
							height={HEIGHT}
						/>
						<rect
							className="day-chart-bar"
							x={index * step + GAP / 2}
							y={HEIGHT - height}
							width={Math.max(1, step - GAP)}
							height={height}
						/>
					</g>
				);
			})}
		</svg>
	);
}
