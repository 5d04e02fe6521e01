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
	// PostgreSQL (https://www.postgresql.org/docs/current/errcodes-appendix.html): it is stopping, starting,
	// or read-only, which a primary is that was demoted.
	"57P01",
	"57P02",
	"57P03",
	"57P04",
	"57P05",
	"25006",
	// A query that took too long.
	"57014",
	// MySQL and MariaDB: no connection.
	"PROTOCOL_CONNECTION_LOST",
	"PROTOCOL_SEQUENCE_TIMEOUT",
	"ER_CON_COUNT_ERROR",
	"ER_TOO_MANY_USER_CONNECTIONS",
	"ER_USER_LIMIT_REACHED",
	"ER_HOST_IS_BLOCKED",
	"ER_ACCESS_DENIED_ERROR",
	"ER_DBACCESS_DENIED_ERROR",
	"ER_SERVER_SHUTDOWN",
	"ER_NORMAL_SHUTDOWN",
	"ER_QUERY_INTERRUPTED",
	"ER_QUERY_TIMEOUT",
	"ER_ERROR_DURING_COMMIT",
	// A node of Galera without a quorum, or that is joining, has no other commands.
	"ER_UNKNOWN_COM_ERROR",
	// Read-only, or a member of a group that has no majority.
	"ER_OPTION_PREVENTS_STATEMENT",
	"ER_CANT_EXECUTE_IN_READ_ONLY_TRANSACTION",
	"ER_READ_ONLY_MODE",
	"ER_RUN_HOOK_ERROR",
	// Full.
	"ER_DISK_FULL",
	"ER_RECORD_FILE_FULL",
	"ER_OUT_OF_RESOURCES",
	"ER_OUTOFMEMORY",
]);

/** MariaDB's own errors, for which mysql2 has no name: a connection that was ended, and a query's time limit. */
const MARIADB = new Set<unknown>([1927, 1969]);

/**
 * PostgreSQL: connection exceptions, a password that is refused, resources such as disk space or
 * connections that are used up, and errors of the operating system.
 */
const POSTGRES_CLASS = /^(08|28|53|58)[\dA-Z]{3}$/;

const SQLITE = /^SQLITE_(FULL|IOERR|CANTOPEN|READONLY|BUSY|LOCKED)/;

/**
 * What Redis says if it responds and does not work: a replica, full, loading, without its replicas, a part
 * of a cluster, or a password that is refused. Before Redis 7, the error of a script contains it.
 */
const REDIS =
	/^(ERR Error running script .*-?)?(READONLY|OOM|MISCONF|LOADING|MASTERDOWN|NOREPLICAS|BUSY|CLUSTERDOWN|TRYAGAIN|MOVED|ASK|NOAUTH|NOPERM|WRONGPASS|ERR max number of clients reached)\b/;

/** The drivers of PostgreSQL and Redis have errors without a code, and so has our queue of writers. */
const MESSAGES =
	/^(timeout exceeded when trying to connect|Connection terminated|Client has encountered a connection error|Query read timeout|Connection is closed|Command timed out|Stream isn't writeable|Reached the max retries per request|Redis is a replica|All sentinels are unreachable|Cluster isn't ready|Failed to refresh slots cache|None of startup nodes is available|Too many Cluster redirections|The database was busy writing|No connection to the database)/;

/** Tells the outage of a store from a bug, by the error of its driver. */
export function isOutage(error: unknown, depth = 0): boolean {
	if (!(error instanceof Error) || depth > 5) return false;
	const { code, errno, fatal } = error as Error & Record<"code" | "errno" | "fatal", unknown>;
	if (typeof code === "string") {
		if (NETWORK.has(code) || DATABASE.has(code)) return true;
		if (POSTGRES_CLASS.test(code) || SQLITE.test(code)) return true;
	}
	if (MARIADB.has(errno)) return true;
	// mysql2 marks errors after which the connection is unusable.
	if (fatal === true || MESSAGES.test(error.message)) return true;
	if (error.name === "ReplyError" && REDIS.test(error.message)) return true;
	const causes = error instanceof AggregateError ? error.errors : [];
	return [error.cause, ...causes].some((cause) => isOutage(cause, depth + 1));
}
