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

/** Whether an error, or one that caused it, is of a kind. */
export function hasCause(error: unknown, isKind: (error: DatabaseError) => boolean): boolean {
	if (error === null || typeof error !== "object") return false;
	const { cause }: DatabaseError = Object(error);
	return isKind(Object(error)) || (cause !== error && hasCause(cause, isKind));
}

/** Whether a database rejected a row because another one has the same key. */
export const isUniqueViolation = (error: unknown): boolean =>
	hasCause(
		error,
		({ code, errno, errcode, message }) =>
			CODES.has(code) ||
			CODES.has(errno) ||
			SQLITE_UNIQUE_ERRCODES.has(errcode) ||
			(typeof message === "string" && MESSAGE.test(message)),
	);

/**
 * The key of a unique violation as the database names it: columns, or the name of an index. Other parts
 * of the message may contain the values of the row, or all of its columns.
 */
export function violatedKey(error: unknown): string {
	const { constraint, meta, message, cause } = Object(error) as DatabaseError;
	if (isUniqueViolation(cause)) return violatedKey(cause);
	if (constraint) return String(constraint);
	if (meta?.target) return String(meta.target);
	return String(message).replace(/^.*(for key|failed:)/s, "");
}

const TOO_LONG_CODES = new Set<unknown>(["ER_DATA_TOO_LONG", 1406, "22001", "54000"]);

/** Whether a database rejected a text that is too long for its column, as MySQL does, or for an index. */
export const isTooLong = (error: unknown): boolean =>
	hasCause(error, ({ code, errno }) => TOO_LONG_CODES.has(code) || TOO_LONG_CODES.has(errno));
