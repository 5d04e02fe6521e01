const CODES = new Set<unknown>(["ER_DATA_TOO_LONG", 1406, "22001"]);

/** Whether a database rejected a text that is too long for its column, as MySQL does. */
export function isTooLong(error: unknown): boolean {
	if (error === null || typeof error !== "object") return false;
	const { code, errno, cause } = error as { code?: unknown; errno?: unknown; cause?: unknown };
	return CODES.has(code) || CODES.has(errno) || (cause !== error && isTooLong(cause));
}
