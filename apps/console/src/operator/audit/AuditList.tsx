import { useQuery } from "@tanstack/react-query";
import { Button } from "../../ui/Button";
import { EmptyState } from "../../ui/feedback";
import { Select } from "../../ui/fields";
import type { Option } from "../../ui/OptionList";
import { useApi } from "../api/context";
import type { AuditEvent, AuditFilters } from "../api/service";
import { TenantOptions } from "../current-tenant/TenantSwitcher";
import { DataList } from "../lists/DataList";
import { FilterPicker } from "../lists/FilterPicker";
import type { ListState } from "../lists/list-state";
import { PeriodFilter } from "../lists/PeriodFilter";
import { periodOf } from "../lists/period";
import { UserOptions } from "../lists/UserOptions";
import { ACTIONS, auditColumns, describeAction } from "./audit-columns";
import { ExportAudit } from "./ExportAudit";

type AuditListProps = {
	state: ListState;
	/** Empty for all tenants. */
	tenantId: string;
	/** The path of the tenant's pages. `null` if the list is about all tenants. */
	home: string | null;
	canFindUsers: boolean;
	canOpenUsers: boolean;
};

/** Audit events with filters and an export. */
export function AuditList(props: AuditListProps) {
	const { state, tenantId, home, canOpenUsers } = props;
	const { auditQuery } = useApi();
	const filters = readFilters(state, tenantId);
	const query = useQuery(auditQuery({ ...state.pageParams, ...filters }));
	const totalQuery = useQuery(auditQuery({ ...state.totalParams, ...filters }));
	const isFiltered = FILTERS.some((name) => state.filter(name) !== "");
	const clear = <Button onClick={() => state.clearFilters(FILTERS)}>Clear filters</Button>;
	return (
		<DataList
			what="events"
			caption="Audit log"
			query={query}
			totalQuery={totalQuery}
			state={state}
			columns={auditColumns({ home, canOpenUsers })}
			rowKey={({ id }) => id}
			rowName={({ action }) => describeAction(action)}
			filters={<Filters {...props} events={query.data?.items ?? []} />}
			actions={
				<>
					{isFiltered && clear}
					<ExportAudit filters={filters} order={state.order} />
				</>
			}
			empty={
				<EmptyState title="No events yet">
					Every change made in the console or through the API is recorded here.
				</EmptyState>
			}
			noMatches={isFiltered && <EmptyState title="No events match these filters" />}
		/>
	);
}

const ACTION_OPTIONS = [
	{ value: "", label: "All events" },
	...Object.entries(ACTIONS).map(([value, label]) => ({ value, label })),
];

function Filters(props: AuditListProps & { events: AuditEvent[] }) {
	const { state, tenantId, home, events, canFindUsers } = props;
	const { tenantQuery } = useApi();
	const chosenTenant = state.filter("tenant");
	const { data: tenant } = useQuery({ ...tenantQuery(chosenTenant), enabled: chosenTenant !== "" });
	const target = state.filter("target") || null;
	const actor = state.filter("actor") || null;
	const pick = (name: "tenant" | "target" | "actor") => ({
		onChoose: ({ id }: Option) => state.setFilter(name, id),
		onClear: () => state.setFilter(name, ""),
	});
	return (
		<div className="filters">
			<Select
				label="Event"
				options={ACTION_OPTIONS}
				value={state.filter("action")}
				onValueChange={(value) => state.setFilter("action", value)}
			/>
			{home === null && (
				<FilterPicker
					label="Tenant"
					chosen={chosenTenant ? (tenant?.name ?? chosenTenant) : null}
					{...pick("tenant")}
				>
					{(choose) => <TenantOptions onChoose={choose} />}
				</FilterPicker>
			)}
			{canFindUsers && (
				<>
					<FilterPicker
						label="User"
						chosen={
							target && (events.find((event) => event.targetId === target)?.targetEmail ?? target)
						}
						{...pick("target")}
					>
						{(choose) => <UserOptions tenantId={tenantId} onChoose={choose} />}
					</FilterPicker>
					<FilterPicker
						label="Actor"
						chosen={
							actor && (events.find((event) => event.actor.id === actor)?.actorEmail ?? actor)
						}
						{...pick("actor")}
					>
						{(choose) => <UserOptions tenantId={tenantId} onChoose={choose} />}
					</FilterPicker>
				</>
			)}
			<PeriodFilter state={state} />
		</div>
	);
}

/** The names in the URL. */
const FILTERS = ["tenant", "action", "actor", "target", "since", "until"] as const;

/** The filters as the endpoint takes them. */
function readFilters({ filter }: ListState, tenantId: string): AuditFilters {
	const [action, actorId, targetId] = [filter("action"), filter("actor"), filter("target")];
	return {
		...(tenantId ? { tenantId } : {}),
		...(action ? { action } : {}),
		...(actorId ? { actorId } : {}),
		...(targetId ? { targetId } : {}),
		...periodOf(filter),
	};
}
