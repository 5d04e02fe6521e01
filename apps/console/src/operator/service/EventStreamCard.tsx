import { formatCount } from "../../format";
import { Badge } from "../../ui/feedback";
import { Card } from "../../ui/layout";
import type { EventStream } from "../api/service";
import { DetailList, Time } from "../details";

/** As long as the alert `TenantAuthEventStreamLate` waits. */
const LATE_SECONDS = 15 * 60;

const FORMATS: Record<EventStream["format"], string> = {
	otlp: "OpenTelemetry (OTLP)",
	json: "JSON",
};

/** Where the service sends audit events and sign-ins, and whether they arrive. */
export function EventStreamCard({ stream }: { stream: EventStream }) {
	const { origin, format, waiting, oldest } = stream;
	return (
		<Card
			title="Event stream"
			hint="A log collector gets the audit events and sign-ins of all tenants."
		>
			<DetailList
				details={[
					{ title: "Log collector", value: <code className="break">{origin}</code> },
					{ title: "Format", value: FORMATS[format] },
					{ title: "State", value: <State stream={stream} /> },
					...(oldest
						? [
								{ title: "Waiting events", value: formatCount(waiting) },
								{ title: "The oldest is from", value: <Time timestamp={oldest} /> },
							]
						: []),
				]}
			/>
		</Card>
	);
}

function State({ stream: { oldest, lagSeconds } }: { stream: EventStream }) {
	if (!oldest) return <Badge kind="success">Everything is sent</Badge>;
	if (lagSeconds < LATE_SECONDS) return <Badge kind="info">Sending</Badge>;
	return (
		<span>
			<Badge kind="danger">Late</Badge>
			<span className="muted small subtext">
				The log says why. Events stay until the collector takes them.
			</span>
		</span>
	);
}
