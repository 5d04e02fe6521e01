import { useQuery } from "@tanstack/react-query";
import { useSearchParams } from "react-router";
import { ErrorState, Skeleton } from "../../ui/feedback";
import { Select } from "../../ui/fields";
import { useApi } from "../api/context";
import { RecentEvents } from "../audit/RecentEvents";
import { ServicePageHeader } from "../ServicePageHeader";
import { MissingMailNotice } from "../service/MissingMailNotice";
import { useMay } from "../session/operator";
import { DayChart, Figure, sumOf } from "./charts";
import { HealthCard } from "./HealthCard";
import { ACTIVITY_HASH, MAX_ACTIVITY_DAYS, TenantActivity } from "./TenantActivity";

const DEFAULT_RANGE = 30;
const RANGES = [7, DEFAULT_RANGE, 90];

type Day = { day: string };

/** Only a day of which tenants have figures. Before the days are known, any day. */
function readDay(text: string | null, days: Day[] | undefined): string | null {
	if (!days) return text && /^\d{4}-\d{2}-\d{2}$/.test(text) ? text : null;
	return days.slice(-MAX_ACTIVITY_DAYS).some(({ day }) => day === text) ? text : null;
}

/** Shows the tenants of one day, or of all days. */
function toTenants(
	{ since, until }: { since: string; until: string },
	all: Day[],
	range: number,
): string | null {
	const path = `/?days=${range}`;
	if (since !== until) return `${path}${ACTIVITY_HASH}`;
	return readDay(since, all) && `${path}&day=${since}${ACTIVITY_HASH}`;
}

export function OverviewPage() {
	const { overviewQuery } = useApi();
	const query = useQuery(overviewQuery);
	const may = useMay();
	const { data, error, refetch } = query;
	const [params, setParams] = useSearchParams();
	const range = RANGES.find((days) => String(days) === params.get("days")) ?? DEFAULT_RANGE;
	const day = readDay(params.get("day"), data?.days);
	const chart = (title: string, what: "signIns" | "failures" | "signUps") => {
		const all = data?.days.map((counts) => ({ day: counts.day, count: counts[what] })) ?? [];
		return (
			<DayChart
				title={title}
				color={what === "failures" ? "danger" : "accent"}
				days={all.slice(-range)}
				before={sumOf(all.slice(-2 * range, -range))}
				// No tenant has figures of sign-ups.
				{...(what === "signUps" ? {} : { linkTo: (period) => toTenants(period, all, range) })}
			/>
		);
	};
	return (
		<div className="stack">
			<ServicePageHeader title="Overview" />
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
			<TenantActivity days={range} day={day} allDays={`/?days=${range}`} />
			<HealthCard />
			{may("audit:list") && <RecentEvents all="/audit" />}
		</div>
	);
}
