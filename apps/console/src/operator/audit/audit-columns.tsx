import { Link } from "react-router";
import { describeDevice } from "../../device";
import { providerOf } from "../../providers";
import type { Column } from "../../ui/lists";
import type { AuditEvent } from "../api/service";
import { Id, Time } from "../details";
import { TenantName } from "../tenants/TenantLogo";

export const ACTIONS: Record<string, string> = {
	"tenant:create": "Tenant created",
	"tenant:update": "Tenant updated",
	"tenant:suspend": "Tenant suspended",
	"tenant:resume": "Tenant resumed",
	"tenant:delete": "Tenant deleted",
	"oauth-config:register": "Credentials saved",
	"oauth-config:update": "Provider updated",
	"oauth-config:delete": "Credentials deleted",
	"user:revoke-sessions": "User signed out",
	"user:delete": "User deleted",
	"user:send-password-reset": "Password reset sent",
	"user:import": "Users imported",
	"user:move": "User moved into the tenant",
	"session:revoke": "Session revoked",
	"app:sign-in": "Operator signed in",
	"app:create-operator": "Operator invited",
	"app:update-operator": "Role of an operator changed",
	"app:reset-operator": "Access of an operator reset",
	"app:remove-operator": "Operator removed",
	"app:create-key": "Key created",
	"app:revoke-key": "Key revoked",
};

export const describeAction = (action: string): string => ACTIONS[action] ?? action;

const ACTORS: Record<string, string> = {
	server: "Server code",
	key: "Management key",
	administrator: "Operator",
	host: "User allowed by the app",
};

export const describeActor = (kind: string): string => ACTORS[kind] ?? kind;

export function auditColumns({ withTenant }: { withTenant: boolean }): Column<AuditEvent>[] {
	return [
		{ title: "Time", cell: ({ createdAt }) => <Time timestamp={createdAt} /> },
		{
			title: "Event",
			heading: true,
			cell: ({ action, detail }) => (
				<span>
					{describeAction(action)}
					{detail && <code className="muted small break subtext">{formatDetail(detail)}</code>}
				</span>
			),
		},
		...(withTenant ? [TENANT_COLUMN] : []),
		{ title: "Target", cell: (event) => <Target event={event} /> },
		{
			title: "Actor",
			cell: ({ actor, ipAddress, userAgent }) => (
				<span className="who">
					{describeActor(actor.kind)} {actor.name ?? (actor.id && <Id>{actor.id}</Id>)}
					<span className="muted small subtext" title={userAgent ?? undefined}>
						{[ipAddress, userAgent && describeDevice(userAgent)].filter(Boolean).join(" · ")}
					</span>
				</span>
			),
		},
	];
}

const TENANT_COLUMN: Column<AuditEvent> = {
	title: "Tenant",
	cell: ({ tenantId }) =>
		tenantId ? <TenantName tenantId={tenantId} /> : <span className="muted">–</span>,
};

const formatDetail = (detail: Record<string, unknown>) =>
	Object.entries(detail)
		.map(([name, value]) => `${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`)
		.join(", ");

/** A link to the user or the provider. */
function Target({ event }: { event: AuditEvent }) {
	const { action, tenantId, targetId } = event;
	if (!targetId) return <span className="muted">–</span>;
	if (action.startsWith("oauth-config:")) {
		return <Link to={`/tenants/${tenantId}/providers`}>{providerOf(targetId).name}</Link>;
	}
	if (action === "user:delete" || !tenantId) return <Id>{targetId}</Id>;
	return (
		<Link to={`/tenants/${tenantId}/users/${targetId}`}>
			<Id>{targetId}</Id>
		</Link>
	);
}
