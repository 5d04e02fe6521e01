import type { Column } from "../../ui/Table";
import type { AuditEvent } from "../api/audit";
import { browserName } from "../format/browser-name";
import { formatMoment } from "../format/moment";
import { TenantName } from "../tenant/TenantName";
import { actionInWords, actorInWords } from "./actions";
import { EventTarget } from "./EventTarget";

const WHEN: Column<AuditEvent> = {
	title: "When",
	cell: ({ createdAt }) => <time dateTime={createdAt}>{formatMoment(createdAt)}</time>,
};

const WHAT: Column<AuditEvent> = {
	title: "What",
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
	title: "Who",
	cell: ({ actor }) => (
		<span>
			{actorInWords(actor.kind)}
			{actor.id && <code className="muted small break detail">{actor.id}</code>}
		</span>
	),
};

const FROM: Column<AuditEvent> = {
	title: "From",
	cell: ({ ipAddress, userAgent }) => (
		<span title={userAgent ?? undefined}>
			<code>{ipAddress ?? "–"}</code>
			{userAgent && <span className="muted small detail">{browserName(userAgent)}</span>}
		</span>
	),
};

export const auditColumns = (withTenant: boolean): Column<AuditEvent>[] => [
	WHEN,
	WHAT,
	...(withTenant ? [TENANT] : []),
	TARGET,
	WHO,
	FROM,
];
