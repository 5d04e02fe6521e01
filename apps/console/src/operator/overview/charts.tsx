import type { UseQueryResult } from "@tanstack/react-query";
import { useId } from "react";
import { Link } from "react-router";
import { formatCount, formatDay } from "../../format";
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
	days: { day: string; count: number }[];
};

const WIDTH = 320;
const HEIGHT = 96;
const GAP = 2;

/** One bar per day. A table has the same numbers for screen readers. */
export function DayChart({ title, color, days }: DayChartProps) {
	const titleId = useId();
	const total = days.reduce((sum, { count }) => sum + count, 0);
	return (
		<figure className="day-chart" data-color={color} aria-labelledby={titleId}>
			<figcaption>
				<span id={titleId}>{title}</span>
				<span className="muted small">
					{formatCount(total)} in {days.length} days
				</span>
			</figcaption>
			<Bars days={days} />
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

function Bars({ days }: Pick<DayChartProps, "days">) {
	const highest = Math.max(1, ...days.map(({ count }) => count));
	const step = WIDTH / Math.max(1, days.length);
	return (
		<svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
			<line x1="0" x2={WIDTH} y1={HEIGHT - 0.5} y2={HEIGHT - 0.5} className="day-chart-base" />
			{days.map(({ day, count }, index) => {
				const height = count === 0 ? 0 : Math.max(2, (count / highest) * (HEIGHT - 4));
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
