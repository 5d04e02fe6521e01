import type { BetterAuthOptions } from "better-auth";
import type { LogLevel } from "../settings/log-level";
import type { Log } from "./log";
import { withoutLinks } from "./safe-text";

type AuthLogger = NonNullable<BetterAuthOptions["logger"]>;

/**
 * Better Auth's log lines, through ours. Of what it adds to a message only errors are taken: the rest
 * may be anything, a token too.
 */
export function authLogger(log: Log, level: LogLevel): AuthLogger {
	return {
		disabled: level === "silent",
		...(level === "silent" ? {} : { level }),
		log: (severity, message, ...details) => write(log, severity, [message, ...details]),
	};
}

/** How Better Auth's router prints an error that it has handed to us already. */
const handed = "# SERVER_ERROR: ";

/** Sends what libraries print on the console to the log instead. */
export function captureConsole(log: Log): void {
	for (const severity of ["debug", "info", "warn", "error"] as const) {
		console[severity] = (...details: unknown[]) => {
			if (details[0] !== handed) write(log, severity, details);
		};
	}
	console.log = console.info;
}

function write(log: Log, severity: "debug" | "info" | "warn" | "error", details: unknown[]): void {
	const error = details.find((detail) => detail instanceof Error);
	const [message] = details;
	const text = typeof message === "string" ? withoutLinks(withoutColors(message)) : "";
	log[severity](error ? { err: error } : {}, text);
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: that is what colors are written with
const withoutColors = (text: string) => text.replace(/\u001b\[\d+m/g, "");
