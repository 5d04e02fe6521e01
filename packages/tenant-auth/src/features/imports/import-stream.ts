import { APIError } from "@better-auth/core/error";
import { importError } from "./import-error";
import type { ImportedUser, NumberedLine } from "./import-line";
import type { ImportResult } from "./import-result";

/** The most lines and bytes of one call. */
export const MAX_LINES = 10_000;
const MAX_BYTES = 16 * 1024 * 1024;

/**
 * Reads the lines of an NDJSON body, without empty ones, each with its number in the body. All of it is read before anything is imported:
 * a body that is too large changes nothing.
 *
 * @throws APIError `IMPORT_TOO_LARGE`, or `VALIDATION_ERROR` if it is not UTF-8
 */
export async function readLines(body: ReadableStream<Uint8Array>): Promise<NumberedLine[]> {
	const lines: NumberedLine[] = [];
	let bytes = 0;
	let number = 0;
	let rest = "";
	const add = (value: string) => {
		number += 1;
		if (value.trim() === "") return;
		if (lines.push({ number, value }) > MAX_LINES) throw importError("IMPORT_TOO_LARGE");
	};
	// Otherwise it would replace what it cannot read, also in names and hashes.
	const decoder = new TextDecoder("utf-8", { fatal: true });
	const reader = body.getReader();
	try {
		for (;;) {
			const { done, value } = await reader.read();
			bytes += value?.byteLength ?? 0;
			if (bytes > MAX_BYTES) throw importError("IMPORT_TOO_LARGE");
			const parts = (rest + decoder.decode(value, { stream: !done })).split("\n");
			rest = parts.pop() ?? "";
			for (const line of parts) add(line);
			if (done) break;
		}
		add(rest);
	} catch (error) {
		// The sender need not send the rest.
		await reader.cancel().catch(() => {});
		// Only the decoder throws this one.
		throw error instanceof TypeError ? notUtf8() : error;
	}
	return lines;
}

const notUtf8 = () =>
	new APIError("BAD_REQUEST", { code: "VALIDATION_ERROR", message: "The body is not UTF-8" });

export interface ImportUsersOptions {
	tenantId: string;
	/**
	 * Users, or texts with the JSON of one: an array, the lines of a file, the rows of a query. Empty texts
	 * are skipped, and have no result.
	 */
	lines: Iterable<ImportedUser | string> | AsyncIterable<ImportedUser | string>;
	/**
	 * Reports what would happen, and changes nothing: lines are written in transactions of up to 100, and
	 * each is rolled back. So an email that two lines far from each other have is not found.
	 *
	 * @default false
	 */
	dryRun?: boolean;
}

/** The part of an instance that {@link importUsers} calls. */
interface ImportingAuth {
	api: {
		importTenantUsers(call: {
			body: { tenantId: string; users: unknown[]; dryRun: boolean };
		}): Promise<{ results: ImportResult[] }>;
	};
}

const PART = 500;

/**
 * Imports any number of users into a tenant, and yields the result of each line. It reads the lines as it
 * goes on, so memory stays flat. Nothing is imported if nobody reads the results.
 *
 * @throws APIError `TENANT_NOT_FOUND`, `TENANT_SUSPENDED`, `TRANSACTION_REQUIRED` for a dry run
 * @example
 * ```ts
 * const lines = createInterface({ input: createReadStream("users.ndjson") });
 * for await (const { line, status, code } of importUsers(auth, { tenantId, lines })) {
 *   if (status === "failed") console.error(line, code);
 * }
 * ```
 */
export async function* importUsers(
	auth: ImportingAuth,
	{ tenantId, lines, dryRun = false }: ImportUsersOptions,
): AsyncGenerator<ImportResult> {
	let before = 0;
	let users: unknown[] = [];
	async function* flush(): AsyncGenerator<ImportResult> {
		if (users.length === 0) return;
		const { results } = await auth.api.importTenantUsers({ body: { tenantId, users, dryRun } });
		for (const result of results) yield { ...result, line: before + result.line };
		before += users.length;
		users = [];
	}
	for await (const line of lines) {
		users.push(line);
		if (users.length === PART) yield* flush();
	}
	yield* flush();
}
