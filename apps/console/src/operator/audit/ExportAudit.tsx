import { useState } from "react";
import type { ListOrder } from "../../api/client";
import { useApiMutation } from "../../api/query-client";
import { formatCount } from "../../format";
import { Menu } from "../../ui/Menu";
import { useToast } from "../../ui/Toast";
import { useApi } from "../api/context";
import type { AuditEvent, AuditFilters } from "../api/service";
import { download, type ExportFormat, exportList } from "../lists/export-list";

const COLUMNS: Record<string, (event: AuditEvent) => string | null> = {
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

const PAGE_SIZE = 1000;

type ExportAuditProps = { filters: AuditFilters; order: ListOrder };

/** Exports all events that match the filters, not only those of the page. */
export function ExportAudit({ filters, order }: ExportAuditProps) {
	const { listAuditEvents } = useApi();
	const toast = useToast();
	const [count, setCount] = useState(0);
	const save = useApiMutation({
		mutationFn: async (format: ExportFormat) => {
			setCount(0);
			const content = await exportList({
				format,
				columns: COLUMNS,
				onProgress: setCount,
				readPage: (cursor) =>
					listAuditEvents({
						...filters,
						order,
						limit: PAGE_SIZE,
						total: "none",
						...(cursor ? { cursor } : { offset: 0 }),
					}),
			});
			download(content, `audit-log-${new Date().toISOString().slice(0, 10)}.${format}`);
		},
		onError: ({ message }) => toast(`Could not export: ${message}`, "danger"),
	});
	return (
		<Menu
			label="Export"
			className="button button-secondary"
			button={save.isPending ? `Exporting ${formatCount(count)}` : "Export"}
			items={[
				{ label: "CSV", disabled: save.isPending, onSelect: () => save.mutate("csv") },
				{ label: "NDJSON", disabled: save.isPending, onSelect: () => save.mutate("ndjson") },
			]}
		/>
	);
}
