import * as z from "zod";
import { oneOf } from "./formats";

const FORMATS = ["otlp", "json"] as const;

export type EventStream = {
	url: string;
	format: (typeof FORMATS)[number];
	/** Sent with each request. They are secrets. */
	headers: Record<string, string>;
	/** Signs the requests; `null` if they are not signed. */
	secret: string | null;
};

/** An operator chooses it, so it may be in a private network. */
export const streamUrl = z.string().refine((text) => {
	const url = URL.canParse(text) ? new URL(text) : null;
	if (!url || !["http:", "https:"].includes(url.protocol)) return false;
	return url.hash === "" && url.username === "" && url.password === "";
}, "must be an http or https URL without a user and a fragment, such as https://collector.example.com:4318/v1/logs.");

export const streamFormat = z.string().toLowerCase().pipe(oneOf(FORMATS));

/** Those that the request itself needs. */
const OWN_HEADERS =
	/^(content-.*|transfer-encoding|connection|keep-alive|upgrade|host|expect|trailer|te|webhook-.*)$/;

const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]{1,100}$/;
/** RFC 9110, section 5.5, without what is not ASCII. */
const HEADER_VALUE = /^[!-~]([\t -~]{0,4000}[!-~])?$/;

/**
 * Headers as OpenTelemetry writes them in `OTEL_EXPORTER_OTLP_HEADERS`: `name=value,name=value`, with
 * percent-encoded values.
 */
export const streamHeaders = z.string().transform((input, ctx) => {
	const headers: Record<string, string> = {};
	for (const part of input.split(",")) {
		const [, name = "", encoded = ""] = /^\s*([^=\s]+)\s*=\s*(.*?)\s*$/s.exec(part) ?? [];
		const value = decode(encoded);
		const key = name.toLowerCase();
		const isUsable =
			HEADER_NAME.test(name) && !OWN_HEADERS.test(key) && !Object.hasOwn(headers, key);
		if (!isUsable || value === null || !HEADER_VALUE.test(value)) {
			// Without the value, which may be a secret.
			ctx.addIssue({ code: "custom", message: HEADERS_MESSAGE });
			return z.NEVER;
		}
		headers[key] = value;
	}
	return headers;
});

const HEADERS_MESSAGE =
	"must be a comma-separated list of name=value with percent-encoded values, such as authorization=Bearer%20token.";

function decode(text: string): string | null {
	try {
		return decodeURIComponent(text);
	} catch {
		return null;
	}
}

/** As https://www.standardwebhooks.com has it: 24 to 64 bytes. */
export const streamSecret = z.string().refine((text) => {
	const [, base64 = ""] = /^whsec_([A-Za-z\d+/]+={0,2})$/.exec(text) ?? [];
	const { length } = Buffer.from(base64, "base64");
	return length >= 24 && length <= 64;
}, "must be whsec_ and 24 to 64 random bytes in Base64; generate one with: echo whsec_$(openssl rand -base64 32)");

type Variables = {
	EVENT_STREAM_URL?: string | undefined;
	EVENT_STREAM_FORMAT: EventStream["format"];
	EVENT_STREAM_HEADERS?: Record<string, string> | undefined;
	EVENT_STREAM_SECRET?: string | undefined;
};

/** Returns `null` without a log collector. */
export function readEventStream(values: Variables): EventStream | null {
	if (!values.EVENT_STREAM_URL) return null;
	return {
		url: values.EVENT_STREAM_URL,
		format: values.EVENT_STREAM_FORMAT,
		headers: values.EVENT_STREAM_HEADERS ?? {},
		secret: values.EVENT_STREAM_SECRET ?? null,
	};
}

type Problem = { variable: keyof Variables; message: string };

/** A setting without effect would let an operator expect a stream, or a signature, that does not exist. */
export function findEventStreamProblem(values: Variables): Problem | null {
	for (const variable of ["EVENT_STREAM_HEADERS", "EVENT_STREAM_SECRET"] as const) {
		if (values[variable] && !values.EVENT_STREAM_URL) {
			return { variable, message: "must be set together with EVENT_STREAM_URL." };
		}
	}
	if (!values.EVENT_STREAM_SECRET || values.EVENT_STREAM_FORMAT === "json") return null;
	return {
		variable: "EVENT_STREAM_SECRET",
		message: "needs EVENT_STREAM_FORMAT=json: OTLP has no signatures.",
	};
}

/** Every value that must not appear in a log line. */
export function streamSecrets(stream: EventStream | null): string[] {
	if (!stream) return [];
	const values = Object.values(stream.headers);
	// Of "Bearer token", the token also alone.
	const tokens = values.flatMap((value) => value.split(/\s+/).slice(1));
	const inUrl = [...new URL(stream.url).searchParams.values()];
	return [...values, ...tokens, ...inUrl, ...(stream.secret ? [stream.secret] : [])];
}
