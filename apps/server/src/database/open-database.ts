import { closeSync, openSync } from "node:fs";
import { join } from "node:path";
import { Kysely } from "kysely";
import Libsql from "libsql";
import { StartError } from "../settings";
import { ReadWriteDialect } from "./read-write-dialect";

/** Longer than any queue of honest writers, short enough for a caller to see the error. */
const patienceMs = 15_000;

/** What Better Auth takes as its `database` option. */
export type AuthDatabase = { db: Kysely<unknown>; type: "sqlite"; transaction: true };

/**
 * The SQLite file in the data directory, made when it is not there.
 *
 * libsql on every Node version: `node:sqlite` does not exist in Node 20 and still announces itself
 * as experimental after it, and one driver is one behaviour to test.
 *
 * @throws StartError when the file cannot be made
 */
export function openDatabase(dataDir: string): AuthDatabase {
	const file = join(dataDir, "auth.db");
	createPrivately(file);
	const dialect = new ReadWriteDialect({ open: () => new Libsql(file), patienceMs });
	return { db: new Kysely({ dialect }), type: "sqlite", transaction: true };
}

/** The file holds password hashes and sessions; SQLite gives its mode to the log beside it too. */
function createPrivately(file: string): void {
	try {
		closeSync(openSync(file, "a", 0o600));
	} catch (cause) {
		const code = (cause as NodeJS.ErrnoException).code;
		throw new StartError(`DATA_DIR does not let ${file} be written (${code}).`, { cause });
	}
}
