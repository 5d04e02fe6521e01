import { Link } from "react-router";
import { providerOf } from "../../providers";
import type { AuditEvent } from "../api/audit";

/** The user or the provider that something was done to. */
export function EventTarget({ event }: { event: AuditEvent }) {
	const { action, tenantId, targetId } = event;
	if (!targetId) return <span className="muted">–</span>;
	if (action.startsWith("oauth-config:")) {
		return <Link to={`/tenants/${tenantId}/providers`}>{providerOf(targetId).name}</Link>;
	}
	if (action === "user:delete") return <code className="break">{targetId}</code>;
	return (
		<Link to={`/tenants/${tenantId}/users/${targetId}`} className="break">
			<code>{targetId}</code>
		</Link>
	);
}
