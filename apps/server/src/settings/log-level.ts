import { StartError } from "../start-error";
import type { Read } from "./environment";

const levels = ["debug", "info", "warn", "error", "silent"] as const;

export type LogLevel = (typeof levels)[number];

export function readLogLevel(read: Read): LogLevel {
	const value = read("LOG_LEVEL")?.toLowerCase() ?? "info";
	const level = levels.find((name) => name === value);
	if (level) return level;
	throw new StartError(`LOG_LEVEL must be one of ${levels.join(", ")}, but it is "${value}".`);
}
