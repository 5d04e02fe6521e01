import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { describeDevice } from "../../device";
import { formatCount } from "../../format";
import { Button } from "../../ui/Button";
import { Badge, EmptyState } from "../../ui/feedback";
import { Select } from "../../ui/fields";
import { SearchBox } from "../../ui/lists";
import type { Column } from "../../ui/Table";
import { useApi } from "../api/context";
import type { SignIn, SignInFilters } from "../api/sign-ins";
import { TenantPageHeader } from "../current-tenant/TenantPageHeader";
import { useMayInTenant, useTenant, useTenantHome } from "../current-tenant/tenant-context";
import { Email, Time } from "../details";
import { DataList } from "../lists/DataList";
import { FilterPicker } from "../lists/FilterPicker";
import { type ListState, useListState } from "../lists/list-state";
import { PeriodFilter } from "../lists/PeriodFilter";
import { periodOf } from "../lists/period";
import { UserOptions } from "../lists/UserOptions";
import { ExportSignIns } from "./ExportSignIns";
import { describeMethod } from "./methods";
import { describeReason, REASONS } from "./reasons";

const RESULTS = {
	succeeded: { label: "Signed in", kind: "success" },
	challenged: { label: "Second factor asked", kind: "info" },
	failed: { label: "Failed", kind: "danger" },
} as const satisfies Record<SignIn["result"], object>;

const columnsOf = (home: string, canOpenUsers: boolean): Column<SignIn>[] => [
	{ title: "Time", sorted: true, cell: ({ createdAt }) => <Time timestamp={createdAt} /> },
	{
		title: "User",
		heading: true,
		cell: ({ user }) => {
			if (!user) return <span className="muted">Unknown</span>;
			if (!canOpenUsers) return <Email>{user.email}</Email>;
			return (
				<Link to={`${home}/users/${user.id}`}>
					<Email>{user.email}</Email>
				</Link>
			);
		},
	},
	{
		title: "Result",
		cell: ({ result, attempts }) => (
			<span>
				<Badge kind={RESULTS[result].kind}>{RESULTS[result].label}</Badge>
				{attempts > 1 && <span className="small muted"> × {formatCount(attempts)}</span>}
			</span>
		),
	},
	{
		title: "Reason",
		cell: ({ reason }) =>
			reason ? (
				<span title={reason}>{describeReason(reason)}</span>
			) : (
				<span className="muted">–</span>
			),
	},
	{
		title: "Method",
		cell: (signIn) => describeMethod(signIn) ?? "–",
	},
	{
		title: "From",
		cell: ({ ipAddress, userAgent }) => (
			<span className="time">
				<code>{ipAddress ?? "–"}</code>
				<span className="muted small subtext" title={userAgent ?? undefined}>
					{describeDevice(userAgent)}
				</span>
			</span>
		),
	},
];

/** Shows why a user cannot sign in. */
export function SignInsTab() {
	const { signInsQuery } = useApi();
	const tenant = useTenant();
	const home = useTenantHome();
	const state = useListState();
	const may = useMayInTenant();
	const filters = readFilters(state);
	const query = useQuery(signInsQuery(tenant.id, { ...state.pageParams, ...filters }));
	const totalQuery = useQuery(signInsQuery(tenant.id, { ...state.totalParams, ...filters }));
	const isFiltered = Object.keys(filters).length > 0;
	const clear = <Button onClick={() => state.clearFilters(FILTERS)}>Clear filters</Button>;
	return (
		<div className="stack">
			<TenantPageHeader title="Sign-ins" />
			<DataList
				what="sign-ins"
				caption={`Sign-ins of ${tenant.name}`}
				query={query}
				totalQuery={totalQuery}
				state={state}
				columns={columnsOf(home, may("user:get"))}
				rowKey={({ id }) => id}
				rowName={({ user }) => user?.email ?? "unknown user"}
				filters={<Filters state={state} tenantId={tenant.id} signIns={query.data?.items ?? []} />}
				actions={
					<>
						{isFiltered && clear}
						<ExportSignIns filters={filters} order={state.order} />
					</>
				}
				empty={
					<EmptyState title="No sign-ins yet">
						Every sign-in is recorded here, with the reason if it failed.
					</EmptyState>
				}
				noMatches={isFiltered && <EmptyState title="No sign-ins match these filters" />}
			/>
		</div>
	);
}

type FiltersProps = { state: ListState; tenantId: string; signIns: SignIn[] };

const optionsOf = (all: string, labels: Record<string, string>) => [
	{ value: "", label: all },
	...Object.entries(labels).map(([value, label]) => ({ value, label })),
];

const RESULT_OPTIONS = optionsOf("All results", {
	succeeded: RESULTS.succeeded.label,
	challenged: RESULTS.challenged.label,
	failed: RESULTS.failed.label,
});

const REASON_OPTIONS = optionsOf("All reasons", REASONS);

function Filters({ state, tenantId, signIns }: FiltersProps) {
	const may = useMayInTenant();
	const userId = state.filter("user") || null;
	return (
		<div className="filters">
			{may("user:list") && (
				<FilterPicker
					label="User"
					chosen={
						userId && (signIns.find(({ user }) => user?.id === userId)?.user?.email ?? userId)
					}
					onChoose={({ id }) => state.setFilter("user", id)}
					onClear={() => state.setFilter("user", "")}
				>
					{(choose) => <UserOptions tenantId={tenantId} onChoose={choose} />}
				</FilterPicker>
			)}
			<SearchBox
				label="Email entered"
				labeled
				placeholder="Exact email"
				value={state.filter("email")}
				onSearch={(email) => state.setFilter("email", email.trim())}
			/>
			<Select
				label="Result"
				options={RESULT_OPTIONS}
				value={state.filter("result")}
				onValueChange={(result) => state.setFilter("result", result)}
			/>
			<Select
				label="Reason"
				options={REASON_OPTIONS}
				value={state.filter("reason")}
				onValueChange={(reason) => state.setFilter("reason", reason)}
			/>
			<PeriodFilter state={state} />
		</div>
	);
}

/** The names in the URL. */
const FILTERS = ["user", "email", "result", "reason", "since", "until"] as const;

function readFilters({ filter }: ListState): SignInFilters {
	const [userId, email, reason] = [filter("user"), filter("email"), filter("reason")];
	const result = filter("result");
	return {
		...(userId ? { userId } : {}),
		...(email ? { email } : {}),
		...(isResult(result) ? { result } : {}),
		...(reason ? { reason } : {}),
		...periodOf(filter),
	};
}

const isResult = (text: string): text is SignIn["result"] => Object.hasOwn(RESULTS, text);
