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
}

/** Whether a database refused a row because another one has the same key. */
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
