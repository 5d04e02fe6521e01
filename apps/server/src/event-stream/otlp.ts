import type { StreamEvent } from "./event";

type Value = { stringValue: string } | { intValue: string };
type Attribute = { key: string; value: Value };

/** https://opentelemetry.io/docs/specs/otel/logs/data-model/#severity-fields */
const INFO = { severityNumber: 9, severityText: "INFO" };
const WARN = { severityNumber: 13, severityText: "WARN" };

const SERVICE_NAME = "tenant-auth";
const SCOPE_NAME = "better-auth-tenant";

/**
 * Events as the JSON of an `ExportLogsServiceRequest`. 64-bit numbers are texts there.
 *
 * @param host the host name of the service
 * @see https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding
 */
export const toOtlp = (events: readonly StreamEvent[], host: string) => ({
	resourceLogs: [
		{
			resource: {
				attributes: attributes({ "service.name": SERVICE_NAME, "server.address": host }),
			},
			scopeLogs: [{ scope: { name: SCOPE_NAME }, logRecords: events.map(toRecord) }],
		},
	],
});

function toRecord(event: StreamEvent) {
	const time = `${Date.parse(event.timestamp)}000000`;
	const isWarning = event.type === "sign-in" && event.result === "failed";
	return {
		timeUnixNano: time,
		// The same each time that it is sent, so that a repeated request is the same.
		observedTimeUnixNano: time,
		...(isWarning ? WARN : INFO),
		eventName: `tenant_auth.${event.type === "audit" ? "audit" : "sign_in"}`,
		body: {
			stringValue: event.type === "audit" ? event.action : `sign-in ${event.result}`,
		},
		attributes: attributes({
			// A collector may drop records with an id that it has seen.
			"log.record.uid": event.id,
			"tenant_auth.tenant_id": event.tenantId,
			"client.address": event.ipAddress,
			"user_agent.original": event.userAgent,
			...(event.type === "audit"
				? {
						"tenant_auth.action": event.action,
						"tenant_auth.actor.kind": event.actor.kind,
						"tenant_auth.actor.id": event.actor.id,
						"tenant_auth.actor.name": event.actor.name,
						"tenant_auth.target_id": event.targetId,
						"tenant_auth.detail": event.detail === null ? null : JSON.stringify(event.detail),
					}
				: {
						"tenant_auth.result": event.result,
						"tenant_auth.reason": event.reason,
						"user.id": event.userId,
						"tenant_auth.method": event.method,
						"tenant_auth.provider_id": event.providerId,
						"tenant_auth.attempts": event.attempts,
					}),
		}),
	};
}

/** Without those that have no value. */
function attributes(values: Record<string, string | number | null>): Attribute[] {
	return Object.entries(values).flatMap(([key, value]) => {
		if (value === null) return [];
		return {
			key,
			value: typeof value === "number" ? { intValue: String(value) } : { stringValue: value },
		};
	});
}
