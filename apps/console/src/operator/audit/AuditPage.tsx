import { useQuery } from "@tanstack/react-query";
import { Button } from "../../ui/Button";
import { EmptyState } from "../../ui/feedback";
import { Select, TextField } from "../../ui/fields";
import { PageHeader } from "../../ui/layout";
import { SearchBox } from "../../ui/lists";
import { type AuditFilters, auditQuery } from "../api/service";
import { type ListState, ListTable, useListState } from "../lists";
import { useTenant } from "../tenants/TenantPage";
import { ACTIONS, auditColumns } from "./audit-columns";

export function AuditPage() {
	return (
		<div className="stack">
			<title>Audit log · Console</title>
			<PageHeader
				title="Audit log"
				focus={false}
				hint="All changes to tenants, their users and their providers."
			/>
			<AuditList />
		</div>
	);
}

export function AuditTab() {
	const { id } = useTenant();
	return <AuditList tenantId={id} />;
}

function AuditList({ tenantId }: { tenantId?: string }) {
	const state = useListState();
	const filters = readFilters(state.filter);
	const ofTenant = tenantId ? { tenantId } : {};
	const query = useQuery(auditQuery({ ...state.pageParams, ...filters, ...ofTenant }));
	const totalQuery = useQuery(auditQuery({ ...state.totalParams, ...filters, ...ofTenant }));
	const isFiltered = Object.keys(filters).length > 0;
	return (
		<div className="stack">
			{tenantId && <h2 className="visually-hidden">Audit log</h2>}
			<FilterBar state={state} withTenant={!tenantId} />
			<ListTable
				what="events"
				caption="Audit log"
				query={query}
				totalQuery={totalQuery}
				state={state}
				columns={auditColumns({ withTenant: !tenantId })}
				rowKey={({ id }) => id}
				empty={
					isFiltered ? (
						<EmptyState
							title="No events match these filters"
							action={<Button onClick={() => state.clearFilters(FILTERS)}>Clear filters</Button>}
						/>
					) : (
						<EmptyState title="No events yet">
							Every change made in the console or through the API is recorded here.
						</EmptyState>
					)
				}
			/>
		</div>
	);
}

const ACTION_OPTIONS = [
	{ value: "", label: "All events" },
	...Object.entries(ACTIONS).map(([value, label]) => ({ value, label })),
];

function FilterBar({ state, withTenant }: { state: ListState; withTenant: boolean }) {
	const search = (name: Filter, label: string) => (
		<SearchBox
			label={label}
			labeled
			placeholder="Any"
			value={state.filter(name)}
			onSearch={(value) => state.setFilter(name, value.trim())}
		/>
	);
	const date = (name: Filter, label: string) => (
		<TextField
			label={label}
			type="date"
			value={state.filter(name)}
			onValueChange={(value) => state.setFilter(name, value)}
		/>
	);
	return (
		<div className="filters">
			<Select
				label="Event"
				options={ACTION_OPTIONS}
				value={state.filter("action")}
				onValueChange={(value) => state.setFilter("action", value)}
			/>
			{withTenant && search("tenant", "Tenant ID")}
			{search("target", "User ID or provider")}
			{search("actor", "Actor ID")}
			{date("since", "From")}
			{date("until", "To")}
		</div>
	);
}

/** The names in the URL. */
const FILTERS = ["tenant", "action", "actor", "target", "since", "until"] as const;

type Filter = (typeof FILTERS)[number];

/** The filters as the endpoint takes them. Days start and end in the time zone of the browser. */
function readFilters(read: (name: Filter) => string): AuditFilters {
	const [tenantId, action, actorId, targetId, since, until] = FILTERS.map((name) =>
		read(name).trim(),
	);
	return {
		...(tenantId ? { tenantId } : {}),
		...(action ? { action } : {}),
		...(actorId ? { actorId } : {}),
		...(targetId ? { targetId } : {}),
		...(since && isDay(since) ? { since: startOfDay(since) } : {}),
		...(until && isDay(until) ? { until: startOfDay(until, 1) } : {}),
	};
}

const isDay = (text: string) => /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text));

function startOfDay(day: string, daysLater = 0): string {
	const date = new Date(`${day}T00:00:00`);
	date.setDate(date.getDate() + daysLater);
	return date.toISOString();
}
