import { Link } from "react-router";
import { describeDevice } from "../../device";
import type { Column } from "../../ui/Table";
import type { AuditEvent } from "../api/service";
import { Email, Id, Time } from "../details";
import { describeDetail, subjectOf } from "./event-details";

export const ACTIONS: Record<string, string> = {
	"tenant:create": "Tenant created",
	"tenant:update": "Tenant updated",
	"tenant:suspend": "Tenant suspended",
	"tenant:resume": "Tenant resumed",
	"tenant:delete": "Tenant deleted",
	"policy:update": "Policy updated",
	"oauth-config:register": "Credentials saved",
	"oauth-config:update": "Provider updated",
	"oauth-config:delete": "Credentials deleted",
	"connection:test": "Provider tested",
	"domain:add": "Domain added",
	"domain:verify": "Domain verified",
	"domain:update": "Domain updated",
	"domain:remove": "Domain removed",
	"domain:lost": "Domain lost",
	"user:create": "User created",
	"user:update": "User updated",
	"user:disable": "User disabled",
	"user:enable": "User enabled",
	"user:impersonate": "User impersonated",
	"user:revoke-sessions": "User signed out",
	"user:delete": "User deleted",
	"user:send-password-reset": "Password reset sent",
	"user:remove-second-factor": "Second factor removed",
	"user:remove-passkeys": "Passkeys removed",
	"user:sign-in-link": "Sign-in link created",
	"user:use-sign-in-link": "Sign-in link used",
	"user:import": "Users imported",
	"user:move": "User moved into the tenant",
	"session:revoke": "Session revoked",
	"user:map-role": "Role set by the directory or identity provider",
	"application:create": "Application created",
	"application:update": "Application updated",
	"application:rotate-secret": "Application secret rotated",
	"application:delete": "Application deleted",
	"grant:revoke": "Access of an application removed",
	"user-metadata:update": "Metadata of a user changed",
	"saml:refresh": "SAML metadata loaded from its URL",
	"saml:test": "SAML test sign-in started",
	"saml:set": "SAML identity provider saved",
	"saml:remove": "SAML identity provider removed",
	"scim:create-token": "SCIM token created",
	"scim:revoke-token": "SCIM token revoked",
	"scim:set-roles": "Roles of groups changed",
	"mail-template:set": "Text of an email changed",
	"mail-template:reset": "Text of an email reset",
	"app:set-mail-template": "Text of an email changed for all tenants",
	"app:reset-mail-template": "Text of an email reset for all tenants",
	"app:export-tenant": "Tenant exported",
	"app:start-tenant-import": "Import of a tenant started",
	"app:import-tenant": "Tenant imported",
	"app:sign-in": "Operator signed in",
	"app:create-operator": "Operator invited",
	"app:update-operator": "Role of an operator changed",
	"app:reset-operator": "Access of an operator reset",
	"app:remove-operator": "Operator removed",
	"app:update-account": "Operator changed their own name",
	"app:change-password": "Operator changed their own password",
	"app:set-up-second-factor": "Operator set up a second factor",
	"app:create-recovery-codes": "Operator created recovery codes",
	"app:revoke-sessions": "Operator ended own sessions",
	"app:create-key": "Key created",
	"app:revoke-key": "Key revoked",
	"app:create-application": "Service-wide application created",
	"app:update-application": "Service-wide application updated",
	"app:rotate-application-secret": "Service-wide application secret rotated",
	"app:delete-application": "Service-wide application deleted",
	"invitation:create": "Invitation created",
	"invitation:resend": "Invitation sent again",
	"invitation:revoke": "Invitation revoked",
	"invitation:accept": "Invitation accepted",
	"webhook:create": "Webhook created",
	"webhook:update": "Webhook updated",
	"webhook:rotate-secret": "Webhook secret rotated",
	"webhook:test": "Webhook tested",
	"webhook:replay-delivery": "Webhook delivery sent again",
	"webhook:disable": "Webhook disabled",
	"webhook:delete": "Webhook deleted",
	"audit:erase": "Audit events erased",
};

