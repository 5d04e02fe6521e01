/** A store that is not asked, or whose response is not waited for any more. */
export class StoreUnavailableError extends Error {
	override name = "StoreUnavailableError";
}

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
	// PostgreSQL (https://www.postgresql.org/docs/current/errcodes-appendix.html): read-only, which a primary
	// is that was demoted.
	"25006",
	// A transaction that was ended because it waited for us, or took too long.
	"25P03",
	"25P04",
	// Nobody knows whether a transaction was committed: its server was lost meanwhile.
	"40000",
	"40003",
	// MySQL and MariaDB: no connection.
	"PROTOCOL_CONNECTION_LOST",
	"PROTOCOL_SEQUENCE_TIMEOUT",
	"ER_CON_COUNT_ERROR",
	"ER_TOO_MANY_USER_CONNECTIONS",
	"ER_USER_LIMIT_REACHED",
	"ER_HOST_IS_BLOCKED",
	"ER_HOST_NOT_PRIVILEGED",
	"ER_HANDSHAKE_ERROR",
	"ER_CANT_CREATE_THREAD",
	"ER_ABORTING_CONNECTION",
	"ER_NEW_ABORTING_CONNECTION",
	"ER_NET_READ_ERROR",
	"ER_NET_READ_INTERRUPTED",
	"ER_NET_ERROR_ON_WRITE",
	"ER_NET_WRITE_INTERRUPTED",
	"ER_CLIENT_INTERACTION_TIMEOUT",
	"ER_SESSION_WAS_KILLED",
	"ER_ACCESS_DENIED_ERROR",
	"ER_DBACCESS_DENIED_ERROR",
	"ER_SERVER_SHUTDOWN",
	"ER_NORMAL_SHUTDOWN",
	"ER_SERVER_OFFLINE_MODE",
	"ER_QUERY_INTERRUPTED",
	"ER_QUERY_TIMEOUT",
	"ER_ERROR_DURING_COMMIT",
	"ER_ERROR_DURING_ROLLBACK",
	"ER_TRANSACTION_ROLLBACK_DURING_COMMIT",
	// A node of Galera without a quorum, or that is joining, has no other commands.
	"ER_UNKNOWN_COM_ERROR",
	// Read-only, or a member of a group that has no majority.
	"ER_OPTION_PREVENTS_STATEMENT",
	"ER_CANT_EXECUTE_IN_READ_ONLY_TRANSACTION",
	"ER_READ_ONLY_MODE",
	"ER_OPEN_AS_READONLY",
	"ER_INNODB_READ_ONLY",
	"ER_INNODB_FORCED_RECOVERY",
	"ER_RUN_HOOK_ERROR",
	// Full.
	"ER_DISK_FULL",
	"ER_RECORD_FILE_FULL",
	"ER_OUT_OF_RESOURCES",
	"ER_OUTOFMEMORY",
	"ER_OUT_OF_SORTMEMORY",
	"ER_ENGINE_OUT_OF_MEMORY",
	"ER_LOCK_TABLE_FULL",
	"ER_TOO_MANY_CONCURRENT_TRXS",
	"ER_ERROR_ON_WRITE",
	"ER_TEMP_FILE_WRITE_FAILURE",
]);

/** MariaDB's own errors, for which mysql2 has no name: a connection that was ended, and a query's time limit. */
const MARIADB = new Set<unknown>([1927, 1969]);

/**
 * PostgreSQL: connection exceptions, a password that is refused, resources such as disk space or
 * connections that are used up, a server that stops, starts or ends a statement, and errors of the
 * operating system.
 */
const POSTGRES_CLASS = /^(08|28|53|57|58)[\dA-Z]{3}$/;

const SQLITE = /^SQLITE_(FULL|IOERR|CANTOPEN|READONLY|BUSY|LOCKED)/;

/**
 * What Redis says if it responds and does not work: a replica, full, loading, without its replicas, a part
 * of a cluster, or a password that is refused. Before Redis 7, the error of a script contains it.
 */
const REDIS =
	/^(ERR Error running script .*-?)?(READONLY|OOM|MISCONF|LOADING|MASTERDOWN|NOREPLICAS|BUSY|CLUSTERDOWN|TRYAGAIN|MOVED|ASK|NOAUTH|NOPERM|WRONGPASS|ERR max number of clients reached)\b/;

/** The drivers of PostgreSQL and Redis have errors without a code, and so has our queue of writers. */
const MESSAGES =
	/^(timeout exceeded when trying to connect|Connection terminated|Client has encountered a connection error|Client was closed|Query read timeout|Connection is closed|Command timed out|Stream isn't writeable|Reached the max retries per request|Redis is a replica|All sentinels are unreachable|Cluster isn't ready|Failed to refresh slots cache|None of startup nodes is available|Too many Cluster redirections|The database was busy writing)/;

/** Tells the outage of a store from a bug, by the error of its driver. */
export function isOutage(error: unknown, depth = 0): boolean {
	if (!(error instanceof Error) || depth > 5) return false;
	if (error instanceof StoreUnavailableError) return true;
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

/** PostgreSQL: "invalid byte sequence for encoding". */
const INVALID_TEXT = "22021";

/** Tells that a text has a NUL, by the error of the driver. */
export const isInvalidText = (error: unknown): boolean =>
	error instanceof Error && Reflect.get(error, "code") === INVALID_TEXT;
