import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { formatTime } from "../../format";
import { EmptyState, ErrorState, Skeleton } from "../../ui/feedback";
import { Card, PageHeader } from "../../ui/layout";
import { useApi } from "../api/context";
import { describeAction, describeActor, EventSubject, EventTenant } from "../audit/audit-columns";
import { titleOf } from "../product";
import { DayChart, Figure } from "./charts";

export function OverviewPage() {
	const { overviewQuery } = useApi();
	const query = useQuery(overviewQuery);
	const { data, error, refetch } = query;
	const countsOf = (what: "signIns" | "failures" | "signUps") =>
		data?.days.map((counts) => ({ day: counts.day, count: counts[what] })) ?? [];
	return (
		<div className="stack">
			<title>{titleOf("Overview")}</title>
			<PageHeader title="Overview" focus={false} />
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
					<div className="charts" aria-busy={!data || undefined}>
						{data ? (
							<>
								<DayChart title="Sign-ins" color="accent" days={countsOf("signIns")} />
								<DayChart title="Failed sign-ins" color="danger" days={countsOf("failures")} />
								<DayChart title="Sign-ups" color="accent" days={countsOf("signUps")} />
							</>
						) : (
							<Skeleton kind="block" />
						)}
					</div>
				</>
			)}
			<Card title="Recent events" actions={<Link to="/audit">View all</Link>}>
				<RecentEvents />
			</Card>
		</div>
	);
}

function RecentEvents() {
	const { auditQuery } = useApi();
	const { data, error, refetch } = useQuery(auditQuery({ limit: 6, offset: 0, total: "none" }));
	if (error) return <ErrorState error={error} onRetry={refetch} />;
	if (!data) return <Skeleton kind="block" />;
	if (data.items.length === 0) return <EmptyState title="No events yet" />;
	return (
		<ul className="items">
			{data.items.map((event) => (
				<li key={event.id}>
					<span>
						{describeAction(event.action)}: <EventTenant event={event} />
						<EventSubject event={event} />
					</span>
					<span className="muted small">
						{event.actorEmail ?? describeActor(event.actor.kind)} · {formatTime(event.createdAt)}
					</span>
				</li>
			))}
		</ul>
	);
}
