import { statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Generated, Kysely, sql } from "kysely";
import Libsql from "libsql";
import { describe, expect, onTestFinished, test } from "vitest";
import { HANG } from "../../../testing/time-limits";
import { ReadWriteDialect } from "../src/database/read-write-dialect";
import type { SqliteConnection } from "../src/database/sqlite-driver";
import { temporaryDirectory } from "./temporary-directory";

type Tables = {
	note: { id: Generated<number>; text: string };
	reply: { id: number; noteId: number };
};

/** The statement that fails once. */
type Fault = { sql: string | null };

async function openNotes({
	timeoutMs = HANG,
	fault = { sql: null } as Fault,
	prepared = [] as string[],
} = {}) {
	const file = join(temporaryDirectory(), "notes.db");
	const open = () => failing(new Libsql(file), fault, prepared);
	const db = new Kysely<Tables>({ dialect: new ReadWriteDialect({ open, timeoutMs }) });
	onTestFinished(() => db.destroy());
	await sql`create table note (id integer primary key, text text not null unique)`.execute(db);
	await sql`create table reply (id integer primary key, noteId integer not null
		references note (id) deferrable initially deferred)`.execute(db);
	return { db, file, fault };
}

/** A connection on which one statement can fail, with the statements that it has prepared. */
function failing(connection: SqliteConnection, fault: Fault, prepared: string[]): SqliteConnection {
	return {
		get inTransaction() {
			return connection.inTransaction;
		},
		exec: (statement) => {
			if (statement === fault.sql) {
				fault.sql = null;
				throw new Error(`disk error at ${statement}`);
			}
			return connection.exec(statement);
		},
		prepare: (statement) => {
			prepared.push(statement);
			return connection.prepare(statement);
		},
		close: () => connection.close(),
	};
}

const write = (db: Kysely<Tables>, text: string) =>
	db.insertInto("note").values({ text }).returningAll().executeTakeFirst();

const texts = async (db: Kysely<Tables>) =>
	(await db.selectFrom("note").select("text").orderBy("id").execute()).map(({ text }) => text);

/** A transaction that has written `text` and is still open. */
async function openTransaction(db: Kysely<Tables>, text: string) {
	const transaction = await db.startTransaction().execute();
	await write(transaction, text);
	return transaction;
}

test("reads see committed data while a transaction writes", async () => {
	const { db } = await openNotes();
	await write(db, "before");
	const transaction = await openTransaction(db, "uncommitted");
	expect(await texts(db)).toEqual(["before"]);
	expect(await texts(transaction)).toEqual(["before", "uncommitted"]);
	await transaction.commit().execute();
	expect(await texts(db)).toEqual(["before", "uncommitted"]);
});

test("a transaction that has only read does not block others", async () => {
	const { db } = await openNotes();
	await db.transaction().execute(async (transaction) => {
		expect(await texts(transaction)).toEqual([]);
		await write(db, "from outside");
		expect(await texts(transaction)).toEqual(["from outside"]);
		await write(transaction, "from inside");
	});
	expect(await texts(db)).toEqual(["from outside", "from inside"]);
});

test("an error in a transaction rolls it back, and the next one can write", async () => {
	const { db } = await openNotes();
	const failed = db.transaction().execute(async (transaction) => {
		await write(transaction, "undone");
		throw new Error("canceled");
	});
	await expect(failed).rejects.toThrow("canceled");
	await write(db, "kept");
	expect(await texts(db)).toEqual(["kept"]);
});

test("a failed statement rolls its transaction back with the database's own error", async () => {
	const { db } = await openNotes();
	await write(db, "taken");
	const failed = db.transaction().execute(async (transaction) => {
		await write(transaction, "undone");
		await write(transaction, "taken");
	});
	await expect(failed).rejects.toMatchObject({ code: "SQLITE_CONSTRAINT_UNIQUE" });
	expect(await texts(db)).toEqual(["taken"]);
});

test("a failed statement outside of a transaction releases the writer", async () => {
	const { db } = await openNotes();
	await write(db, "taken");
	await expect(write(db, "taken")).rejects.toMatchObject({ code: "SQLITE_CONSTRAINT_UNIQUE" });
	await write(db, "next");
	expect(await texts(db)).toEqual(["taken", "next"]);
});

