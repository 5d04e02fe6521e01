import { useQueries } from "@tanstack/react-query";
import { ErrorState, Skeleton } from "../../ui/feedback";
import { useApi } from "../api/context";
import type { SignInFilters } from "../api/sign-ins";
import { lastDays, periodOf } from "../lists/period";
import { DayChart } from "../overview/charts";

const SHOWN_DAYS = 7;

/** Only the total is needed. */
const COUNTED = { limit: 1, offset: 0 };

type Result = NonNullable<SignInFilters["result"]>;

/** The sign-ins of the last days. Each bar leads to the sign-ins that it counts. */
export function SignInActivity({ tenantId }: { tenantId: string }) {
	return (
		<div className="charts">
			<ResultChart tenantId={tenantId} result="succeeded" title="Sign-ins" />
			<ResultChart tenantId={tenantId} result="failed" title="Failed sign-ins" />
		</div>
	);
}

type ResultChartProps = { tenantId: string; result: Result; title: string };

function ResultChart({ tenantId, result, title }: ResultChartProps) {
	const { signInsQuery } = useApi();
	const all = lastDays(2 * SHOWN_DAYS);
	const days = all.slice(SHOWN_DAYS);
	const periods = [
		{ since: all[0], until: all[SHOWN_DAYS - 1] },
		...days.map((day) => ({ since: day, until: day })),
	];
	const queries = useQueries({
		queries: periods.map((period, index) => ({
			...signInsQuery(tenantId, {
				...COUNTED,
				result,
				...periodOf((name) => period[name] ?? ""),
			}),
			// Only today has new ones. Yesterday may have been read while it was today.
			...(index < periods.length - 2 ? { staleTime: Number.POSITIVE_INFINITY } : {}),
		})),
	});
	const failed = queries.filter(({ data, error }) => error && !data);
	const [first] = failed;
	if (first?.error) {
		return (
			<ErrorState
				error={first.error}
				onRetry={() => {
					for (const { refetch } of failed) void refetch();
				}}
			/>
		);
	}
	const counts = queries.flatMap(({ data }) => (data ? [data.total] : []));
	if (counts.length < queries.length) {
		return (
			<div aria-busy="true">
				<Skeleton kind="block" />
			</div>
		);
	}
	const [before = 0, ...ofDays] = counts;
	return (
		<DayChart
			title={title}
			color={result === "failed" ? "danger" : "accent"}
			days={days.map((day, index) => ({ day, count: ofDays[index] ?? 0 }))}
			before={before}
			linkTo={({ since, until }) => `sign-ins?${new URLSearchParams({ result, since, until })}`}
		/>
	);
}
