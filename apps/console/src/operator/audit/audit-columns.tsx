import { deviceOf } from "../../device";
import type { Column } from "../../ui/Table";
import type { AuditEvent } from "../api/audit";
import { Time } from "../format/Time";
import { TenantName } from "../tenant/TenantName";
import { actionInWords, actorInWords } from "./actions";
import { EventTarget } from "./EventTarget";
import { Id } from "./Id";

const WHEN: Column<AuditEvent> = {
	title: "When",
	cell: ({ createdAt }) => <Time moment={createdAt} />,
};

const WHAT: Column<AuditEvent> = {
	title: "What",
	heading: true,
	cell: ({ action, detail }) => (
		<span>
			{actionInWords(action)}
			{detail && <code className="muted small break detail">{detailInWords(detail)}</code>}
		</span>
	),
};

const detailInWords = (detail: Record<string, unknown>) =>
	Object.entries(detail)
		.map(([name, value]) => `${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`)
		.join(", ");

const TENANT: Column<AuditEvent> = {
	title: "Tenant",
	cell: ({ tenantId }) => <TenantName tenantId={tenantId} />,
};

const TARGET: Column<AuditEvent> = {
	title: "Whom or what",
	cell: (event) => <EventTarget event={event} />,
};

const WHO: Column<AuditEvent> = {
	title: "Who, and from where",
	cell: ({ actor, ipAddress, userAgent }) => (
		<span className="who">
			{actorInWords(actor.kind)} {actor.id && <Id>{actor.id}</Id>}
			<span className="muted small detail" title={userAgent ?? undefined}>
				{[ipAddress, userAgent && deviceOf(userAgent)].filter(Boolean).join(" · ")}
			</span>
		</span>
	),
};

export const auditColumns = (withTenant: boolean): Column<AuditEvent>[] => [
	WHEN,
	WHAT,
	...(withTenant ? [TENANT] : []),
	TARGET,
	WHO,
];
