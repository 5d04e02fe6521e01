import { type DestinationStream, type Logger, pino } from "pino";
import type { LogLevel } from "../settings/log-level";
import { currentRequest } from "./request-record";
import { safeError, withoutSecrets } from "./safe-text";

export type Log = Logger;

export type LogConfig = {
	level: LogLevel;
	/** Values that must not be in any line, whoever writes it. */
	secrets: string[];
	/** @default standard output */
	destination?: DestinationStream;
};

/** Lines of JSON. Whatever is logged during a request bears its id, and its tenant's as soon as that is known. */
export function createLog({ level, secrets, destination }: LogConfig): Log {
	const options = {
		level,
		base: null,
		timestamp: () => `,"time":"${new Date().toISOString()}"`,
		formatters: { level: (label: string) => ({ level: label }) },
		serializers: { err: safeError },
		mixin: () => {
			const request = currentRequest();
			return request ? { requestId: request.requestId, tenantId: request.tenantId } : {};
		},
		hooks: { streamWrite: withoutSecrets(secrets) },
	};
	return destination ? pino(options, destination) : pino(options);
}
