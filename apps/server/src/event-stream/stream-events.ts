import type { Log } from "../monitoring/log";
import type { EventStream } from "../settings/event-stream";
import { remove, type StreamContext, takeOldest, type WaitingEvent } from "./outbox";
import { StreamFailure, send } from "./send";

export type StreamReport = {
	sent: number;
	/** The collector does not want them. They are not sent again. */
	rejected: number;
};

export type StreamParts = {
	context: StreamContext;
	stream: EventStream;
	/** The host name of the service. */
	host: string;
	log: Log;
	/** Called for each request that the collector has taken. */
	onProgress: (report: StreamReport) => void;
	signal: AbortSignal;
};

/** In one request. Collectors refuse what is larger than some megabytes. */
const MAX_EVENTS = 200;
const MAX_BYTES = 1024 * 1024;
/** Of one run. The next one goes on. */
const MAX_PAGES = 50;
/** A collector that refuses so many events, and takes none, is not set up as it should be. */
const MAX_REFUSED = 10;

/**
 * Sends all events that wait to the log collector, oldest first, and one request at a time. A process that
 * dies between the response and the deletion of the entries sends these events again: at least once.
 *
 * @throws StreamFailure if the collector does not take events now. They stay.
 */
export async function streamEvents(parts: StreamParts): Promise<StreamReport> {
	const run = new Run(parts);
	for (let page = 0; page < MAX_PAGES && !parts.signal.aborted; page += 1) {
		const { waiting, isEmpty } = await takeOldest(parts.context, MAX_EVENTS);
		if (isEmpty) break;
		for (const request of splitBySize(waiting)) await run.deliver(request);
		run.endPage();
	}
	return run.report;
}

function splitBySize(waiting: WaitingEvent[]): WaitingEvent[][] {
	const requests: WaitingEvent[][] = [];
	let size = Number.POSITIVE_INFINITY;
	for (const one of waiting) {
		const bytes = Buffer.byteLength(JSON.stringify(one.event));
		if (size + bytes > MAX_BYTES) {
			requests.push([]);
			size = 0;
		}
		requests.at(-1)?.push(one);
		size += bytes;
	}
	return requests;
}

class Run {
	readonly report: StreamReport = { sent: 0, rejected: 0 };
	readonly #parts: StreamParts;
	/** Events that the collector has refused one by one, as long as it has taken no other one. */
	#refused: WaitingEvent[] = [];
	#status = 0;
	#hasAccepted = false;

	constructor(parts: StreamParts) {
		this.#parts = parts;
	}

	/** If a request is refused, its halves are sent: the other events must not be lost with a bad one. */
	async deliver(request: WaitingEvent[]): Promise<void> {
		const { stream, host, signal, log } = this.#parts;
		// A stopping server lets the running request end, and starts no other one.
		if (signal.aborted) return;
		const events = request.map(({ event }) => event);
		const outcome = await send(stream, events, host);
		if (outcome.kind === "accepted") {
			const rejected = Math.min(outcome.rejected, events.length);
			if (rejected > 0) {
				const { reason } = outcome;
				log.error({ rejected, of: events.length, reason }, "the log collector rejected events");
			}
			this.#hasAccepted = true;
			await this.#finish(request, { sent: events.length - rejected, rejected });
			return this.#dropRefused();
		}
		if (request.length > 1) {
			const half = Math.ceil(request.length / 2);
			await this.deliver(request.slice(0, half));
			return this.deliver(request.slice(half));
		}
		this.#refused.push(...request);
		this.#status = outcome.status;
		if (this.#hasAccepted) return this.#dropRefused();
		if (this.#refused.length >= MAX_REFUSED) this.endPage();
	}

	/** @throws StreamFailure if the collector has refused events and taken none */
	endPage(): void {
		if (this.#refused.length === 0) return;
		throw new StreamFailure(`The collector refuses every event with ${this.#status}`);
	}

	/** The collector takes other events, so it is not its set-up. Only these do not fit. */
	async #dropRefused(): Promise<void> {
		const refused = this.#refused;
		if (refused.length === 0) return;
		this.#refused = [];
		for (const { event } of refused) {
			const { id, type } = event;
			this.#parts.log.error({ eventId: id, type }, "the log collector refuses an event");
		}
		await this.#finish(refused, { sent: 0, rejected: refused.length });
	}

	async #finish(done: WaitingEvent[], { sent, rejected }: StreamReport): Promise<void> {
		this.report.sent += sent;
		this.report.rejected += rejected;
		this.#parts.onProgress({ sent, rejected });
		await remove(
			this.#parts.context,
			done.map(({ entryId }) => entryId),
		);
	}
}