test("two transactions that write run one after the other, in order of arrival", async () => {
	const { db } = await openNotes();
	const order: string[] = [];
	const slowly = (name: string) =>
		db.transaction().execute(async (transaction) => {
			await write(transaction, `${name} 1`);
			order.push(`${name} in`);
			await sleep(20);
			await write(transaction, `${name} 2`);
			order.push(`${name} out`);
		});
	await Promise.all([slowly("a"), slowly("b"), slowly("c")]);
	expect(order).toEqual(["a in", "a out", "b in", "b out", "c in", "c out"]);
	expect(await texts(db)).toHaveLength(6);
});

test("a write outside of a transaction waits for the writing transaction", async () => {
	const { db } = await openNotes();
	const transaction = await openTransaction(db, "first");
	let written = false;
	const second = write(db, "second").then(() => {
		written = true;
	});
	await sleep(30);
	expect(written).toBe(false);
	await transaction.rollback().execute();
	await second;
	expect(await texts(db)).toEqual(["second"]);
});

test("code that writes outside of its own open transaction gets an error instead of a deadlock", async () => {
	const { db } = await openNotes({ timeoutMs: 50 });
	const deadlocked = db.transaction().execute(async (transaction) => {
		await write(transaction, "inside");
		await write(db, "outside");
	});
	await expect(deadlocked).rejects.toThrow("The database was busy writing for 50 ms.");
	await write(db, "afterwards");
	expect(await texts(db)).toEqual(["afterwards"]);
});

test("a write that timed out does not get the writer later", async () => {
	const { db } = await openNotes({ timeoutMs: 50 });
	const transaction = await openTransaction(db, "first");
	await expect(write(db, "timed out")).rejects.toThrow("busy");
	await transaction.commit().execute();
	await write(db, "second");
	expect(await texts(db)).toEqual(["first", "second"]);
});

test("a transaction that cannot begin releases the writer", async () => {
	const { db, fault } = await openNotes();
	fault.sql = "BEGIN IMMEDIATE";
	const failed = db.transaction().execute((transaction) => write(transaction, "lost"));
	await expect(failed).rejects.toThrow("disk error at BEGIN IMMEDIATE");
	await write(db, "next");
	expect(await texts(db)).toEqual(["next"]);
});

test("a transaction that cannot commit is rolled back and releases the writer", async () => {
	const { db } = await openNotes();
	const orphan = (target: Kysely<Tables>) =>
		target.insertInto("reply").values({ id: 1, noteId: 99 }).execute();
	const failed = db.transaction().execute(async (transaction) => {
		await write(transaction, "lost");
		await orphan(transaction);
	});
	await expect(failed).rejects.toThrow("FOREIGN KEY");
	await expect(orphan(db)).rejects.toThrow("FOREIGN KEY");
	await write(db, "next");
	expect(await texts(db)).toEqual(["next"]);
});

test("a failed rollback is repeated before the next write", async () => {
	const { db, fault } = await openNotes();
	const failed = db.transaction().execute(async (transaction) => {
		await write(transaction, "lost");
		fault.sql = "ROLLBACK";
		throw new Error("the first error");
	});
	await expect(failed).rejects.toThrow("the first error");
	await write(db, "next");
	expect(await texts(db)).toEqual(["next"]);
});

test("nothing is written after SQLite ended the transaction by itself", async () => {
	const { db } = await openNotes();
	const failed = db.transaction().execute(async (transaction) => {
		await write(transaction, "lost");
		await sql`rollback`.execute(transaction);
		await write(transaction, "would have been kept");
	});
	await expect(failed).rejects.toThrow("SQLite ended this transaction.");
	expect(await texts(db)).toEqual([]);
});

test("concurrent statements of a transaction all belong to it", async () => {
	const { db } = await openNotes();
	const failed = db.transaction().execute(async (transaction) => {
		await Promise.all(["a", "b", "c"].map((text) => write(transaction, text)));
		throw new Error("all of them");
	});
	await expect(failed).rejects.toThrow("all of them");
	expect(await texts(db)).toEqual([]);
});

test("a write waits for a lock that another process holds for a short time", async () => {
	const { db, file } = await openNotes();
	const other = new Libsql(file);
	other.exec("BEGIN IMMEDIATE");
	const waiting = write(db, "mine");
	await sleep(20);
	expect(await texts(db)).toEqual([]);
	other.exec("ROLLBACK");
	await waiting;
	other.close();
	expect(await texts(db)).toEqual(["mine"]);
});

