import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { formatTime } from "../../format";
import { EmptyState } from "../../ui/feedback";
import { Card } from "../../ui/layout";
import { useApi } from "../api/context";
import type { AuditFilters } from "../api/service";
import { Loaded } from "../lists/Loaded";
import { EventSentence, EventTenant, nameOfActor } from "./audit-columns";

type RecentEventsProps = {
	/** Which events, such as those of one tenant. */
	filters?: AuditFilters;
	/** The page with all of them. */
	all: string;
};

/** The newest audit events, in sentences. */
export function RecentEvents({ filters = {}, all }: RecentEventsProps) {
	const { auditQuery } = useApi();
	const query = useQuery(auditQuery({ ...filters, limit: 6, offset: 0, total: "none" }));
	return (
		<Card title="Recent events" actions={<Link to={all}>View all</Link>}>
			<Loaded query={query}>
				{({ items }) =>
					items.length === 0 ? (
						<EmptyState title="No events yet" />
					) : (
						<ul className="items">
							{items.map((event) => (
								<li key={event.id}>
									<EventSentence event={event} />
									<span className="muted small">
										{filters.tenantId === undefined && event.tenantId !== null && (
											<>
												<EventTenant event={event} /> ·{" "}
											</>
										)}
										{nameOfActor(event)} · {formatTime(event.createdAt)}
									</span>
								</li>
							))}
						</ul>
					)
				}
			</Loaded>
		</Card>
	);
}