export const describeAction = (action: string): string => ACTIONS[action] ?? action;

const ACTORS: Record<string, string> = {
	server: "Server code",
	key: "Management key",
	administrator: "Operator",
	member: "User of the tenant",
	host: "User allowed by the app",
};

export const describeActor = (kind: string): string => ACTORS[kind] ?? kind;

type EventProps = { event: AuditEvent };

/** A link with the tenant's name. The slug or the id if the tenant was deleted. */
export function EventTenant({ event: { tenantId, tenantName, detail } }: EventProps) {
	if (tenantId === null) return <span className="muted">–</span>;
	if (tenantName) {
		return (
			<Link to={`/tenants/${tenantId}`} className="break">
				{tenantName}
			</Link>
		);
	}
	return typeof detail?.slug === "string" ? <code>{detail.slug}</code> : <Id>{tenantId}</Id>;
}

/** Who did it. */
export const nameOfActor = ({ actor, actorEmail }: AuditEvent): string =>
	actorEmail ?? actor.name ?? describeActor(actor.kind);

/** What happened to whom, in one line, and below it what changed. */
export function EventSentence({ event }: EventProps) {
	const subject = subjectOf(event);
	const detail = describeDetail(event);
	return (
		<span>
			{describeAction(event.action)}
			{subject && <span className="break">: {subject}</span>}
			{detail && <span className="muted small break subtext">{detail}</span>}
		</span>
	);
}

type AuditColumnsOptions = {
	/** The path of the tenant's pages. `null` if the list is about all tenants. */
	home: string | null;
	canOpenUsers: boolean;
};

export function auditColumns({ home, canOpenUsers }: AuditColumnsOptions): Column<AuditEvent>[] {
	return [
		{
			title: "Time",
			sorted: true,
			cell: ({ createdAt }) => <Time timestamp={createdAt} />,
		},
		{
			title: "Event",
			heading: true,
			cell: (event) => (
				<span>
					{describeAction(event.action)}
					<span className="muted small break subtext">{describeDetail(event)}</span>
				</span>
			),
		},
		...(home === null ? [TENANT_COLUMN] : []),
		{
			title: "Target",
			cell: (event) => (
				<Target
					event={event}
					home={home ?? `/tenants/${event.tenantId}`}
					canOpenUsers={canOpenUsers}
				/>
			),
		},
		{ title: "Actor", cell: (event) => <Actor event={event} /> },
	];
}

function Actor({ event }: EventProps) {
	const { actor, actorEmail, ipAddress, userAgent } = event;
	const kind = describeActor(actor.kind);
	const device = userAgent && describeDevice(userAgent);
	return (
		<span>
			{actorEmail ? <Email>{actorEmail}</Email> : nameOfActor(event)}
			<span className="muted small subtext" title={userAgent ?? undefined}>
				{[actorEmail || actor.name ? kind : actor.id, ipAddress, device]
					.filter(Boolean)
					.join(" · ")}
			</span>
		</span>
	);
}

const TENANT_COLUMN: Column<AuditEvent> = {
	title: "Tenant",
	cell: (event) => <EventTenant event={event} />,
};

/** A link to the user or the provider, or the name of what the event is about. */
function Target(props: EventProps & { home: string; canOpenUsers: boolean }) {
	const { event, home, canOpenUsers } = props;
	const { action, targetId, targetEmail } = event;
	const subject = subjectOf(event);
	if (!targetId) return <span className="muted">–</span>;
	if (action.startsWith("oauth-config:")) {
		return <Link to={`${home}/providers`}>{subject}</Link>;
	}
	if (!targetEmail) {
		return subject ? <span className="break">{subject}</span> : <Id>{targetId}</Id>;
	}
	if (!canOpenUsers) return <Email>{targetEmail}</Email>;
	return (
		<Link to={`${home}/users/${targetId}`}>
			<Email>{targetEmail}</Email>
		</Link>
	);
}
