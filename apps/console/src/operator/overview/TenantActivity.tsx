import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect, useId, useRef } from "react";
import { Link, useLocation } from "react-router";
import { formatCount, formatDay, formatMilliseconds } from "../../format";
import { EmptyState } from "../../ui/feedback";
import { Card } from "../../ui/layout";
import { type Column, Table } from "../../ui/Table";
import { useApi } from "../api/context";
import type { TenantActivity as Activity } from "../api/service";
import { Loaded } from "../lists/Loaded";
import { useMay } from "../session/operator";

/** The service keeps the figures of tenants for so many days. */
export const MAX_ACTIVITY_DAYS = 30;

/** The part of a URL that leads to it. */
export const ACTIVITY_HASH = "#tenant-activity";

type TenantActivityProps = {
	/** Ends today. */
	days: number;
	/** Only this day, in UTC. */
	day: string | null;
	/** Leads back to all days. */
	allDays: string;
};

/** The tenants that an operator looks at first, with links to their sign-ins. */
export function TenantActivity({ days, day, allDays }: TenantActivityProps) {
	const { tenantActivityQuery } = useApi();
	const shown = Math.min(days, MAX_ACTIVITY_DAYS);
	const query = useQuery(tenantActivityQuery(day ? { day } : { days: String(shown) }));
	const headingId = useId();
	const heading = useRef<HTMLHeadingElement>(null);
	const { hash, key } = useLocation();
	// biome-ignore lint/correctness/useExhaustiveDependencies: Each click of a link leads here, also of the same one.
	useEffect(() => {
		if (hash === ACTIVITY_HASH) heading.current?.focus();
	}, [hash, key]);
	return (
		<section className="stack" aria-labelledby={headingId}>
			<div className="charts-head">
				<div>
					<h2 id={headingId} ref={heading} tabIndex={-1}>
						{day ? `Tenants on ${formatDay(day)}` : `Tenants in the last ${shown} days`}
					</h2>
					<p className="muted small">Up to five of each. Days are in UTC.</p>
				</div>
				{day && (
					<Link to={allDays} className="button button-secondary button-small">
						Show all days
					</Link>
				)}
			</div>
			<Loaded query={query}>{(activity) => <Rankings activity={activity} />}</Loaded>
		</section>
	);
}

function Rankings({ activity }: { activity: Activity }) {
	const { since, until, failing, busiest, slowest } = activity;
	const may = useMay();
	const signIns = (id: string, result: string, count: number): ReactNode =>
		may("sign-in:list") && count > 0 ? (
			<Link to={`/tenants/${id}/sign-ins?${new URLSearchParams({ result, since, until })}`}>
				{formatCount(count)}
			</Link>
		) : (
			formatCount(count)
		);
	return (
		<div className="charts">
			<Ranking
				title="Most failures"
				rows={failing}
				empty="No sign-in failed."
				columns={[
					{
						title: "Failed",
						align: "end",
						cell: ({ tenant, failures }) => signIns(tenant.id, "failed", failures),
					},
					{ title: "Errors", align: "end", cell: ({ errors }) => formatCount(errors) },
				]}
			/>
			<Ranking
				title="Slowest"
				rows={slowest}
				empty="No tenant had 20 requests on a day."
				columns={[
					{
						title: "Average",
						align: "end",
						cell: ({ averageMilliseconds }) => formatMilliseconds(averageMilliseconds),
					},
					{ title: "Requests", align: "end", cell: ({ requests }) => formatCount(requests) },
				]}
			/>
			<Ranking
				title="Most sign-ins"
				rows={busiest}
				empty="Nobody signed in."
				columns={[
					{
						title: "Sign-ins",
						align: "end",
						cell: (row) => signIns(row.tenant.id, "succeeded", row.signIns),
					},
				]}
			/>
		</div>
	);
}

type RankingRow = { tenant: { id: string; name: string } };

type RankingProps<Row> = { title: string; rows: Row[]; empty: string; columns: Column<Row>[] };

function Ranking<Row extends RankingRow>({ title, rows, empty, columns }: RankingProps<Row>) {
	return (
		<Card title={title}>
			<Table
				caption={`${title}: tenants`}
				columns={[
					{
						title: "Tenant",
						heading: true,
						cell: ({ tenant }) => (
							<Link to={`/tenants/${tenant.id}`} className="break">
								{tenant.name}
							</Link>
						),
					},
					...columns,
				]}
				rows={rows}
				rowKey={({ tenant }) => tenant.id}
				empty={<EmptyState title={empty} />}
			/>
		</Card>
	);
}
