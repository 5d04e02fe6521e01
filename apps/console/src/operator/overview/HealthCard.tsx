import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { formatCount, formatDuration } from "../../format";
import { Badge } from "../../ui/feedback";
import { Card } from "../../ui/layout";
import { useApi } from "../api/context";
import type { ServiceHealth } from "../api/service";
import { type Detail, DetailList } from "../details";
import { Loaded } from "../lists/Loaded";
import { titleOfJob } from "../service/job-names";

const STATES: Record<ServiceHealth["status"], ReactNode> = {
	ready: <Badge kind="success">Everything works</Badge>,
	degraded: <Badge kind="warning">Not everything works</Badge>,
	unavailable: <Badge kind="danger">Not available</Badge>,
	stopping: <Badge kind="warning">Stopping</Badge>,
};

const CHECKS: Record<ServiceHealth["checks"][string], ReactNode> = {
	ok: <Badge kind="success">Responds</Badge>,
	failed: <Badge kind="danger">Does not respond</Badge>,
	"read-only": <Badge kind="danger">Does not write</Badge>,
	"not configured": <Badge kind="warning">Not configured</Badge>,
};

/** As long as the alert `TenantAuthEventStreamLate` waits. */
const LATE_SECONDS = 15 * 60;

/** Whether the service and what it needs work, and since when. */
export function HealthCard() {
	const { healthQuery } = useApi();
	const query = useQuery(healthQuery);
	return (
		<Card title="Health" hint="Of the server that responds, and of what all servers share.">
			<Loaded query={query}>{(health) => <DetailList details={detailsOf(health)} />}</Loaded>
		</Card>
	);
}

function detailsOf(health: ServiceHealth): Detail[] {
	const { status, checks, version, uptimeSeconds, streamLagSeconds } = health;
	return [
		{ title: "State", value: STATES[status] },
		...(checks.database ? [{ title: "Database", value: CHECKS[checks.database] }] : []),
		...(checks.redis ? [{ title: "Redis", value: CHECKS[checks.redis] }] : []),
		{ title: "Email", value: <EmailState {...health} /> },
		{ title: "Jobs", value: <JobState {...health} /> },
		...(streamLagSeconds === null
			? []
			: [{ title: "Event stream", value: <StreamState lag={streamLagSeconds} /> }]),
		{ title: "Version", value: version },
		{ title: "Running for", value: formatDuration(uptimeSeconds) },
	];
}

function EmailState({ email, failedEmails }: ServiceHealth) {
	if (email === "none") return <Badge kind="warning">Not sent</Badge>;
	if (email === "outbox") return <Badge kind="info">Kept in the outbox</Badge>;
	if (failedEmails === 0) return <Badge kind="success">Sent</Badge>;
	return (
		<WithReason reason="Since this server started. The log says why.">
			<Badge kind="danger">{formatCount(failedEmails)} not sent</Badge>
		</WithReason>
	);
}

function JobState({ failedJobs }: ServiceHealth) {
	if (failedJobs === null) return <Badge>Not known</Badge>;
	if (failedJobs.length === 0) return <Badge kind="success">None failed</Badge>;
	return (
		<WithReason reason={failedJobs.map(titleOfJob).join(", ")}>
			<Badge kind="danger">{formatCount(failedJobs.length)} failed</Badge>
		</WithReason>
	);
}

function StreamState({ lag }: { lag: number }) {
	if (lag < LATE_SECONDS) return <Badge kind="success">Sending</Badge>;
	return (
		<WithReason reason={`The oldest event has waited for ${formatDuration(lag)}.`}>
			<Badge kind="danger">Late</Badge>
		</WithReason>
	);
}

const WithReason = ({ reason, children }: { reason: string; children: ReactNode }) => (
	<span>
		{children}
		<span className="muted small subtext">{reason}</span>
	</span>
);
