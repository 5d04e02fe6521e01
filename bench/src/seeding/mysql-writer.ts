import { createConnection, type RowDataPacket } from "mysql2/promise";
import type { Writer } from "./writer";

interface TableKeys {
	table: string;
	/** Lines of `show create table`, which `alter table … add` takes as they are. */
	indexes: string[];
	foreignKeys: string[];
}

/** Multi-row inserts, in the order of the primary key. Indexes and foreign keys are made afterwards. */
export async function openMysqlWriter(address: string): Promise<Writer> {
	const connection = await createConnection({ uri: address, timezone: "Z" });
	const run = (statement: string) => connection.query<RowDataPacket[]>(statement);
	await run("set foreign_key_checks = 0, unique_checks = 0");
	const [tables] = await run("show tables");
	const keys: TableKeys[] = [];
	for (const row of tables) {
		const table = String(Object.values(row)[0]);
		const [[created]] = await run(`show create table \`${table}\``);
		keys.push(keysOf(table, String(created?.["Create Table"])));
	}
	for (const { table, foreignKeys } of keys) await alter(table, foreignKeys, dropForeignKey);
	for (const { table, indexes } of keys) await alter(table, indexes, dropIndex);

	async function alter(table: string, lines: string[], change: (line: string) => string) {
		if (lines.length > 0) await run(`alter table \`${table}\` ${lines.map(change).join(", ")}`);
	}
	return {
		// Rows with ids in no order would be pages read from the disk and written again.
		sortsById: true,
		async write(table, columns, rows) {
			const names = columns.map((column) => `\`${column}\``).join(", ");
			await connection.query(`insert into \`${table}\` (${names}) values ?`, [rows]);
		},
		async finish() {
			for (const { table, indexes } of keys) await alter(table, indexes, add);
			for (const { table, foreignKeys } of keys) await alter(table, foreignKeys, add);
			for (const { table } of keys) await run(`analyze table \`${table}\``);
			await connection.end();
		},
	};
}

function keysOf(table: string, created: string): TableKeys {
	const lines = created.split("\n").map((line) => line.trim().replace(/,$/, ""));
	return {
		table,
		indexes: lines.filter((line) => /^(UNIQUE )?KEY /.test(line)),
		foreignKeys: lines.filter((line) => /^CONSTRAINT .* FOREIGN KEY /.test(line)),
	};
}

const nameOf = (line: string) => /`[^`]+`/.exec(line)?.[0];
const dropForeignKey = (line: string) => `drop foreign key ${nameOf(line)}`;
const dropIndex = (line: string) => `drop index ${nameOf(line)}`;
const add = (line: string) => `add ${line}`;
