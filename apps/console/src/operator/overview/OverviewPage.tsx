import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { Card } from "../../ui/Card";
import { ErrorState } from "../../ui/ErrorState";
import { PageHeader } from "../../ui/PageHeader";
import { Skeleton } from "../../ui/Skeleton";
import { getOverview } from "../api/service";
import { DayChart } from "./DayChart";
import { Figure } from "./Figure";
import { RecentEvents } from "./RecentEvents";

export function OverviewPage() {
	const query = useQuery({ queryKey: ["overview"], queryFn: getOverview, refetchInterval: 60_000 });
	const { data, error, refetch } = query;
	const days = data?.days ?? [];
	const perDay = (what: "signIns" | "failures" | "signUps") =>
		days.map((counted) => ({ day: counted.day, count: counted[what] }));
	return (
		<div className="stack">
			<title>Overview · Console</title>
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
							count={(overview) => overview.days.at(-1)?.signIns ?? 0}
						/>
						<Figure
							title="Failures today"
							query={query}
							count={(overview) => overview.days.at(-1)?.failures ?? 0}
						/>
					</div>
					<div className="charts" aria-busy={!data || undefined}>
						{data ? (
							<>
								<DayChart title="Sign-ins" tone="accent" days={perDay("signIns")} />
								<DayChart title="Failed sign-ins" tone="danger" days={perDay("failures")} />
								<DayChart title="Sign-ups" tone="accent" days={perDay("signUps")} />
							</>
						) : (
							<Skeleton kind="block" />
						)}
					</div>
				</>
			)}
			<Card title="Last changes" actions={<Link to="/audit">All of them</Link>}>
				<RecentEvents />
			</Card>
		</div>
	);
}
