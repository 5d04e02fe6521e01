/** Connections that fail, on every system and for every store. */
const NETWORK = new Set([
	"ECONNREFUSED",
	"ECONNRESET",
	"ECONNABORTED",
	"EPIPE",
	"ETIMEDOUT",
	"ENOTFOUND",
	"EAI_AGAIN",
	"EHOSTUNREACH",
	"ENETUNREACH",
]);

const DATABASE = new Set([
	// PostgreSQL: it is stopping, starting, or read-only (https://www.postgresql.org/docs/current/errcodes-appendix.html).
	"57P01",
	"57P02",
	"57P03",
	"25006",
	// MySQL.
	"PROTOCOL_CONNECTION_LOST",
	"PROTOCOL_SEQUENCE_TIMEOUT",
	"ER_CON_COUNT_ERROR",
	"ER_TOO_MANY_USER_CONNECTIONS",
	"ER_SERVER_SHUTDOWN",
	"ER_NORMAL_SHUTDOWN",
	"ER_CONNECTION_KILLED",
	"ER_OPTION_PREVENTS_STATEMENT",
	"ER_DISK_FULL",
	"ER_RECORD_FILE_FULL",
]);

/** PostgreSQL: connection exceptions, and resources such as disk space or connections that are used up. */
const POSTGRES_CLASS = /^(08|53)[\dA-Z]{3}$/;

const SQLITE = /^SQLITE_(FULL|IOERR|CANTOPEN|READONLY|BUSY|LOCKED)/;

/** The drivers of PostgreSQL and Redis have errors without a code, and so has our queue of writers. */
const MESSAGES =
	/^(timeout exceeded when trying to connect|Connection terminated|Client has encountered a connection error|Query read timeout|Connection is closed|Command timed out|Stream isn't writeable|Reached the max retries per request|The database was busy writing|No connection to the database)/;

/** Tells the outage of a store from a bug, by the error of its driver. */
export function isOutage(error: unknown, depth = 0): boolean {
	if (!(error instanceof Error) || depth > 5) return false;
	const { code, fatal } = error as Error & { code?: unknown; fatal?: unknown };
	if (typeof code === "string") {
		if (NETWORK.has(code) || DATABASE.has(code)) return true;
		if (POSTGRES_CLASS.test(code) || SQLITE.test(code)) return true;
	}
	// mysql2 marks errors after which the connection is unusable.
	if (fatal === true || MESSAGES.test(error.message)) return true;
	const causes = error instanceof AggregateError ? error.errors : [];
	return [error.cause, ...causes].some((cause) => isOutage(cause, depth + 1));
}
