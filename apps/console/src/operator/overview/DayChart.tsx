import { useId } from "react";
import { formatShortDay } from "../format/moment";
import { formatCount } from "../format/number";

type DayChartProps = {
	/** What is counted. */
	title: string;
	tone: "accent" | "danger";
	days: { day: string; count: number }[];
};

const WIDTH = 320;
const HEIGHT = 96;
const GAP = 2;

/** Bars of a count per day. Whoever does not see them has the same numbers in a table. */
export function DayChart({ title, tone, days }: DayChartProps) {
	const titleId = useId();
	const most = Math.max(1, ...days.map(({ count }) => count));
	const total = days.reduce((sum, { count }) => sum + count, 0);
	const step = WIDTH / Math.max(1, days.length);
	return (
		<figure className="day-chart" data-tone={tone} aria-labelledby={titleId}>
			<figcaption>
				<span id={titleId}>{title}</span>
				<span className="muted small">
					{formatCount(total)} in {days.length} days
				</span>
			</figcaption>
			<svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
				<line x1="0" x2={WIDTH} y1={HEIGHT - 0.5} y2={HEIGHT - 0.5} className="day-chart-base" />
				{days.map(({ day, count }, index) => {
					const height = count === 0 ? 0 : Math.max(2, (count / most) * (HEIGHT - 4));
					return (
						<g key={day}>
							<title>{`${formatShortDay(day)}: ${formatCount(count)}`}</title>
							{/* The whole column, so that a low bar can be pointed at. */}
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
			<div className="day-chart-axis" aria-hidden="true">
				<span>{days[0] ? formatShortDay(days[0].day) : ""}</span>
				<span>{days.length > 1 ? formatShortDay(days.at(-1)?.day ?? "") : ""}</span>
			</div>
			<details>
				<summary className="day-chart-more">
					Numbers<span className="visually-hidden"> of {title}</span>
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
								<th scope="row">{formatShortDay(day)}</th>
								<td>{formatCount(count)}</td>
							</tr>
						))}
					</tbody>
				</table>
			</details>
		</figure>
	);
}
