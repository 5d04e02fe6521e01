import { Link } from "react-router";
import { providerOf } from "../../providers";
import type { AuditEvent } from "../api/audit";
import { Id } from "./Id";

/** The user or the provider that something was done to. */
export function EventTarget({ event }: { event: AuditEvent }) {
	const { action, tenantId, targetId } = event;
	if (!targetId) return <span className="muted">–</span>;
	if (action.startsWith("oauth-config:")) {
		return <Link to={`/tenants/${tenantId}/providers`}>{providerOf(targetId).name}</Link>;
	}
	if (action === "user:delete") return <Id>{targetId}</Id>;
	return (
		<Link to={`/tenants/${tenantId}/users/${targetId}`}>
			<Id>{targetId}</Id>
		</Link>
	);
}
