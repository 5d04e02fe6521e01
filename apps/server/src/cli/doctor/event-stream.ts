import { isPublicRoutableHost } from "@better-auth/core/utils/host";
import { StreamFailure, send } from "../../event-stream/send";
import type { Configuration } from "../configuration";
import { type CheckResult, type Finding, resultOf, skipped } from "./check-result";

/** Sends a request without events, which a collector accepts. So the URL, the headers and TLS are checked. */
export async function checkEventStream(
	{ config }: Configuration,
	{ offline }: { offline?: boolean },
): Promise<CheckResult> {
	const { eventStream } = config.settings;
	if (!eventStream) return skipped("event-stream", "EVENT_STREAM_URL is not set");
	const { protocol, hostname, origin } = new URL(eventStream.url);
	const findings: Finding[] = [];
	if (protocol === "http:" && isPublicRoutableHost(hostname)) {
		findings.push({
			problem: `Events and headers are sent unencrypted to ${origin}.`,
			remedy: "Use an https URL in EVENT_STREAM_URL.",
		});
	}
	if (offline) return resultOf("event-stream", findings, "--offline: not connected");
	try {
		const outcome = await send(eventStream, [], new URL(config.baseUrl).host);
		// A receiver of JSON may want at least one event.
		if (outcome.kind === "refused" && eventStream.format === "otlp") {
			throw new StreamFailure(`The collector responded with ${outcome.status}`);
		}
	} catch (error) {
		if (!(error instanceof StreamFailure)) throw error;
		findings.push({
			problem: `Events cannot be sent to ${origin}: ${reasonOf(error)}.`,
			remedy:
				"Check EVENT_STREAM_URL with its path, EVENT_STREAM_FORMAT and EVENT_STREAM_HEADERS. --offline skips this check.",
		});
	}
	return resultOf("event-stream", findings, "the log collector responds");
}

/** The error of `fetch` has the reason as its cause. */
function reasonOf({ message, cause }: StreamFailure): string {
	const { cause: inner }: { cause?: unknown } = Object(cause);
	const { code }: { code?: unknown } = Object(inner);
	return typeof code === "string" ? `${message} (${code})` : message;
}
