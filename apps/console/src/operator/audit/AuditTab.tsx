import { useMayInTenant, useTenant, useTenantHome } from "../current-tenant/tenant-context";
import { useListState } from "../lists/list-state";
import { titleOf } from "../product";
import { AuditList } from "./AuditList";

/** The audit log of one tenant. */
export function AuditTab() {
	const { id, name } = useTenant();
	const home = useTenantHome();
	const may = useMayInTenant();
	return (
		<div className="stack">
			<title>{titleOf("Audit log", name)}</title>
			<h2 className="visually-hidden">Audit log</h2>
			<AuditList
				state={useListState()}
				tenantId={id}
				home={home}
				canFindUsers={may("user:list")}
				canOpenUsers={may("user:get")}
			/>
		</div>
	);
}