test("a lock that another process does not release is an error, and later writes work", async () => {
	const { db, file } = await openNotes({ timeoutMs: 50 });
	const other = new Libsql(file);
	other.exec("BEGIN IMMEDIATE");
	await expect(write(db, "mine")).rejects.toMatchObject({ code: "SQLITE_BUSY" });
	other.exec("ROLLBACK");
	other.close();
	await write(db, "mine");
	expect(await texts(db)).toEqual(["mine"]);
});

test("pragmas and raw statements work", async () => {
	const { db } = await openNotes();
	const { rows } = await sql`pragma table_info(note)`.execute(db);
	expect(rows).toHaveLength(2);
	const journal = await sql`pragma journal_mode`.execute(db);
	const foreignKeys = await sql`pragma foreign_keys`.execute(db);
	expect(journal.rows).toEqual([{ journal_mode: "wal" }]);
	expect(foreignKeys.rows).toEqual([{ foreign_keys: 1 }]);
	await sql`vacuum`.execute(db);
});

test("rows can be streamed", async () => {
	const { db } = await openNotes();
	await write(db, "a");
	await write(db, "b");
	const streamed: string[] = [];
	for await (const { text } of db.selectFrom("note").selectAll().stream()) streamed.push(text);
	expect(streamed).toEqual(["a", "b"]);
});

test("closing waits for the writing transaction and empties the log", async () => {
	const { db, file } = await openNotes();
	const slow = db.transaction().execute(async (transaction) => {
		await write(transaction, "in time");
		await sleep(30);
	});
	await sleep(5);
	await db.destroy();
	await slow;
	expect(statSync(`${file}-wal`).size).toBe(0);
	const later = new Libsql(file);
	expect(later.prepare("select text from note").all([])).toEqual([{ text: "in time" }]);
	later.close();
	await expect(texts(db)).rejects.toThrow("destroyed");
});

describe("prepared statements", () => {
	/** The notes, and which statements were prepared since the last call. */
	async function openCounted() {
		const prepared: string[] = [];
		const notes = await openNotes({ prepared });
		return { ...notes, lastPrepared: () => prepared.splice(0) };
	}

	test("a statement that repeats is prepared once on each connection", async () => {
		const { db, lastPrepared } = await openCounted();
		lastPrepared();
		for (const text of ["one", "two", "three"]) {
			await write(db, text);
			await db.transaction().execute((transaction) => write(transaction, `${text} again`));
			await texts(db);
		}
		expect(lastPrepared()).toEqual([
			expect.stringMatching(/^insert into "note"/),
			expect.stringMatching(/^select "text" from "note"/),
		]);
		expect(await texts(db)).toHaveLength(6);
	});

	test("a statement that failed is prepared again", async () => {
		const { db, lastPrepared } = await openCounted();
		await write(db, "same");
		lastPrepared();
		await expect(write(db, "same")).rejects.toThrow("UNIQUE");
		await write(db, "other");
		expect(lastPrepared()).toHaveLength(1);
		expect(await texts(db)).toEqual(["same", "other"]);
	});

	test("a statement sees what another process does to the schema", async () => {
		const { db, file } = await openNotes();
		await write(db, "note");
		const all = () => db.selectFrom("note").selectAll().execute();
		expect(await all()).toEqual([{ id: 1, text: "note" }]);
		const other = new Libsql(file);
		onTestFinished(() => void other.close());
		other.exec("alter table note add column color text default 'red'");
		expect(await all()).toEqual([{ id: 1, text: "note", color: "red" }]);
		await expect(write(db, "second")).resolves.toMatchObject({ id: 2, color: "red" });
		other.exec("alter table note rename column text to body");
		expect(await all()).toMatchObject([{ body: "note" }, { body: "second" }]);
		await expect(write(db, "third")).rejects.toThrow("no column named text");
	});

	test("only the ones that ran last are kept", async () => {
		const { db, lastPrepared } = await openCounted();
		const count = (number: number) =>
			db.selectFrom("note").select(sql.lit(number).as("n")).execute();
		for (let number = 0; number < 300; number++) {
			await count(number);
			await texts(db);
		}
		lastPrepared();
		await count(299);
		await texts(db);
		expect(lastPrepared()).toEqual([]);
		await count(0);
		expect(lastPrepared()).toHaveLength(1);
	});

	test("pragmas run anew each time", async () => {
		const { db, lastPrepared } = await openCounted();
		lastPrepared();
		for (let times = 0; times < 2; times++) await sql`pragma user_version`.execute(db);
		expect(lastPrepared()).toHaveLength(2);
	});
});
