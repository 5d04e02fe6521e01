import type { BetterAuthOptions } from "better-auth";

/** A logger that keeps what it is told. */
export function keepLog() {
	const lines: string[] = [];
	const logger: BetterAuthOptions["logger"] = {
		level: "warn",
		log: (_level, message) => void lines.push(message),
	};
	return { lines, logger };
}
