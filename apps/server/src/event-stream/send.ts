import { createHash, createHmac } from "node:crypto";
import * as z from "zod";
import type { EventStream } from "../settings/event-stream";
import type { StreamEvent } from "./event";
import { toOtlp } from "./otlp";

/** How long a collector may take to respond. */
const TIMEOUT_MS = 10_000;
/** A collector that names a later time is asked again after this one. */
const MAX_RETRY_AFTER_MS = 60 * 60 * 1000;
const MAX_RESPONSE_BYTES = 64 * 1024;

/** The collector did not take a request. The events stay, and are sent again. */
export class StreamFailure extends Error {
	override name = "StreamFailure";
	/** What the collector asks for; `null` if it names no time. */
	readonly retryAfterMs: number | null;

	constructor(
		message: string,
		{ retryAfterMs = null, cause }: { retryAfterMs?: number | null; cause?: unknown } = {},
	) {
		super(message, { cause });
		this.retryAfterMs = retryAfterMs;
	}
}

export type Outcome =
	/** The collector has the events, except so many that it does not want. */
	| { kind: "accepted"; rejected: number; reason: string }
	/** It says that it can never take this request. */
	| { kind: "refused"; status: number };

/** Bad data, too large, and data that cannot be processed. All others may be repaired by an operator. */
const REFUSALS = new Set([400, 413, 422]);

/**
 * Sends events in one request. It follows no redirect: the headers have secrets.
 *
 * @param host the host name of the service
 * @throws StreamFailure if the events must be sent again
 */
export async function send(
	stream: EventStream,
	events: readonly StreamEvent[],
	host: string,
	timeoutMs = TIMEOUT_MS,
): Promise<Outcome> {
	const body = JSON.stringify(stream.format === "otlp" ? toOtlp(events, host) : events);
	const limit = AbortSignal.timeout(timeoutMs);
	try {
		const response = await fetch(stream.url, {
			method: "POST",
			headers: {
				...stream.headers,
				"content-type": "application/json",
				"user-agent": "better-auth-tenant",
				...(stream.secret ? signatureOf(stream.secret, body) : {}),
			},
			body,
			redirect: "manual",
			signal: limit,
		});
		// The collector has it only when its response is complete.
		const text = await readText(response);
		if (REFUSALS.has(response.status)) return { kind: "refused", status: response.status };
		if (!response.ok) throw unexpected(response);
		return stream.format === "otlp"
			? { kind: "accepted", ...readPartialSuccess(text) }
			: { kind: "accepted", rejected: 0, reason: "" };
	} catch (cause) {
		if (cause instanceof StreamFailure) throw cause;
		const problem = limit.aborted ? "did not respond in time" : "cannot be reached";
		throw new StreamFailure(`The collector ${problem}`, { cause });
	}
}

function unexpected({ status, headers }: Response): StreamFailure {
	const isRedirect = status >= 300 && status < 400;
	return new StreamFailure(`The collector responded with ${isRedirect ? "a redirect" : status}`, {
		retryAfterMs: readRetryAfter(headers.get("retry-after")),
	});
}

/** Seconds, or a date (RFC 9110, section 10.2.3). */
export function readRetryAfter(text: string | null, now = Date.now()): number | null {
	if (text === null) return null;
	const ms = /^\d{1,9}$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now;
	return Number.isNaN(ms) ? null : Math.min(Math.max(ms, 0), MAX_RETRY_AFTER_MS);
}

/** @throws StreamFailure if it is longer than any response of a collector */
async function readText({ body }: Response): Promise<string> {
	if (!body) return "";
	const chunks: Uint8Array[] = [];
	let size = 0;
	for await (const chunk of body as AsyncIterable<Uint8Array>) {
		size += chunk.length;
		if (size > MAX_RESPONSE_BYTES) throw new StreamFailure("The response is too long");
		chunks.push(chunk);
	}
	return Buffer.concat(chunks).toString("utf8");
}

const exportResponse = z.object({
	partialSuccess: z
		.object({
			// A 64-bit number is a text, and a number is accepted too.
			rejectedLogRecords: z.coerce.number().int().min(0).default(0),
			errorMessage: z.string().default(""),
		})
		.nullish(),
});

const MAX_REASON = 200;

/**
 * A page that responds to everything with 200 is not a collector: the events would be lost.
 *
 * @see https://opentelemetry.io/docs/specs/otlp/#partial-success-1
 */
function readPartialSuccess(text: string): { rejected: number; reason: string } {
	const { data, error } = exportResponse.safeParse(text === "" ? {} : parseJson(text));
	if (error) throw new StreamFailure("The response is not one of an OTLP collector");
	const { rejectedLogRecords = 0, errorMessage = "" } = data.partialSuccess ?? {};
	return { rejected: rejectedLogRecords, reason: errorMessage.slice(0, MAX_REASON) };
}

function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return null;
	}
}

/** https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md */
function signatureOf(secret: string, body: string): Record<string, string> {
	// A repeated request has the same id.
	const id = `msg_${createHash("sha256").update(body).digest("base64url")}`;
	const seconds = String(Math.floor(Date.now() / 1000));
	const key = Buffer.from(secret.slice("whsec_".length), "base64");
	const signature = createHmac("sha256", key).update(`${id}.${seconds}.${body}`).digest("base64");
	return {
		"webhook-id": id,
		"webhook-timestamp": seconds,
		"webhook-signature": `v1,${signature}`,
	};
}
