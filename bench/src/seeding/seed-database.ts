import { hashPassword } from "better-auth/crypto";
import { openDatabase, typeOf } from "../host/database";
import { cheapHash, type Hash, migrate, SECRET, type Subject } from "../host/host";
import { PASSWORD, type Population } from "./identities";
import { openMysqlWriter } from "./mysql-writer";
import { openPostgresWriter } from "./postgres-writer";
import type { Progress } from "./progress-bar";
import { openSqliteWriter } from "./sqlite-writer";
import { type SeedTable, seedTables } from "./tables";
import type { Writer } from "./writer";

export interface SeedOptions extends Population {
	/** `file:<path>`, `postgres://…` or `mysql://…`, without tables. */
	address: string;
	/** @default "tenant" */
	subject?: Subject;
	/** @default "cheap" */
	hash?: Hash;
	/** Shows how far it is, given the number of rows. */
	progress?: (rows: number) => Progress;
}

const writers = {
	sqlite: openSqliteWriter,
	postgres: openPostgresWriter,
	mysql: openMysqlWriter,
};

const ROWS_AT_ONCE = 5_000;

/** Makes the tables as Better Auth does, and fills them. */
export async function seedDatabase(options: SeedOptions): Promise<void> {
	const { address, subject = "tenant", hash = "cheap" } = options;
	const { tenants, users } = options;
	await makeTables(address, subject);
	const tables = seedTables({
		subject,
		tenants,
		users,
		passwordHash: hash === "cheap" ? cheapHash(PASSWORD) : await hashPassword(PASSWORD),
		sealingKey: SECRET,
	});
	const writer = await writers[typeOf(address)](address);
	const progress = options.progress?.(tables.reduce((sum, { count }) => sum + count, 0));
	for (const table of tables) await fill(table, writer, progress);
	progress?.end();
	await writer.finish();
}

async function makeTables(address: string, subject: Subject): Promise<void> {
	// A connection to a log lingers after it was closed, and the loader writes without one.
	const database = openDatabase(address, { journal: "delete" });
	try {
		await migrate(database, { subject });
	} finally {
		await database.close();
	}
}

async function fill(table: SeedTable, writer: Writer, progress?: Progress): Promise<void> {
	const numbers = Array.from({ length: table.count }, (_, n) => n);
	if (writer.sortsById) sortById(numbers, table);
	for (let start = 0; start < table.count; start += ROWS_AT_ONCE) {
		const part = numbers.slice(start, start + ROWS_AT_ONCE);
		const rows = await Promise.all(part.map((n) => table.row(n)));
		await writer.write(table.name, table.columns, rows);
		progress?.advance(table.name, rows.length);
	}
}

/** In the order of a collation that ignores case, as the one of the tables does. */
function sortById(numbers: number[], { id }: SeedTable): void {
	const ids = numbers.map((n) => id(n).toLowerCase());
	const at = (n: number) => ids[n] ?? "";
	numbers.sort((a, b) => (at(a) < at(b) ? -1 : 1));
}
