import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Button } from "../../ui/Button";
import { EmptyState } from "../../ui/EmptyState";
import { listAuditEvents } from "../api/audit";
import { ListTable } from "../lists/ListTable";
import { useListState } from "../lists/list-state";
import { AuditFilters } from "./AuditFilters";
import { auditColumns } from "./audit-columns";
import { FILTERS, filtersIn } from "./audit-filters";

/** The events of one tenant, or of all. */
export function AuditList({ tenantId }: { tenantId?: string }) {
	const state = useListState();
	const filters = filtersIn(state.filter);
	const asked = {
		limit: state.window.limit,
		offset: state.window.offset,
		...filters,
		...(tenantId ? { tenantId } : {}),
	};
	const query = useQuery({
		queryKey: ["audit", asked],
		queryFn: () => listAuditEvents(asked),
		placeholderData: keepPreviousData,
	});
	const isFiltered = Object.keys(filters).length > 0;
	return (
		<div className="stack">
			{tenantId && <h2 className="visually-hidden">Audit log</h2>}
			<AuditFilters state={state} ofOneTenant={tenantId !== undefined} />
			<ListTable
				what="events"
				caption="Audit log"
				query={query}
				state={state}
				columns={auditColumns(tenantId === undefined)}
				rowKey={({ id }) => id}
				empty={
					isFiltered ? (
						<EmptyState
							title="No event matches these filters"
							action={<Button onClick={() => state.clear(FILTERS)}>Clear the filters</Button>}
						/>
					) : (
						<EmptyState title="Nothing was done yet">
							Every change that somebody makes here or through the endpoints is written down.
						</EmptyState>
					)
				}
			/>
		</div>
	);
}
