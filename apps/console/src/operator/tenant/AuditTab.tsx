import { AuditList } from "../audit/AuditList";
import { useTenant } from "./current-tenant";

export function AuditTab() {
	const { id } = useTenant();
	return <AuditList tenantId={id} />;
}
