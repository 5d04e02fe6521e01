import { useListState } from "../lists/list-state";
import { ServicePageHeader } from "../ServicePageHeader";
import { useMay } from "../session/operator";
import { AuditList } from "./AuditList";

/** The audit log of all tenants. */
export function AuditPage() {
	const state = useListState();
	const may = useMay();
	return (
		<div className="stack">
			<ServicePageHeader
				title="Audit log"
				hint="All changes to tenants, their users and their providers."
			/>
			<AuditList
				state={state}
				tenantId={state.filter("tenant")}
				home={null}
				canFindUsers={may("user:list")}
				canOpenUsers={may("user:get")}
			/>
		</div>
	);
}
