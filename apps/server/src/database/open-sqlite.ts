import { closeSync, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { Kysely } from "kysely";
import Libsql from "libsql";
import type { DatabaseAddress } from "../settings/stores";
import { StartError } from "../start-error";
import { ReadWriteDialect } from "./read-write-dialect";

/** Longer than any queue of honest writers, short enough for a caller to see the error. */
const patienceMs = 15_000;

type SqliteAddress = Extract<DatabaseAddress, { type: "sqlite" }>;

/**
 * The SQLite file, made when it is not there.
 *
 * libsql on every Node version: `node:sqlite` does not exist in Node 20 and still announces itself
 * as experimental after it, and one driver is one behaviour to test.
 *
 * @throws StartError when the file cannot be made
 */
export function openSqlite({ file, isDefault }: SqliteAddress): Kysely<unknown> {
	createPrivately(file, isDefault ? "DATA_DIR" : "DATABASE_URL");
	const dialect = new ReadWriteDialect({ open: () => new Libsql(file), patienceMs });
	return new Kysely({ dialect });
}

/** The file holds password hashes and sessions; SQLite gives its mode to the log beside it too. */
function createPrivately(file: string, setting: string): void {
	try {
		mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
		closeSync(openSync(file, "a", 0o600));
	} catch (cause) {
		const code = (cause as NodeJS.ErrnoException).code;
		throw new StartError(`${setting} does not let ${file} be written (${code}).`, { cause });
	}
}
