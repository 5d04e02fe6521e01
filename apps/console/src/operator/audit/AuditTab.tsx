import { TenantPageHeader } from "../current-tenant/TenantPageHeader";
import { useMayInTenant, useTenant, useTenantHome } from "../current-tenant/tenant-context";
import { useListState } from "../lists/list-state";
import { AuditList } from "./AuditList";

/** The audit log of one tenant. */
export function AuditTab() {
	const { id } = useTenant();
	const home = useTenantHome();
	const may = useMayInTenant();
	return (
		<div className="stack">
			<TenantPageHeader title="Audit log" />
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
