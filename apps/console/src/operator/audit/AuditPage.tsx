import { PageHeader } from "../../ui/layout";
import { useListState } from "../lists/list-state";
import { titleOf } from "../product";
import { useMay } from "../session/operator";
import { AuditList } from "./AuditList";

/** The audit log of all tenants. */
export function AuditPage() {
	const state = useListState();
	const may = useMay();
	return (
		<div className="stack">
			<title>{titleOf("Audit log")}</title>
			<PageHeader
				title="Audit log"
				focus={false}
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
