import type { Backend } from "../auth";
import { findOldest } from "../event-stream/outbox";
import { streamEvents } from "../event-stream/stream-events";
import type { ServiceConfig } from "../settings/service-config";
import type { Job } from "./jobs";

const SECOND_MS = 1000;

/**
 * Sends audit events and sign-ins to the log collector, if there is one. One server at a time keeps their
 * order.
 */
export function streamJobs(
	{ auth, log, metrics }: Pick<Backend, "auth" | "log" | "metrics">,
	{ settings, baseUrl }: Pick<ServiceConfig, "settings" | "baseUrl">,
): Job[] {
	const { eventStream: stream, intervals } = settings;
	if (!stream) return [];
	const { host } = new URL(baseUrl);
	const onProgress = metrics.countStreamed;
	return [
		{
			name: "event-stream",
			everyMs: intervals.eventStreamSeconds * SECOND_MS,
			isLocked: true,
			// The lock is renewed while the work is running. A server that dies delays the stream for so long.
			lockMs: 60 * SECOND_MS,
			maxRetryMs: 60 * SECOND_MS,
			hasWork: async () => (await findOldest(await auth.$context)) !== null,
			run: async (signal) => {
				const context = await auth.$context;
				return { ...(await streamEvents({ context, stream, host, log, onProgress, signal })) };
			},
		},
	];
}
