const CODES = new Set<unknown>([
	"SQLITE_CONSTRAINT_UNIQUE",
	"SQLITE_CONSTRAINT_PRIMARYKEY",
	"23505", // PostgreSQL, PGlite
	"ER_DUP_ENTRY", // MySQL, MariaDB
	1062,
	"P2002", // Prisma
]);

const SQLITE_UNIQUE_ERRCODES = new Set<unknown>([1555, 2067]);

const MESSAGE = /unique constraint|duplicate (key|entry)|UNIQUE constraint failed/i;

interface DatabaseError {
	code?: unknown;
	errno?: unknown;
	errcode?: unknown;
	message?: unknown;
	cause?: unknown;
	constraint?: unknown;
	meta?: { target?: unknown };
}

/** Whether a database rejected a row because another one has the same key. */
export function isUniqueViolation(error: unknown): boolean {
	if (error === null || typeof error !== "object") return false;
	const { code, errno, errcode, message, cause } = error as DatabaseError;
	return (
		CODES.has(code) ||
		CODES.has(errno) ||
		SQLITE_UNIQUE_ERRCODES.has(errcode) ||
		(typeof message === "string" && MESSAGE.test(message)) ||
		(cause !== undefined && cause !== error && isUniqueViolation(cause))
	);
}

/**
 * The key of a unique violation as the database names it: columns, or the name of an index. Other parts
 * of the message may contain the values of the row, or all of its columns.
 */
export function violatedKey(error: unknown): string {
	const { constraint, meta, message, cause } = error as DatabaseError;
	if (isUniqueViolation(cause)) return violatedKey(cause);
	if (constraint) return String(constraint);
	if (meta?.target) return String(meta.target);
	return String(message).replace(/^.*(for key|failed:)/s, "");
}
