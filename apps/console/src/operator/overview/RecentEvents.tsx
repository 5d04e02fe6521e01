import { useQuery } from "@tanstack/react-query";
import { EmptyState } from "../../ui/EmptyState";
import { ErrorState } from "../../ui/ErrorState";
import { Skeleton } from "../../ui/Skeleton";
import { listAuditEvents } from "../api/audit";
import { actionInWords, actorInWords } from "../audit/actions";
import { formatMoment } from "../format/moment";
import { TenantName } from "../tenant/TenantName";

const NEWEST = { limit: 6, offset: 0 };

export function RecentEvents() {
	const { data, error, refetch } = useQuery({
		queryKey: ["audit", NEWEST],
		queryFn: () => listAuditEvents(NEWEST),
	});
	if (error) return <ErrorState error={error} onRetry={refetch} />;
	if (!data) return <Skeleton kind="block" />;
	if (data.items.length === 0) return <EmptyState title="Nothing was done yet" />;
	return (
		<ul className="items">
			{data.items.map(({ id, action, actor, tenantId, createdAt }) => (
				<li key={id}>
					<span>
						{actionInWords(action)}: <TenantName tenantId={tenantId} />
					</span>
					<span className="muted small">
						{actorInWords(actor.kind)} · {formatMoment(createdAt)}
					</span>
				</li>
			))}
		</ul>
	);
}
