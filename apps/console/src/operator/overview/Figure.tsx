import type { UseQueryResult } from "@tanstack/react-query";
import { Link } from "react-router";
import { Skeleton } from "../../ui/Skeleton";
import { formatCount } from "../format/number";

type FigureProps<Data> = {
	title: string;
	query: UseQueryResult<Data>;
	count: (data: Data) => number;
	/** Where what is counted is listed. */
	to?: string;
};

/** One number, and what it counts. */
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
