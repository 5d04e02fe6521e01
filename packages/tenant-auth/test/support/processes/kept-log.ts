import type { BetterAuthOptions } from "better-auth";

/** A logger that keeps what it is told. */
export function keepLog(level: "info" | "warn" = "warn") {
	const lines: string[] = [];
	const logger: BetterAuthOptions["logger"] = {
		level,
		log: (_level, message) => void lines.push(message),
	};
	return { lines, logger };
}
