import { useQuery } from "@tanstack/react-query";
import { Link, useSearchParams } from "react-router";
import { formatTime } from "../../format";
import { EmptyState, ErrorState, Skeleton } from "../../ui/feedback";
import { Select } from "../../ui/fields";
import { Card, PageHeader } from "../../ui/layout";
import { useApi } from "../api/context";
import { describeAction, describeActor, EventSubject, EventTenant } from "../audit/audit-columns";
import { titleOf } from "../product";
import { MissingMailNotice } from "../service/MissingMailNotice";
import { useMay } from "../session/operator";
import { DayChart, Figure } from "./charts";

const DEFAULT_RANGE = 30;
const RANGES = [7, DEFAULT_RANGE, 90];

export function OverviewPage() {
	const { overviewQuery } = useApi();
	const query = useQuery(overviewQuery);
	const may = useMay();
	const { data, error, refetch } = query;
	const [params, setParams] = useSearchParams();
	const range = RANGES.find((days) => String(days) === params.get("days")) ?? DEFAULT_RANGE;
	const chart = (title: string, what: "signIns" | "failures" | "signUps") => {
		const all = data?.days.map((counts) => ({ day: counts.day, count: counts[what] })) ?? [];
		return (
			<DayChart
				title={title}
				color={what === "failures" ? "danger" : "accent"}
				days={all.slice(-range)}
				before={all.slice(-2 * range, -range)}
			/>
		);
	};
	return (
		<div className="stack">
			<title>{titleOf("Overview")}</title>
			<PageHeader title="Overview" focus={false} />
			<MissingMailNotice />
			{error && !data ? (
				<ErrorState error={error} onRetry={refetch} />
			) : (
				<>
					<div className="figures">
						<Figure title="Tenants" query={query} count={({ tenants }) => tenants} to="/tenants" />
						<Figure title="Users" query={query} count={({ users }) => users} />
						<Figure
							title="Sign-ins today"
							query={query}
							count={({ days }) => days.at(-1)?.signIns ?? 0}
						/>
						<Figure
							title="Failed sign-ins today"
							query={query}
							count={({ days }) => days.at(-1)?.failures ?? 0}
						/>
					</div>
					<div className="charts-head">
						<h2>Activity</h2>
						<Select
							label="Period"
							options={RANGES.map((days) => ({ value: String(days), label: `${days} days` }))}
							value={String(range)}
							onValueChange={(days) => setParams({ days }, { replace: true })}
						/>
					</div>
					<div className="charts" aria-busy={!data || undefined}>
						{data ? (
							<>
								{chart("Sign-ins", "signIns")}
								{chart("Failed sign-ins", "failures")}
								{chart("Sign-ups", "signUps")}
							</>
						) : (
							<Skeleton kind="block" />
						)}
					</div>
				</>
			)}
			{may("audit:list") && (
				<Card title="Recent events" actions={<Link to="/audit">View all</Link>}>
					<RecentEvents />
				</Card>
			)}
		</div>
	);
}

function RecentEvents() {
	const { auditQuery } = useApi();
	const { data, error, refetch } = useQuery(auditQuery({ limit: 6, offset: 0, total: "none" }));
	if (error && !data) return <ErrorState error={error} onRetry={refetch} />;
	if (!data) {
		return (
			<div aria-busy="true">
				<Skeleton kind="block" />
			</div>
		);
	}
	if (data.items.length === 0) return <EmptyState title="No events yet" />;
	return (
		<ul className="items">
			{data.items.map((event) => (
				<li key={event.id}>
					<span>
						{describeAction(event.action)}
						{event.tenantId !== null && ": "}
						{event.tenantId !== null && <EventTenant event={event} />}
						<EventSubject event={event} />
					</span>
					<span className="muted small">
						{event.actorEmail ?? event.actor.name ?? describeActor(event.actor.kind)} ·{" "}
						{formatTime(event.createdAt)}
					</span>
				</li>
			))}
		</ul>
	);
}
