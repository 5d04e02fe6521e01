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
	/** The count of as many days before them, to compare. */
	before: number;
	/** Leads to what was counted on these days. `null` if there is no such page. */
	linkTo?: (period: { since: string; until: string }) => string | null;
};

type DayCount = { day: string; count: number };

export const sumOf = (days: DayCount[]) => days.reduce((sum, { count }) => sum + count, 0);

const WIDTH = 320;
const HEIGHT = 96;
const GAP = 2;

/** One bar per day. A table has the same numbers for screen readers. */
export function DayChart({ title, color, days, before, linkTo }: DayChartProps) {
	const titleId = useId();
	const total = sumOf(days);
	const [first, last] = [days[0]?.day ?? "", days.at(-1)?.day ?? ""];
	const sum = `${formatCount(total)} in ${days.length} days`;
	const highest = roundUp(Math.max(1, ...days.map(({ count }) => count)));
	return (
		<figure className="day-chart" data-color={color} aria-labelledby={titleId}>
			<figcaption>
				<span id={titleId}>{title}</span>
				<span className="muted small">
					<MaybeLink to={linkTo?.({ since: first, until: last })}>{sum}</MaybeLink>
				</span>
			</figcaption>
			<p className="small muted day-chart-change">{describeChange(total, before, days.length)}</p>
			<div className="day-chart-plot">
				<div className="day-chart-scale" aria-hidden="true">
					<span>{formatCount(highest)}</span>
					<span>{highest > 1 ? formatCount(highest / 2) : ""}</span>
					<span>{formatCount(0)}</span>
				</div>
				<Bars days={days} highest={highest} linkTo={linkTo} />
			</div>
			<div className="day-chart-axis" aria-hidden="true">
				<span>{first && formatDay(first)}</span>
				<span>{days.length > 1 && formatDay(last)}</span>
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
								<td>
									<MaybeLink to={linkTo?.({ since: day, until: day })}>
										{formatCount(count)}
									</MaybeLink>
								</td>
							</tr>
						))}
					</tbody>
				</table>
			</details>
		</figure>
	);
}

type MaybeLinkProps = { to: string | null | undefined; children: string };

const MaybeLink = ({ to, children }: MaybeLinkProps) =>
	to ? <Link to={to}>{children}</Link> : children;

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

type BarsProps = {
	days: DayCount[];
	highest: number;
	linkTo: DayChartProps["linkTo"] | undefined;
};

function Bars({ days, highest, linkTo }: BarsProps) {
	const step = WIDTH / Math.max(1, days.length);
	return (
		<svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
			{[0.5, HEIGHT / 2, HEIGHT - 0.5].map((y) => (
				<line key={y} x1="0" x2={WIDTH} y1={y} y2={y} className="day-chart-base" />
			))}
			{days.map(({ day, count }, index) => {
				const height = count === 0 ? 0 : Math.max(2, (count / highest) * HEIGHT);
				const column = (
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
				const to = linkTo?.({ since: day, until: day });
				// The keyboard has the same links in the table.
				return to ? (
					<Link key={day} to={to} tabIndex={-1}>
						{column}
					</Link>
				) : (
					column
				);
			})}
		</svg>
	);
}
