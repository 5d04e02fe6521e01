import type { BetterAuthOptions } from "better-auth";
import { findCurrentTenantId } from "better-auth-tenant";
import { type DestinationStream, type Logger, pino } from "pino";
import * as z from "zod";
import type { Settings } from "../settings/settings";
import { currentRequest, findCallback, type ProviderError } from "./request-record";

export type Log = Logger;

type LogLevel = Settings["logLevel"];

export type LogConfig = {
	level: LogLevel;
	/** Values that no log line may contain. */
	secrets: string[];
	/** @default standard output */
	destination?: DestinationStream;
};

/** Logs lines of JSON. A line that belongs to a request has its id and, when it is known, its tenant. */
export function createLog({ level, secrets, destination }: LogConfig): Log {
	const options = {
		level,
		base: null,
		timestamp: () => `,"time":"${new Date().toISOString()}"`,
		formatters: { level: (label: string) => ({ level: label }) },
		serializers: { err: safeError },
		mixin: () => {
			const request = currentRequest();
			if (!request) return {};
			const { requestId, tenantId } = request;
			// While a request runs, Better Auth may know more than we have recorded.
			return { requestId, tenantId: tenantId ?? findCurrentTenantId() };
		},
		hooks: { streamWrite: removeSecrets(secrets) },
	};
	return destination ? pino(options, destination) : pino(options);
}

/**
 * Writes Better Auth's log lines to our log. It keeps the message and errors only. Other arguments may
 * contain anything, for example a token.
 */
export function authLogger(log: Log, level: LogLevel): NonNullable<BetterAuthOptions["logger"]> {
	return {
		disabled: level === "silent",
		...(level === "silent" ? {} : { level }),
		log: (severity, message, ...details) => {
			const request = findCallback();
			const isExpected =
				severity === "error" && request && !request.hasOutage && !brokenCallback.test(message);
			if (isExpected) {
				// The first line has the cause. Better Auth logs another one without it.
				request.callbackError ??= details.find((it) => it instanceof Error) ?? null;
				request.providerError = findProviderError(details);
			}
			write(log, isExpected ? "debug" : severity, [message, ...details]);
		},
	};
}

/** In a callback, Better Auth logs everything as an error. These are errors of this server. */
const brokenCallback = /database|create OAuth user|could not be stored/i;

/**
 * The error that a provider sent in place of tokens (https://www.rfc-editor.org/rfc/rfc6749#section-5.2). Its
 * description is left out, which may contain anything.
 */
function findProviderError(details: unknown[]): ProviderError | null {
	const results = details.map((detail) => providerErrorSchema.safeParse(detail));
	return results.find(({ success }) => success)?.data ?? null;
}

const providerErrorSchema = z.object({
	status: z.int(),
	error: z
		.string()
		.regex(/^[\w.-]{1,64}$/)
		.optional()
		.catch(undefined),
});

/** How Better Auth's router prints an error that it also passes to `onAPIError`. */
const REPORTED_ERROR = "# SERVER_ERROR: ";

/** Writes what libraries print on the console to the log instead. */
export function captureConsole(log: Log): void {
	for (const severity of ["debug", "info", "warn", "error"] as const) {
		console[severity] = (...details: unknown[]) => {
			if (details[0] !== REPORTED_ERROR) write(log, severity, details);
		};
	}
	console.log = console.info;
}

function write(log: Log, severity: "debug" | "info" | "warn" | "error", details: unknown[]): void {
	const error = details.find((detail) => detail instanceof Error);
	const [message] = details;
	const text = typeof message === "string" ? removeLinks(removeColors(message)) : "";
	log[severity](error ? { err: error } : {}, text);
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: terminal colors are control characters
const removeColors = (text: string) => text.replace(/\u001b\[\d+m/g, "");

/** Shorter values may be part of ordinary words. */
const MIN_SECRET_LENGTH = 8;

/** The last defense for every log line: removes the server's own secrets. */
function removeSecrets(secrets: string[]): (line: string) => string {
	// As they appear in JSON.
	const texts = secrets
		.filter((secret) => secret.length >= MIN_SECRET_LENGTH)
		.map((secret) => JSON.stringify(secret).slice(1, -1));
	if (texts.length === 0) return (line) => line;
	const escapeRegExp = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
	const pattern = new RegExp(texts.map(escapeRegExp).join("|"), "g");
	return (line) => line.replace(pattern, "[secret]");
}

/** More than any message of ours. Better Auth logs values of requests, and these may be long. */
const MAX_TEXT_LENGTH = 2000;

/**
 * Links contain tokens, in the query or as the last part of the path.
 *
 * No part of an expression may start again inside of what it has scanned before: a client could send a
 * text that takes minutes.
 */
function removeLinks(text: string): string {
	return shorten(text)
		.replace(
			/(?<![a-z\d+.-])([a-z\d+.-]+:\/\/)([^\s/?#"'<>]*@)?([^\s/?#"'<>]*)[^\s"'<>]*/gi,
			"$1$3/…",
		)
		.replace(/\?[^\s"'<>?=]*=[^\s"'<>]*/g, "?…");
}

/** Cuts between two words: half of a link would not be recognized. */
function shorten(text: string): string {
	if (text.length <= MAX_TEXT_LENGTH) return text;
	return `${text.slice(0, MAX_TEXT_LENGTH).replace(/(?<!\S)\S*$/, "")}…`;
}

type SafeError = {
	type: string;
	message: string;
	code?: string;
	stack?: string;
	cause?: SafeError;
};

/** Other fields are left out: database drivers put queries with values there, and fetch whole responses. */
function safeError(error: unknown): SafeError {
	if (!(error instanceof Error)) return { type: typeof error, message: "" };
	const code = "code" in error && typeof error.code === "string" ? error.code : undefined;
	return {
		type: error.name,
		message: removeLinks(error.message),
		...(code ? { code } : {}),
		...(error.stack ? { stack: framesOf(error.stack) } : {}),
		...(error.cause ? { cause: safeError(error.cause) } : {}),
	};
}

/** Without the first lines, which repeat the message with its links. */
function framesOf(stack: string): string {
	return stack
		.split("\n")
		.filter((line) => /^\s+at /.test(line))
		.slice(0, 20)
		.join("\n");
}
