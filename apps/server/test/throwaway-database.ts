import { createPool } from "mysql2/promise";
import { Pool } from "pg";
import { onTestFinished } from "vitest";

const freshName = () => `tenant_server_${Date.now()}_${Math.random().toString(36).slice(2, 8)}`;

function withName(address: string, name: string): string {
	const url = new URL(address);
	url.pathname = `/${name}`;
	return url.href;
}

/** The address of a database of its own on the server, which is gone after the test. */
export async function postgresDatabase(address: string): Promise<string> {
	const name = freshName();
	const server = new Pool({ connectionString: address, max: 1 });
	await server.query(`create database "${name}"`);
	onTestFinished(async () => {
		await server.query(`drop database "${name}" with (force)`);
		await server.end();
	});
	return withName(address, name);
}

export async function mysqlDatabase(address: string, charset = "utf8mb4"): Promise<string> {
	const name = freshName();
	const server = createPool({ uri: address, connectionLimit: 1 });
	await server.query(`create database \`${name}\` character set ${charset}`);
	onTestFinished(async () => {
		await server.query(`drop database \`${name}\``);
		await server.end();
	});
	return withName(address, name);
}
