import type { ListOrder } from "../../api/client";
import { useApi } from "../api/context";
import type { AuditEvent, AuditFilters } from "../api/service";
import { ExportMenu } from "../lists/ExportMenu";
import type { Columns } from "../lists/export-list";

const COLUMNS: Columns<AuditEvent> = {
	time: ({ createdAt }) => createdAt,
	action: ({ action }) => action,
	tenant: ({ tenantName }) => tenantName,
	tenantId: ({ tenantId }) => tenantId,
	target: ({ targetEmail }) => targetEmail,
	targetId: ({ targetId }) => targetId,
	actorKind: ({ actor }) => actor.kind,
	actor: ({ actorEmail }) => actorEmail,
	actorId: ({ actor }) => actor.id,
	ipAddress: ({ ipAddress }) => ipAddress,
	userAgent: ({ userAgent }) => userAgent,
	detail: ({ detail }) => detail && JSON.stringify(detail),
};

type ExportAuditProps = { filters: AuditFilters; order: ListOrder };

/** Exports all events that match the filters. */
export function ExportAudit({ filters, order }: ExportAuditProps) {
	const { listAuditEvents } = useApi();
	return (
		<ExportMenu
			name="audit-log"
			columns={COLUMNS}
			readPage={(part) => listAuditEvents({ ...filters, order, ...part })}
		/>
	);
}
